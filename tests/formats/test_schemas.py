"""The JSON Schemas in the package describe what is written, field by field."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import splitroute as sr
from conftest import ROOT
from splitroute.formats.json import schemas

EXAMPLES = ROOT / "examples"
DRINKS = (
    "drinks.csv",
    "--depots",
    EXAMPLES / "drinks-depots.csv",
    "--fleet",
    EXAMPLES / "drinks-fleet.csv",
)


@pytest.mark.parametrize("name", ["instance", "solution"])
def test_they_are_current(name: str) -> None:
    assert sr.schema(name) == schemas()[name], "run: make schemas"


def test_others_are_unknown() -> None:
    with pytest.raises(sr.InputError, match="unknown schema 'route'; known: instance, solution"):
        sr.schema("route")


def test_the_command_prints_them(run: Callable[..., Any]) -> None:
    assert json.loads(run("schema", "solution").stdout) == sr.schema("solution")


def undescribed(data: Any, schema: dict[str, Any], root: dict[str, Any]) -> Iterator[str]:
    """Fields of a document that its schema does not name."""
    options = [schema, *schema.get("anyOf", ())]
    options = [root["$defs"][o["$ref"].split("/")[-1]] if "$ref" in o else o for o in options]
    if isinstance(data, list):
        items: dict[str, Any] = next((o["items"] for o in options if "items" in o), {})
        for item in data:
            yield from undescribed(item, items, root)
    elif isinstance(data, dict):
        known = {k: v for o in options for k, v in o.get("properties", {}).items()}
        is_open = any("additionalProperties" in o and o["additionalProperties"] for o in options)
        for key, value in data.items():
            if key in known:
                yield from undescribed(value, known[key], root)
            elif not is_open:
                yield key


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", EXAMPLES / "bakery.csv", "--baseline", "--date", "2026-11-17"),
        ("solve", EXAMPLES / DRINKS[0], *DRINKS[1:]),
        ("solve", EXAMPLES / "bakery.csv", "--vehicles", 3, "--partial"),
        ("improve", EXAMPLES / "bakery.csv", "given.csv"),
    ],
    ids=["baseline", "fleet", "partial", "improve"],
)
def test_solutions_are_described(
    arguments: tuple[Any, ...],
    run: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "given.csv").write_text("route,number,quantity\n1,1,5\n")
    done = run(*arguments, "--time", 0.2, "--json")
    assert done.exit_code == 0, done.stderr
    data, schema = json.loads(done.stdout), sr.schema("solution")
    jsonschema.validate(data, schema)
    assert list(undescribed(data, schema, schema)) == []
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "routes": 3}, schema)
    assert list(undescribed({**data, "about": {"x": 1}}, schema, schema)) == ["x"]
