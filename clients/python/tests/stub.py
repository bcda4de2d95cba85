"""A server that answers what a test tells it to, and one that stands before the service and cuts connections."""

from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Optional, Tuple
from urllib.parse import urlsplit

#: Status, headers and body; None breaks the connection.
Answer = Optional[Tuple[int, Dict[str, str], bytes]]


def problem(status: int, code: str, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"type": f"/problems/{code}", "title": code, "status": status, "detail": "As told.", "code": code, "request_id": "req_1"}
    return status, named, json.dumps(body).encode()


def success(body: Any, status: int = 200) -> Answer:
    return status, {}, json.dumps(body).encode()


class StubServer:
    def __init__(self, *answers: Answer) -> None:
        self.requests: List[Tuple[str, str, Dict[str, str], bytes]] = []
        waiting = list(answers)
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                requests.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
                answer = waiting.pop(0)
                if answer is None:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                status, headers, body = answer
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *_args: Any) -> None:
                """Tests print nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> StubServer:
        self._thread.start()
        return self

    def __exit__(self, *_error: Any) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class CuttingProxy:
    """Passes bytes on, and cuts each connection after so many from the service."""

    def __init__(self, url: str, cut_after: int) -> None:
        place = urlsplit(url)
        self._target = (place.hostname or "", place.port or 80)
        self._cut_after = cut_after
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.connections = 0
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> CuttingProxy:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_error: Any) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._target) as server:
            server.sendall(client.recv(65536))
            left = self._cut_after
            while left > 0:
                chunk = server.recv(min(left, 4096))
                if not chunk:
                    return
                left -= len(chunk)
                try:
                    client.sendall(chunk)
                except OSError:
                    return
