"""The JSON Schemas in the package; `make schemas` writes them."""

from __future__ import annotations

import json
from typing import Any

from splitroute.registry import check_choice

SCHEMAS = ("instance", "solution")


def schema_text(name: str) -> str:
    """Return the text of the JSON Schema of an "instance" or a "solution"."""
    from importlib import resources

    check_choice(SCHEMAS, "schema", name)
    file = resources.files("splitroute") / "schemas" / f"{name}.schema.json"
    return file.read_text("utf-8")


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an "instance" or a "solution"."""
    data: dict[str, Any] = json.loads(schema_text(name))
    return data
