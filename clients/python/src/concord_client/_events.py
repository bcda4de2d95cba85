"""An event stream that never ends by itself.

A connection that breaks, falls silent or is closed by a stopping server is opened again after the last event that
arrived, so that no event is lost and none comes twice. What the service refuses for good is raised.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Optional, Tuple

from ._errors import ProblemError, problem_from

#: The service sends a comment at least every 15 seconds: a connection silent for thrice that is dead.
SILENCE = 45.0
_longest_pause = 10.0

#: Opens the stream after an event.
OpenStream = Callable[[str], Tuple[http.client.HTTPConnection, http.client.HTTPResponse]]


@dataclass
class Frame:
    id: Optional[str] = None
    data: Optional[str] = None
    retry: Optional[float] = None


def follow(open_stream: OpenStream, after: str, stop: threading.Event) -> Iterator[Any]:
    cursor, retry, failures = after, 1.0, 0
    while not stop.is_set():
        try:
            connection, response = open_stream(cursor)
            try:
                if response.status != 200:
                    raise problem_from(response.status, response.read())
                for frame in _frames(response, stop):
                    failures = 0
                    retry = retry if frame.retry is None else frame.retry
                    cursor = cursor if frame.id is None else frame.id
                    if frame.data is not None:
                        yield json.loads(frame.data)
            finally:
                # Also reached when the reader stops in the middle: the connection must not stay behind.
                connection.close()
        except ProblemError as problem:
            if _is_final(problem):
                raise
        except (OSError, http.client.HTTPException):
            # Broken: it is opened again below.
            pass
        failures += 1
        stop.wait(retry / 2 + random.random() * min(_longest_pause, retry * 2 ** min(failures - 1, 10)))


def _is_final(problem: ProblemError) -> bool:
    """What another attempt cannot change."""
    if problem.status < 500:
        return problem.status not in (408, 429)
    return problem.code == "TIER_DISABLED"


def _frames(response: http.client.HTTPResponse, stop: threading.Event) -> Iterator[Frame]:
    """A frame counts once it is whole; with an id or a retry alone it moves the cursor without being an event."""
    frame = Frame()
    while not stop.is_set():
        line = response.readline()
        if not line.endswith(b"\n"):
            return
        text = line.decode().rstrip("\r\n")
        if text == "":
            if frame != Frame():
                yield frame
            frame = Frame()
        elif not text.startswith(":"):
            _take(frame, text)


def _take(frame: Frame, line: str) -> None:
    name, _, value = line.partition(":")
    value = value[1:] if value.startswith(" ") else value
    if name == "id":
        frame.id = value
    elif name == "data":
        frame.data = value if frame.data is None else f"{frame.data}\n{value}"
    elif name == "retry" and value.isdigit():
        frame.retry = int(value) / 1000
