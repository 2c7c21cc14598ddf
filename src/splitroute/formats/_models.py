"""The models of our own JSON, which are published as JSON Schema, and what is wrong with a text."""

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
from splitroute.formats._faults import Faults
from splitroute.formats._numbers import shown
from splitroute.report import number

Model = TypeVar("Model", bound=BaseModel)


MAX_KEYS = 100  # that are compared with a field that is missing

Item = TypeVar("Item")
# It stops at the first wrong item: millions of them take hundreds of times their own memory.
FewErrors = Annotated[list[Item], Field(fail_fast=True)]


def _only_number(value: object) -> object:
    if isinstance(value, bool | str):
        raise PydanticCustomError("number", "a number is expected")
    return value


# Decimal, because 0.1 must stay 0.1; a plain number in the file all the same.
Amount = Annotated[
    Decimal,
    BeforeValidator(_only_number),
    PlainSerializer(lambda value: number(float(value)), return_type=float | int),
    WithJsonSchema({"type": "number"}),
]


class ClosedModel(BaseModel):
    """Refuses fields that it does not know."""

    # Unknown fields are kept and then refused at once; forbidden, each would be another error.
    model_config = ConfigDict(
        extra="allow", allow_inf_nan=False, json_schema_extra={"additionalProperties": False}
    )

    @model_validator(mode="after")
    def _check_known(self) -> ClosedModel:
        for name in self.model_extra or ():
            raise PydanticCustomError("unknown", "unknown field", {"name": name})
        return self


class _Loose(BaseModel):
    """Solutions may say more than we know."""

    model_config = ConfigDict(allow_inf_nan=False)


class PlaceModel(ClosedModel):
    """Where something is: x and y in the plane, or lat and lon on the globe."""

    x: StrictFloat | None = None
    y: StrictFloat | None = None
    lat: StrictFloat | None = None
    lon: StrictFloat | None = None


class CustomerModel(PlaceModel):
    """A customer and its demand."""

    id: str | None = None
    demand: Amount
    note: str | None = Field(default=None, description="For people: a name, an address.")


class InstanceModel(ClosedModel):
    """A split delivery vehicle routing problem."""

    name: str | None = None
    capacity: Amount
    unit: Amount | None = Field(
        default=None,
        description="What all quantities are multiples of; inferred from them if left out.",
    )
    metric: Metric | None = None
    splittable: StrictBool = True
    pass_through: StrictBool = False
    vehicles: StrictInt | None = Field(
        default=None, description="How many there are; as many as it takes if left out."
    )
    depot: PlaceModel = PlaceModel()
    customers: FewErrors[CustomerModel]
    matrix: FewErrors[FewErrors[StrictFloat]] | None = Field(
        default=None,
        description="Distances between all places, depot first, then customers in order.",
    )


class VisitModel(_Loose):
    """A stop: the customer's number (1..n in the order of the instance) and what it gets."""

    customer: StrictInt
    id: str | None = Field(default=None, description="The customer's own id, where it has one.")
    quantity: Amount


class RouteModel(_Loose):
    """The stops of one vehicle, from the depot back to the depot."""

    visits: FewErrors[VisitModel]
    load: Amount | None = None
    cost: Amount | None = None


class SolutionModel(_Loose):
    """A solution: who is served by which vehicle with how much."""

    instance: str = ""
    metric: Metric | None = None
    cost: Amount | None = None
    routes: FewErrors[RouteModel]
    about: dict[str, Any] | None = Field(default=None, description="How the solution was made.")


def validated(kind: type[Model], text: str, name: str) -> Model:
    """The model in a text, or an error that says all that is wrong with it in our own words."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        if error.errors(include_url=False)[0]["type"] == "json_invalid":
            raise _not_json(text, name) from None
    faults = Faults(name)
    for details in _details(kind, from_json(text)):
        path = _path(details["loc"])
        said = f"{path}: {_words(details)}" if path else _words(details)
        faults.add(said, field=path or None, value=details["input"])
    faults.check()
    raise InputError(f"{name}: not valid")


ITEMS: dict[str, type[BaseModel]] = {"customers": CustomerModel, "routes": RouteModel}


def _details(kind: type[BaseModel], data: Any) -> Iterator[ErrorDetails]:
    """What is wrong with the whole, and then with every item of its long list."""
    lists = [key for key in ITEMS if isinstance(data, dict) and isinstance(data.get(key), list)]
    try:
        kind.model_validate({**data, **{key: [] for key in lists}} if lists else data)
    except ValidationError as error:
        yield from error.errors(include_url=False)
    for key in lists:
        for k, item in enumerate(data[key]):
            try:
                ITEMS[key].model_validate(item)
            except ValidationError as error:
                for details in error.errors(include_url=False):
                    yield {**details, "loc": (key, k, *details["loc"])}


WORDS = {
    "number": "a number is expected",
    "float_type": "a number is expected",
    "decimal_type": "a number is expected",
    "decimal_parsing": "a number is expected",
    "finite_number": "a number that is finite and not too large is expected",
    "int_type": "a whole number is expected",
    "bool_type": "true or false is expected",
    "string_type": "a text is expected",
    "list_type": "a list is expected",
    "dict_type": "an object is expected",
    "model_type": "an object is expected",
    "model_attributes_type": "an object is expected",
}


def _words(details: ErrorDetails) -> str:
    """What is wrong, in our own words."""
    kind, found = details["type"], details["input"]
    if kind == "missing":
        name = str(details["loc"][-1])
        keys = islice(found, MAX_KEYS) if isinstance(found, dict) else []
        near = get_close_matches(name, keys, 1)
        return f"missing; {near[0]!r} is not known" if near else "missing"
    if kind == "unknown":
        return f"unknown field {shown(str(details['ctx']['name']))!r}"
    if kind == "literal_error":
        said = f"one of {details['ctx']['expected']} is expected"
    else:
        said = WORDS.get(kind, "another value is expected")
    if isinstance(found, str):
        return f"{said}; found {shown(found)!r}" if found else f"{said}; found an empty text"
    simple = found is None or isinstance(found, bool | int | float)
    return f"{said}; found {shown(json.dumps(found))}" if simple else said


def _path(parts: tuple[int | str, ...]) -> str:
    """Where in the document: customers[3].demand."""
    named = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return named.removeprefix(".")


def _not_json(text: str, name: str) -> InputError:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        return InputError(f"{name}:{line}: not valid JSON at column {column}", line=line)
    except (RecursionError, ValueError):
        pass  # nested too deeply, or a number of thousands of digits
    return InputError(f"{name}: not valid JSON")
