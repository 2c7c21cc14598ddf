"""Parse JSON into its models, with readable errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, from_json

from splitroute.errors import InputError
from splitroute.formats._errors import ErrorCollector, input_error
from splitroute.formats._models import CustomerModel, DepotModel, RouteModel, VehicleModel
from splitroute.formats._numbers import excerpt
from splitroute.formats._times import CLOCK_EXAMPLE
from splitroute.report import json_number

MAX_KEYS = 100  # compared with the name of a missing field

Model = TypeVar("Model", bound=BaseModel)

# The lists of the documents, and the models of their items.
ITEMS: dict[str, type[BaseModel]] = {
    "depots": DepotModel,
    "vehicles": VehicleModel,
    "customers": CustomerModel,
    "routes": RouteModel,
}


def parse_model(
    model: type[Model], text: str, name: str, items: Mapping[str, type[BaseModel]] = ITEMS
) -> Model:
    """Return the model in a text, or raise all its errors in readable form.

    `items` are the models of the items of its lists.
    """
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        if error.errors(include_url=False)[0]["type"] == "json_invalid":
            raise not_json(text, name) from None
    errors = ErrorCollector(name)
    for details in _error_details(model, from_json(text), items):
        path = _path(details["loc"])
        message = f"{path}: {_message(details)}" if path else _message(details)
        errors.add(message, field=path or None, value=details["input"])
    errors.raise_any()
    raise input_error("not valid", name)


def _error_details(
    model: type[BaseModel], data: Any, items: Mapping[str, type[BaseModel]]
) -> Iterator[ErrorDetails]:
    """Errors of the model without its lists, followed by those of each item of the lists."""
    fields = data if isinstance(data, dict) else {}
    lists = [key for key in items if key in model.model_fields and type(fields.get(key)) is list]
    try:
        model.model_validate({**data, **{key: [] for key in lists}} if lists else data)
    except ValidationError as error:
        yield from error.errors(include_url=False)
    for key in lists:
        for k, item in enumerate(data[key]):
            try:
                items[key].model_validate(item)
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
    "time": CLOCK_EXAMPLE,
    "window": 'two times, such as [480, 600] or ["08:00", "10:00"]',
}
LIMITS = {
    "greater_than_equal": ("ge", "of at least"),
    "greater_than": ("gt", "above"),
    "less_than_equal": ("le", "of at most"),
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
        hint = f"; did you mean {similar!r}?" if (similar := details["ctx"]["similar"]) else ""
        return f"unknown field {excerpt(str(details['ctx']['name']))!r}{hint}"
    if kind == "value":
        return details["msg"]
    if kind in LIMITS:
        name, limit = LIMITS[kind]
        expected = f"expected a number {limit} {json_number(details['ctx'][name])}"
    elif kind == "literal_error":
        expected = f"expected one of {details['ctx']['expected']}"
    else:
        expected = f"expected {EXPECTED.get(kind, 'another value')}"
    if isinstance(found, str):
        return f"{expected}; found {excerpt(found)!r}" if found else f"{expected}; found ''"
    is_scalar = found is None or isinstance(found, bool | int | float)
    return f"{expected}; found {excerpt(json.dumps(found))}" if is_scalar else expected


def _path(parts: tuple[int | str, ...]) -> str:
    """Path in the document, such as `customers[3].demand`; tags of unions are left out."""
    path = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}"
        for part in parts
        if not str(part).startswith("<")
    )
    return path.removeprefix(".")


def not_json(text: str, name: str) -> InputError:
    """Return the error about a text that is not JSON, with its line."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return input_error(f"not valid JSON at column {error.colno}", name, error.lineno)
    except (RecursionError, ValueError):
        pass  # nested too deeply, or a number with thousands of digits
    return input_error("not valid JSON", name)
