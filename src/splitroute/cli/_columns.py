"""The option --columns."""

import re

from splitroute.errors import InputError


def parse_columns(text: str) -> dict[str, str]:
    """Return titles by what they hold; a title may contain commas."""
    columns: dict[str, str] = {}
    for pair in re.split(r",(?=\s*\w+\s*=)", text):
        key, equals, title = (part.strip() for part in pair.partition("="))
        if not equals or not key or not title or key in columns:
            message = f"columns is {text}; it must be a list such as demand=Weight,id=Code"
            raise InputError(message, field="columns", value=text)
        columns[key] = title
    return columns
