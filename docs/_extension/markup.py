"""Pieces of Markdown for pages that the code writes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any


def text(value: object) -> str:
    """Return a help text as one line of Markdown, with options such as --out as code."""
    plain = re.sub(r"\s+", " ", str(value or "")).strip()
    quoted = re.sub(r"``?([^`]+)``?", r"`\1`", plain)
    quoted = re.sub(r"`[^`]*`|--[a-z-]+", lambda code: f"`{code[0].strip('`')}`", quoted)
    parts = re.split(r"(`[^`]*`)", quoted)
    return "".join(p if p.startswith("`") else re.sub(r"([*_<\[\]|])", r"\\\1", p) for p in parts)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a table, or nothing if there are no rows."""
    lines = ["| " + " | ".join(row) + " |\n" for row in rows]
    if lines:
        yield f"\n| {' | '.join(head)} |\n|{'---|' * len(head)}\n"
        yield from lines


def fields(schema: dict[str, Any]) -> Iterator[str]:
    """Yield a table of the fields of a JSON Schema."""
    required = schema.get("required", [])
    rows = []
    for name, part in schema.get("properties", {}).items():
        shown = f"**`{name}`**" if name in required else f"`{name}`"
        default = part.get("default")
        about = text(part.get("description"))
        if default not in (None, "", [], {}):
            about = f"{about} Default: `{default}`.".strip()
        rows.append((shown, kind(part), about))
    yield from table(("field", "type", "meaning"), rows)


def definition(name: str, schema: dict[str, Any]) -> Iterator[str]:
    """Yield a section about one of the types that others refer to."""
    yield f"\n### {title(name)}\n\n{text(schema.get('description'))}\n"
    yield from fields(schema)


def title(name: str) -> str:
    """Return the name of a type without what only the code needs."""
    return name.removesuffix("Model")


def kind(schema: dict[str, Any]) -> str:
    """Return the type that a JSON Schema describes, with links to those that have a section."""
    if "$ref" in schema:
        name = title(schema["$ref"].rpartition("/")[2])
        return f"[{name}](#{name.lower()})"
    options = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    if options:
        kinds = dict.fromkeys(kind(option) for option in options if option.get("type") != "null")
        return " or ".join(kinds)
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        return f"list of {kind(schema.get('items', {}))}"
    return _with_limits(schema.get("type", "any value"), schema)


def _with_limits(name: str, schema: dict[str, Any]) -> str:
    words = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    limits = [f"{sign} {schema[key]:,}" for key, sign in words.items() if key in schema]
    return " ".join([name, ", ".join(limits)]).strip()
