"""Errors of requests, and messages for those that do not match the API description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException

from splitroute.web.models import Problem, ProblemItem

INVALID_REQUEST = "invalid_request"  # code of requests that do not match the API description
MAX_SHOWN = 40  # characters of a value in a message

# What the patterns of the API allow, for people who do not read regular expressions.
PATTERNS = {
    "id": "a job id has 32 digits and letters a to f; is the link complete?",
    "name": "control characters are not allowed",
    "benchmark": "the benchmark instances are SD1 to SD21",
}


class RequestError(HTTPException):
    """A request that is refused."""

    def __init__(
        self,
        status: int,
        detail: str,
        code: str,
        *,
        field: str | None = None,
        line: int | None = None,
        cell: str | None = None,
        value: str | None = None,
        path: str | None = None,
        errors: list[ProblemItem] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, detail, headers)
        self.problem = Problem(
            detail=detail,
            field=field,
            code=code,
            line=line,
            cell=cell,
            value=value,
            path=path,
            errors=errors,
        )


def to_problem(error: HTTPException) -> Problem:
    """Return the body of an error response; those of Starlette have the code of their status."""
    if isinstance(error, RequestError):
        return error.problem
    code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
    return Problem(detail=error.detail, code=code)


def explain(error: Mapping[str, Any], path: Sequence[int | str]) -> tuple[str, str | None]:
    """Return the message for one of pydantic's errors, and the field at fault."""
    kind, message = error["type"], str(error["msg"])
    if kind == "json_invalid":
        return f"the request is not valid JSON: {error['ctx']['error']}", None
    if kind == "unknown":
        path = [*path, error["ctx"]["name"]]
        message = "unknown field"
    field = ".".join(shorten(str(part)) for part in path)
    if kind == "string_pattern_mismatch":
        allowed = PATTERNS.get(str(path[-1]), "it has characters that are not allowed")
        message = f"found {shorten(str(error['input']))!r}; {allowed}"
    return message, field or None


def shorten(text: str) -> str:
    """Cut off a long text."""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
