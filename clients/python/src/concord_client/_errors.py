"""What a call can raise besides programming mistakes: a refusal the service explained, or no answer at all."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional


class ProblemError(Exception):
    """The service answered with a problem. `code` is stable and made for programs."""

    def __init__(self, status: int, problem: Dict[str, Any]) -> None:
        super().__init__(f"{problem['code']}: {problem['detail']}")
        self.status = status
        self.code: str = problem["code"]
        self.detail: str = problem["detail"]
        #: Which values of the request are wrong, by JSON pointer.
        self.errors: List[Dict[str, str]] = problem.get("errors") or []
        #: Names the request in the service's logs; None when a proxy answered in its place.
        self.request_id: Optional[str] = problem.get("request_id")


class ConnectionFailed(Exception):
    """The service could not be reached, or the connection broke before it answered."""


def problem_from(status: int, body: bytes) -> ProblemError:
    """Answers of proxies have no problem body; their status still says what happened."""
    problem = problem_in(body)
    if problem is None:
        code = {429: "RATE_LIMITED", 503: "OVERLOADED"}.get(status, "INTERNAL")
        problem = {"code": code, "detail": f"The answer has status {status} and is not from the service."}
    return ProblemError(status, problem)


def problem_in(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) and {"code", "status", "detail"} <= value.keys() else None
