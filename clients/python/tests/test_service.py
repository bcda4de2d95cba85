"""Every kind of call against the real service, whose address and key the environment gives."""

from __future__ import annotations

import io
import os
import pathlib
import tempfile
import threading
import unittest
import uuid

from concord_client import Client, ProblemError
from stub import CuttingProxy

url = os.environ["CONCORD_URL"]
client = Client(url, tenant_key=os.environ["CONCORD_TENANT_KEY"])

audit = "Issued by: Brandt Audit\n\nRevenue for FY2025 was EUR 41.2 million."
bank = "Issued by: Bank Nord\n\nRevenue for FY2025 was EUR 33.9 million."


def new_scope() -> str:
    return f"case-{uuid.uuid4().hex[:12]}"


def read(scope: str, document_id: str, text: str) -> None:
    client.ingest_document(scope_id=scope, document_id=document_id, name=document_id, text=text)
    # One request waits for half a minute, which a busy machine may not be content with.
    for _ in range(4):
        state = client.get_document(scope, document_id, wait=30)
        if state["status"] not in ("queued", "processing"):
            break
    assert state["status"] == "indexed", state


class Walk(unittest.TestCase):
    def test_from_documents_to_a_decision_and_back(self) -> None:
        scope = new_scope()
        self.assertEqual(client.create_scope(scope_id=scope, display_name="Fall ü")["display_name"], "Fall ü")
        read(scope, "audit", audit)
        read(scope, "bank/1 ü?", bank)
        self.assertEqual(client.get_document_text(scope, "bank/1 ü?"), bank)
        self.assertEqual(client.get_summary(scope)["contradictions"]["open"], 1)
        [found] = client.list_contradictions(scope, status="open")
        decided = client.resolve_contradiction(found["contradiction_id"], verdict="a", reason="The ledger.", by="ada")
        self.assertEqual(decided["resolution"]["by"], "ada")
        self.assertEqual(client.reopen_contradiction(found["contradiction_id"], reason="Ünsure.", by="ada")["status"], "open")
        client.resolve_contradiction(found["contradiction_id"], verdict="a", reason="The ledger.", by="ada")
        self.assertTrue(client.list_decisions(scope).first(1))
        self.assertEqual(client.get_convergence(scope, limit=1)["scope_id"], scope)
        self.assertTrue(client.get_policies(scope)["policies"])
        self.assertEqual(list(client.list_possible_conflicts(scope)), [])
        self.assertEqual(list(client.list_supersessions(scope)), [])
        self.assertEqual([each["revision"] for each in client.list_revisions(scope, "audit")], [1])
        self.assertIsNotNone(client.erase_document(scope, "audit")["erased_at"])
        self.assertEqual(client.delete_scope(scope)["documents"], 2)
        self.assertEqual(client.create_scope(scope_id=scope)["generation"], 2)

    def test_what_the_key_is_and_whether_the_service_is_well(self) -> None:
        self.assertEqual(client.get_me()["tenant_id"], os.environ["CONCORD_TENANT_ID"])
        self.assertEqual(client.get_health()["status"], "ok")
        self.assertTrue(client.get_jwks()["keys"])
        by_id = Client(url + "/", tenant_id=os.environ["CONCORD_TENANT_ID"])
        self.assertTrue(by_id.ingest_document(scope_id=new_scope(), name="n", text="t")["queued"])

    def test_a_key_makes_repeating_harmless(self) -> None:
        scope, key = new_scope(), uuid.uuid4().hex
        answers = [client.ingest_document(scope_id=scope, name="n", text=audit, idempotency_key=key) for _ in range(2)]
        self.assertEqual(answers[0]["document_id"], answers[1]["document_id"])
        registered = client.create_document(scope_id=scope, name="Register", type="pdf")
        self.assertEqual(registered["status"], "registered")
        reported = client.create_contradiction(
            scope_id=scope, claim_a="a", claim_b="b", source_a="s", source_b="t", severity="low"
        )
        self.assertEqual(reported["status"], "open")

    def test_refusals_say_what_is_wrong(self) -> None:
        with self.assertRaises(ProblemError) as missing:
            client.get_summary("nowhere")
        self.assertEqual((missing.exception.status, missing.exception.code), (404, "SCOPE_NOT_FOUND"))
        self.assertRegex(missing.exception.request_id or "", r"^\S+$")
        with self.assertRaises(ProblemError) as invalid:
            client.ingest_document(scope_id="Not A Scope", name="n", text="t")
        self.assertEqual(invalid.exception.errors[0]["pointer"], "/scope_id")
        with self.assertRaises(ProblemError) as stranger:
            Client(url, tenant_key="cnk_wrong").get_me()
        self.assertEqual(stranger.exception.status, 401)


