"""Consoles that print texts as they are."""

from typing import Any

from rich.console import Console


def plain_console(**options: Any) -> Console:
    """Return a console without markup and emoji codes: `a.csv:100:` names a line."""
    return Console(markup=False, emoji=False, **options)
