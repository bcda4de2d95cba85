"""One request after the other, tried again where that is safe.

What certainly was not done (429, 503 OVERLOADED) is repeated always; what may have been done (a broken connection, 502,
504, other 503) only where repeating changes nothing: reads, PUT and requests with an idempotency key. Retry-After is
honoured. Attempts and time are bounded. Redirects are not followed: the key is for one service.
"""

from __future__ import annotations

import http.client
import json
import random
import ssl
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Mapping, Optional, Tuple
from urllib.parse import urlencode, urlsplit

from ._errors import ConnectionFailed, problem_from, problem_in


@dataclass(frozen=True)
class Retries:
    #: Most attempts, the first one included.
    attempts: int = 5
    #: No attempt begins later than this after the first, in seconds.
    deadline: float = 60
    base: float = 0.2
    longest: float = 5


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: Optional[bytes] = None

    @property
    def is_repeatable(self) -> bool:
        return self.method in ("GET", "HEAD", "PUT") or "Idempotency-Key" in self.headers


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    def __init__(
        self,
        url: str,
        *,
        tenant_key: Optional[str],
        tenant_id: Optional[str],
        retries: Retries,
        timeout: float,
        ssl_context: Optional[ssl.SSLContext],
    ) -> None:
        place = urlsplit(url)
        if place.scheme not in ("http", "https") or place.hostname is None:
            raise ValueError(f"{url!r} is not an address like https://concord.example")
        self._place = place
        self._credentials = {
            **({} if tenant_key is None else {"X-Tenant-API-Key": tenant_key}),
            **({} if tenant_id is None else {"X-Tenant-ID": tenant_id}),
        }
        self._retries = retries
        self._timeout = timeout
        self._ssl_context = ssl_context

    def request(
        self, method: str, path: str, query: Mapping[str, Any], headers: Mapping[str, str], body: Optional[bytes]
    ) -> Request:
        text = urlencode({name: _written(value) for name, value in query.items() if value is not None})
        credentials = {} if path == "/api/health" else self._credentials
        return Request(
            method,
            self._place.path.rstrip("/") + path + (f"?{text}" if text else ""),
            {"Accept": "application/json, */*;q=0.5", **credentials, **headers},
            body,
        )

    def send(self, request: Request) -> Answer:
        """The answer, whatever its status; raises ConnectionFailed when there is none."""
        started = time.monotonic()
        for failures in range(1, self._retries.attempts + 1):
            answer, failure = self._attempt(request)
            pause = self.backoff(failures) + _retry_after(answer)
            in_time = time.monotonic() - started + pause <= self._retries.deadline
            if failures < self._retries.attempts and in_time and _should_repeat(request, answer):
                time.sleep(pause)
                continue
            break
        if answer is None:
            raise ConnectionFailed(f"no answer from {self._place.netloc}: {failure}") from failure
        return answer

    def backoff(self, failures: int) -> float:
        """Exponential with full jitter, so that many clients do not come back in step."""
        return random.random() * min(self._retries.longest, self._retries.base * 2 ** (failures - 1))

    def open(self, request: Request, timeout: float) -> Tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """The caller closes the connection."""
        connection = self._connect(timeout)
        try:
            connection.request(request.method, request.path, body=request.body, headers=dict(request.headers))
            return connection, connection.getresponse()
        except BaseException:
            connection.close()
            raise

    def _attempt(self, request: Request) -> Tuple[Optional[Answer], Optional[Exception]]:
        try:
            connection, response = self.open(request, self._timeout)
            try:
                return Answer(response.status, response.headers, response.read()), None
            finally:
                connection.close()
        except (OSError, http.client.HTTPException) as failure:
            return None, failure

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        host = self._place.hostname or ""
        if self._place.scheme == "http":
            return http.client.HTTPConnection(host, self._place.port, timeout=timeout)
        context = self._ssl_context or ssl.create_default_context()
        return http.client.HTTPSConnection(host, self._place.port, timeout=timeout, context=context)


def body_of(answer: Answer) -> bytes:
    if 200 <= answer.status < 300:
        return answer.body
    raise problem_from(answer.status, answer.body)


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _should_repeat(request: Request, answer: Optional[Answer]) -> bool:
    if answer is None or answer.status in (502, 504):
        return request.is_repeatable
    if answer.status == 429:
        return True
    if answer.status != 503:
        return False
    problem = problem_in(answer.body)
    if problem is None:
        # A health route that answers 503 with its own body has answered; a body that is no JSON comes from a proxy.
        return request.is_repeatable and not _is_json(answer.body)
    return problem["code"] == "OVERLOADED" or (request.is_repeatable and problem["code"] != "TIER_DISABLED")


def _is_json(body: bytes) -> bool:
    try:
        json.loads(body)
        return True
    except ValueError:
        return False


def _retry_after(answer: Optional[Answer]) -> float:
    """In seconds: the header is a number of them or a date."""
    given = None if answer is None else answer.headers.get("Retry-After")
    if given is None:
        return 0
    if given.isdigit():
        return float(given)
    try:
        return max(0, parsedate_to_datetime(given).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0