class Files(unittest.TestCase):
    def test_come_back_as_they_went(self) -> None:
        scope = new_scope()
        content = b'{"revenue": "EUR 41.2 million"}\r\n--x'
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'Bericht "ü".json')
            path.write_bytes(content)
            sent = client.ingest_file(path, scope_id=scope, document_id="by-path")
            self.assertEqual((sent["file"]["bytes"], sent["name"]), (len(content), 'Bericht "ü".json'.replace('"', "%22")))
        client.ingest_file(content, scope_id=scope, document_id="by-bytes", name="a.txt")
        client.ingest_file(io.BytesIO(content), scope_id=scope, document_id="by-stream")
        for document_id in ("by-path", "by-bytes", "by-stream"):
            self.assertEqual(client.get_original(scope, document_id), content)


class Lists(unittest.TestCase):
    def test_give_every_item_once_whatever_the_page(self) -> None:
        scope = new_scope()
        names = {f"d{n}" for n in range(5)}
        batch = client.ingest_batch(
            documents=[{"scope_id": scope, "document_id": name, "name": name, "text": "Nothing to say."} for name in names]
        )
        self.assertEqual((batch["accepted"], batch["refused"]), (5, 0))
        self.assertEqual({item.get("document_id") for item in batch["items"]}, names)
        self.assertEqual(sorted(each["document_id"] for each in client.list_documents(scope, limit=2)), sorted(names))
        pages = list(client.list_documents(scope, limit=2).pages())
        self.assertEqual([len(page["items"]) for page in pages], [2, 2, 1])
        rest = client.list_documents(scope, limit=2, cursor=pages[0]["next"])
        self.assertEqual(len(list(rest)), 3)


class Streams(unittest.TestCase):
    def test_give_every_event_once_and_in_order_through_lost_connections(self) -> None:
        scope = new_scope()
        for n in range(3):
            read(scope, f"d{n}", audit)
        last = client.get_summary(scope)["last_seq"]
        assert last is not None
        # Some events and a part of the next one pass each time.
        with CuttingProxy(url, cut_after=6000) as proxy:
            seen = []
            for event in Client(proxy.url, tenant_key=os.environ["CONCORD_TENANT_KEY"]).stream_scope(scope, after=-1):
                seen.append(int(event["id"]))
                if seen[-1] == last:
                    break
            self.assertEqual(seen, list(range(last + 1)))
            self.assertGreater(proxy.connections, 1)

    def test_begin_with_what_comes_and_end_when_told(self) -> None:
        scope, stop = new_scope(), threading.Event()
        client.create_scope(scope_id=scope)
        events = client.stream_scope(scope, stop=stop)
        client.ingest_document(scope_id=scope, document_id="late", name="late", text="Late.")
        self.assertEqual(next(events)["type"], "document.queued")
        stop.set()
        self.assertEqual(list(events), [])

    def test_of_all_scopes_tell_of_each(self) -> None:
        scopes, stop = {new_scope(), new_scope()}, threading.Event()

        def hand_in() -> None:
            # It begins with what comes once it is open.
            while not stop.wait(0.1):
                for scope in scopes:
                    client.ingest_document(scope_id=scope, document_id="late", name="late", text="Late.")

        sender = threading.Thread(target=hand_in)
        sender.start()
        try:
            seen = set()
            for event in client.stream_scopes(stop=stop):
                seen.add(event["source"].rpartition("/")[2])
                if scopes <= seen:
                    stop.set()
        finally:
            stop.set()
            sender.join()

    def test_of_nothing_are_refused(self) -> None:
        with self.assertRaises(ProblemError):
            client.stream_scope("nowhere")
        with self.assertRaises(ProblemError):
            next(client.stream_scope("nowhere", after=-1))


if __name__ == "__main__":
    unittest.main()
