"""What is wrong with a request that is not as described, in words for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

INVALID = "invalid_request"  # the code of such errors
MAX_SHOWN = 40  # characters of what was found

# What a pattern of the API asks for; people do not read regular expressions.
PATTERNS = {
    "id": "a job's id has 32 digits and letters from a to f; is the link complete?",
    "name": "control characters are not allowed",
    "benchmark": "the benchmark has SD1 to SD21",
}


def explain(error: Mapping[str, Any], path: Sequence[int | str]) -> tuple[str, str | None]:
    """What is wrong, and the field of the request that it is about."""
    kind, why = error["type"], str(error["msg"])
    if kind == "json_invalid":
        return f"the request is no JSON: {error['ctx']['error']}", None
    if kind == "unknown":
        path = [*path, error["ctx"]["name"]]
        why = "unknown field"
    field = ".".join(shortened(str(part)) for part in path)
    if kind == "string_pattern_mismatch":
        allowed = PATTERNS.get(str(path[-1]), "it has characters it may not have")
        why = f"found {shortened(str(error['input']))!r}; {allowed}"
    return (f"{field}: {why}", field) if field else (why, None)


def shortened(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
