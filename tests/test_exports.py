"""The public surface is exact."""

import subprocess
import sys

import pytest

import splitroute as sr
from public_surface import FILE, surface

SLOW = (
    "asyncio csv difflib distributed fastapi highspy http.client hybgensea importlib.metadata "
    "importlib.resources jinja2 matplotlib mcp narwhals ortools packaging pandas platformdirs "
    "polars pydantic pyvrp rich scipy sqlalchemy sqlite3 ssl subprocess tempfile typer "
    "urllib.request xml.etree.ElementTree zipfile"
)


def test_the_public_surface_is_exact() -> None:
    """See docs/reference/stability.md before you run tests/public_surface.py to change it."""
    assert surface() == FILE.read_text().splitlines()


def test_importing_loads_nothing_slow_but_numpy() -> None:
    code = f"import sys, splitroute; print([m for m in {SLOW.split()} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_a_name_that_is_not_public_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="module 'splitroute' has no attribute 'slove'"):
        _ = sr.slove  # type: ignore[attr-defined]
