"""Models of the JSON format, published as JSON Schema, and readable validation errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from difflib import get_close_matches
from itertools import islice
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StrictBool,
    StrictFloat,
    StrictInt,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError, from_json

from splitroute.distances import Metric
from splitroute.errors import InputError
from splitroute.formats._errors import ErrorCollector, input_error
from splitroute.formats._numbers import excerpt
from splitroute.report import json_number

MAX_KEYS = 100  # compared with the name of a missing field

Model = TypeVar("Model", bound=BaseModel)
Item = TypeVar("Item")
# Stops at the first wrong item: the errors of millions take hundreds of times their memory.
FailFastList = Annotated[list[Item], Field(fail_fast=True)]


def _require_number(value: object) -> object:
    if isinstance(value, bool | str):
        raise PydanticCustomError("number", "expected a number")
    return value


# Decimal, so that 0.1 stays 0.1; still a plain number in the file.
Amount = Annotated[
    Decimal,
    BeforeValidator(_require_number),
    PlainSerializer(lambda value: json_number(float(value)), return_type=float | int),
    WithJsonSchema({"type": "number"}),
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
            raise PydanticCustomError("unknown", "unknown field", {"name": name})
        return self


class OpenModel(BaseModel):
    """A model that ignores unknown fields, as solutions of other programs may have."""

    model_config = ConfigDict(allow_inf_nan=False)


class PlaceModel(ClosedModel):
    """Coordinates: x and y in the plane, or lat and lon on the globe."""

    x: StrictFloat | None = None
    y: StrictFloat | None = None
    lat: StrictFloat | None = None
    lon: StrictFloat | None = None


class CustomerModel(PlaceModel):
    """A customer and its demand."""

    id: str | None = None
    demand: Amount
    note: str | None = Field(default=None, description="A name or an address, for people.")


class InstanceModel(ClosedModel):
    """An instance of the split delivery vehicle routing problem."""

    name: str | None = None
    capacity: Amount
    unit: Amount | None = Field(
        default=None,
        description="All quantities are multiples of it; inferred from them by default.",
    )
    metric: Metric | None = None
    splittable: StrictBool = True
    pass_through: StrictBool = False
    vehicles: StrictInt | None = Field(
        default=None, description="Number of vehicles; unlimited by default."
    )
    depot: PlaceModel = PlaceModel()
    customers: FailFastList[CustomerModel]
    matrix: FailFastList[FailFastList[StrictFloat]] | None = Field(
        default=None,
        description="Distances between all places: the depot first, then the customers.",
    )


class VisitModel(OpenModel):
    """A visit: the number of the customer, 1..n in the order of the instance, and the quantity."""

    customer: StrictInt
    id: str | None = Field(default=None, description="Id of the customer, if it has one.")
    quantity: Amount


class RouteModel(OpenModel):
    """The visits of one vehicle, from the depot back to the depot."""

    visits: FailFastList[VisitModel]
    load: Amount | None = None
    cost: Amount | None = None


class SolutionModel(OpenModel):
    """A solution: routes of visits with quantities."""

    instance: str = ""
    metric: Metric | None = None
    cost: Amount | None = None
    routes: FailFastList[RouteModel]
    about: dict[str, Any] | None = Field(default=None, description="How the solution was found.")


# The long list of each document, and the model of its items.
ITEMS: dict[str, type[BaseModel]] = {"customers": CustomerModel, "routes": RouteModel}


def parse_model(model: type[Model], text: str, name: str) -> Model:
    """Return the model in a text, or raise all its errors in readable form."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        if error.errors(include_url=False)[0]["type"] == "json_invalid":
            raise _not_json(text, name) from None
    errors = ErrorCollector(name)
    for details in _error_details(model, from_json(text)):
        path = _path(details["loc"])
        message = f"{path}: {_message(details)}" if path else _message(details)
        errors.add(message, field=path or None, value=details["input"])
    errors.raise_any()
    raise input_error("not valid", name)


def _error_details(model: type[BaseModel], data: Any) -> Iterator[ErrorDetails]:
    """Errors of the model without its long list, followed by those of each item of the list."""
    lists = [key for key in ITEMS if isinstance(data, dict) and isinstance(data.get(key), list)]
    try:
        model.model_validate({**data, **{key: [] for key in lists}} if lists else data)
    except ValidationError as error:
        yield from error.errors(include_url=False)
    for key in lists:
        for k, item in enumerate(data[key]):
            try:
                ITEMS[key].model_validate(item)
            except ValidationError as error:
                for details in error.errors(include_url=False):
                    yield {**details, "loc": (key, k, *details["loc"])}


EXPECTED = {
    "number": "a number",
    "float_type": "a number",
    "decimal_type": "a number",
    "decimal_parsing": "a number",
    "finite_number": "a finite number that is not too large",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "string_type": "a string",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}


def _message(details: ErrorDetails) -> str:
    """Readable message of a validation error."""
    kind, found = details["type"], details["input"]
    if kind == "missing":
        name = str(details["loc"][-1])
        keys = islice(found, MAX_KEYS) if isinstance(found, dict) else []
        similar = get_close_matches(name, keys, 1)
        return f"missing; found the unknown field {similar[0]!r}" if similar else "missing"
    if kind == "unknown":
        return f"unknown field {excerpt(str(details['ctx']['name']))!r}"
    if kind == "literal_error":
        expected = f"expected one of {details['ctx']['expected']}"
    else:
        expected = f"expected {EXPECTED.get(kind, 'another value')}"
    if isinstance(found, str):
        return f"{expected}; found {excerpt(found)!r}" if found else f"{expected}; found ''"
    is_scalar = found is None or isinstance(found, bool | int | float)
    return f"{expected}; found {excerpt(json.dumps(found))}" if is_scalar else expected


def _path(parts: tuple[int | str, ...]) -> str:
    """Path in the document, such as `customers[3].demand`."""
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return path.removeprefix(".")


def _not_json(text: str, name: str) -> InputError:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return input_error(f"not valid JSON at column {error.colno}", name, error.lineno)
    except (RecursionError, ValueError):
        pass  # nested too deeply, or a number with thousands of digits
    return input_error("not valid JSON", name)
