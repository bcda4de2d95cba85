"""What the generated calls are made of: one method per kind of answer."""

from __future__ import annotations

import json
import secrets
import threading
from typing import Any, Dict, Iterator, Mapping, Optional, Union
from urllib.parse import quote

from ._events import SILENCE, follow
from ._multipart import FileLike, form_of
from ._pages import Listing
from ._transport import Transport, body_of

#: For values that may be null: left out, which null would not be.
UNSET: Any = object()

Values = Mapping[str, Any]


def segment(value: str) -> str:
    """A value as one part of a path."""
    return quote(value, safe="")


def given(values: Values, nullable: Optional[Values] = None) -> Dict[str, Any]:
    """What the caller has said."""
    said = {name: value for name, value in values.items() if value is not None}
    return {**said, **{name: value for name, value in (nullable or {}).items() if value is not UNSET}}


def keyed(key: Optional[str]) -> Dict[str, str]:
    """Repeating a call with the same key and body does nothing twice; one is made when none is given."""
    return {"Idempotency-Key": key if key is not None else secrets.token_hex(16)}


class Base:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _bytes(
        self,
        method: str,
        path: str,
        query: Values,
        headers: Optional[Mapping[str, str]] = None,
        content: Optional[bytes] = None,
        content_type: Optional[str] = None,
    ) -> bytes:
        sent = {**(headers or {}), **({} if content_type is None else {"Content-Type": content_type})}
        return body_of(self._transport.send(self._transport.request(method, path, query, sent, content)))

    def _json(
        self,
        method: str,
        path: str,
        query: Values,
        headers: Optional[Mapping[str, str]] = None,
        body: Any = UNSET,
    ) -> Any:
        content = None if body is UNSET else json.dumps(body).encode()
        answer = self._bytes(method, path, query, headers, content, None if content is None else "application/json")
        return None if answer == b"" else json.loads(answer)

    def _health(self, path: str) -> Any:
        """503 with the same body is an answer too: unhealthy is no failure of the call."""
        answer = self._transport.send(self._transport.request("GET", path, {}, {}, None))
        if answer.status == 503:
            try:
                body = json.loads(answer.body)
            except ValueError:
                body = {"code": None}
            if isinstance(body, dict) and "code" not in body:
                return body
        return json.loads(body_of(answer))

    def _list(self, path: str, query: Values) -> Listing[Any]:
        start = query.get("cursor")
        return Listing(lambda cursor: self._json("GET", path, {**query, "cursor": cursor}), start)

    def _upload(self, path: str, file: FileLike, fields: Values, headers: Mapping[str, str]) -> Any:
        content, content_type = form_of(file, fields)
        return json.loads(self._bytes("POST", path, {}, headers, content, content_type))

    def _stream(
        self, path: str, after: Union[int, str, None], stop: Optional[threading.Event], summary_path: str
    ) -> Iterator[Any]:
        # "From now on" is pinned first: a connection lost before its first event would otherwise lose what came between.
        if after is None:
            last = self._json("GET", summary_path, {})["last_seq"]
            after = -1 if last is None else last

        return self._follow(path, str(after), stop)

    def _stream_live(self, path: str, stop: Optional[threading.Event]) -> Iterator[Any]:
        """What has no place to go on from."""
        return self._follow(path, "", stop)

    def _follow(self, path: str, after: str, stop: Optional[threading.Event]) -> Iterator[Any]:
        def open_stream(cursor: str) -> Any:
            headers = {"Accept": "text/event-stream", **({"Last-Event-ID": cursor} if cursor else {})}
            return self._transport.open(self._transport.request("GET", path, {}, headers, None), SILENCE)

        return follow(open_stream, after, stop or threading.Event())
