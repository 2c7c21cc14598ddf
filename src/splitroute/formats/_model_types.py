"""Types of the fields of the JSON format, and the bases of its models."""

from __future__ import annotations

from decimal import Decimal
from difflib import get_close_matches
from typing import Annotated, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    StrictFloat,
    StrictInt,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from splitroute import roads
from splitroute.formats._numbers import finite
from splitroute.formats._times import parse_clock, to_minutes
from splitroute.registry import names
from splitroute.report import json_number

Item = TypeVar("Item")
# Stops at the first wrong item: the errors of millions take hundreds of times their memory.
FailFastList = Annotated[list[Item], Field(fail_fast=True)]


def _require_number(value: object) -> object:
    if isinstance(value, bool | str):
        raise PydanticCustomError("number", "expected a number")
    return value


def _require_time(value: object) -> float | str:
    if isinstance(value, str) and parse_clock(value) is not None:
        return value
    number = finite(value)
    if number is not None and abs(number) < 1e300:
        return number
    raise PydanticCustomError("time", "expected a time")


def _require_duration(value: object) -> float | str:
    duration = _require_time(value)
    if to_minutes(duration) < 0:
        raise PydanticCustomError("greater_than_equal", "too small", {"ge": 0})
    return duration


def _require_window(value: object) -> list[float | str]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise PydanticCustomError("window", "expected two times")
    first, last = (_require_time(time) for time in value)
    if to_minutes(last) < to_minutes(first):
        context = {"first": str(value[0]), "last": str(value[1])}
        raise PydanticCustomError("value", "ends at {last}, before it starts at {first}", context)
    return [first, last]


def _require_road_program(value: str) -> str:
    if value not in (known := names(roads)):
        context = {"expected": ", ".join(map(repr, known))}
        raise PydanticCustomError("literal_error", "unknown program", context)
    return value


# Decimal, so that 0.1 stays 0.1; still a plain number in the file.
Amount = Annotated[
    Decimal,
    BeforeValidator(_require_number),
    PlainSerializer(lambda value: json_number(float(value)), return_type=float | int),
    WithJsonSchema({"type": "number"}),
]
NonNegative = Annotated[StrictFloat, Field(ge=0)]
Count = Annotated[StrictInt, Field(ge=1)]
RoadProgram = Annotated[str, AfterValidator(_require_road_program)]
CLOCK_SCHEMA = {"type": "string", "pattern": r"^\d{1,2}:[0-5]\d(:[0-5]\d)?$"}
TIME_SCHEMA = {"anyOf": [{"type": "number"}, CLOCK_SCHEMA]}
Duration = Annotated[
    float | str,
    PlainValidator(_require_duration),
    WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0}, CLOCK_SCHEMA]}),
]
Window = Annotated[
    list[float | str],
    PlainValidator(_require_window),
    WithJsonSchema({"type": "array", "items": TIME_SCHEMA, "minItems": 2, "maxItems": 2}),
]


class ClosedModel(BaseModel):
    """A model that rejects unknown fields."""

    # Not extra="forbid": that makes one error per unknown field, and there may be millions.
    model_config = ConfigDict(
        extra="allow", allow_inf_nan=False, json_schema_extra={"additionalProperties": False}
    )

    @model_validator(mode="after")
    def _reject_unknown(self) -> ClosedModel:
        for name in self.model_extra or ():
            similar = get_close_matches(name, type(self).model_fields, 1)
            context = {"name": name, "similar": similar[0] if similar else ""}
            raise PydanticCustomError("unknown", "unknown field", context)
        return self


class OpenModel(BaseModel):
    """A model that ignores unknown fields, as solutions of other programs may have."""

    model_config = ConfigDict(allow_inf_nan=False)
