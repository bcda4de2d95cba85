"""What is repeated and what is not, and what becomes of other answers."""

from __future__ import annotations

import ast
import inspect
import json
import pathlib
import typing
import unittest

import concord_client
from concord_client import Client, ConnectionFailed, ProblemError, Retries, types
from stub import StubServer, problem, success

quick = Retries(attempts=3, base=0.001)
document = {"scope_id": "case-1", "name": "Report", "text": "Revenue was EUR 5M."}
queued = {"queued": True, "seq": 0}


def client_of(server: StubServer, retries: Retries = quick) -> Client:
    return Client(server.url, tenant_key="cnk_x", retries=retries)


class Repeating(unittest.TestCase):
    def test_repeats_what_was_not_done_and_waits_as_told(self) -> None:
        answers = [problem(429, "RATE_LIMITED", Retry_After="0"), problem(503, "OVERLOADED"), success({"verdict": "a"})]
        with StubServer(*answers) as server:
            client_of(server).resolve_contradiction("ctr_1", verdict="a", reason="r", by="ada")
            self.assertEqual(len(server.requests), 3)
            self.assertEqual(server.requests[0], server.requests[2])
        with StubServer(problem(429, "RATE_LIMITED", Retry_After="30")) as server:
            with self.assertRaises(ProblemError) as raised:
                client_of(server, Retries(deadline=5)).get_me()
            self.assertEqual((raised.exception.status, raised.exception.code), (429, "RATE_LIMITED"))

    def test_repeats_a_broken_call_under_the_same_idempotency_key(self) -> None:
        with StubServer(None, (502, {}, b"<html>"), success(queued, 202)) as server:
            self.assertEqual(client_of(server).ingest_document(**document), queued)
            keys = {headers["Idempotency-Key"] for _, _, headers, _ in server.requests}
            self.assertEqual((len(server.requests), len(keys)), (3, 1))
        with StubServer(success(queued, 202)) as server:
            client_of(server).ingest_document(**document, idempotency_key="mine")
            self.assertEqual(server.requests[0][2]["Idempotency-Key"], "mine")
            self.assertEqual(json.loads(server.requests[0][3]), document)

    def test_keys_every_document_of_a_batch_and_repeats_it(self) -> None:
        with StubServer(None, success({"accepted": 2})) as server:
            client_of(server).ingest_batch(documents=[document, {**document, "idempotency_key": "own"}], idempotency_key="b")
            self.assertEqual(server.requests[0], server.requests[1])
            sent = json.loads(server.requests[1][3])["documents"]
            self.assertEqual([each["idempotency_key"] for each in sent], ["b-0", "own"])

    def test_does_not_repeat_what_may_have_been_done(self) -> None:
        for answer, error in ((None, ConnectionFailed), ((502, {}, b""), ProblemError), (problem(503, "STORAGE_UNAVAILABLE"), ProblemError)):
            with StubServer(answer) as server:
                with self.assertRaises(error):
                    client_of(server).create_scope(scope_id="case-1")
                self.assertEqual(len(server.requests), 1)

    def test_gives_up_after_its_attempts(self) -> None:
        with StubServer(None, None, None) as server:
            with self.assertRaisesRegex(ConnectionFailed, "no answer from 127.0.0.1"):
                client_of(server).get_me()
            self.assertEqual(len(server.requests), 3)

    def test_takes_bad_health_for_an_answer(self) -> None:
        with StubServer((503, {}, b'{"status":"unavailable"}')) as server:
            self.assertEqual(client_of(server).get_health(), {"status": "unavailable"})
            self.assertNotIn("X-Tenant-Api-Key", {name.title() for name in server.requests[0][2]})

    def test_follows_no_redirect(self) -> None:
        with StubServer((302, {"Location": "http://127.0.0.1:9/"}, b"")) as server:
            with self.assertRaisesRegex(ProblemError, "status 302 and is not from the service"):
                client_of(server).get_me()


class Shape(unittest.TestCase):
    def test_refuses_an_address_that_is_none(self) -> None:
        with self.assertRaises(ValueError):
            Client("concord.example")

    def test_is_typed_throughout(self) -> None:
        for _, call in inspect.getmembers(Client, inspect.isfunction):
            typing.get_type_hints(call)
        for name in dir(types):
            if isinstance(getattr(types, name), type) and name[0].isupper():
                typing.get_type_hints(getattr(types, name))

    def test_is_written_for_python_3_9(self) -> None:
        for file in pathlib.Path(concord_client.__file__).parent.glob("*.py"):
            ast.parse(file.read_text("utf-8"), feature_version=(3, 9))


if __name__ == "__main__":
    unittest.main()
