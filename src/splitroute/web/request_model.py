"""What all models of request bodies have in common."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, model_validator

from splitroute.formats._model_types import ClosedModel


class RequestModel(ClosedModel):
    """A request body: no unknown fields, and no "5" or true for a number."""

    model_config = ConfigDict(strict=True)

    @model_validator(mode="before")
    @classmethod
    def _accept_integral_floats(cls, data: Any) -> Any:
        """Turn 5.0 into 5, which JSON Schema counts as an integer."""
        if not isinstance(data, dict):
            return data
        return {name: _as_integer(value) for name, value in data.items()}


def _as_integer(value: Any) -> Any:
    is_integral = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if is_integral else value
