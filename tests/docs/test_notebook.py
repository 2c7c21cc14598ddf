"""The example runs in a notebook: a data frame in, a map out, three lines."""

import base64
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from conftest import ROOT
from documents import blocks

EXAMPLE = ROOT / "docs" / "notebooks" / "three-lines.ipynb"
PAGE = ROOT / "docs" / "howto" / "use-in-notebooks.md"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Jupyter's own packages
def test_the_example_runs_in_a_notebook() -> None:
    notebook = nbformat.read(EXAMPLE, as_version=4)
    NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": EXAMPLE.parent}}
    ).execute()
    outputs = {cell.source: _data(cell) for cell in notebook.cells if cell.cell_type == "code"}
    setup, three_lines = list(outputs)[:2]
    assert outputs[setup] == {}
    assert len(three_lines.splitlines()) == 3
    assert base64.b64decode(outputs[three_lines]["image/png"]).startswith(b"\x89PNG")
    assert "40" in outputs["instance"]["text/html"]
    assert "<polyline" in outputs["result"]["text/html"]
    assert "Anker" in outputs["result.stops()"]["text/html"]
    assert "vehicle 1" in outputs["result.routes()"]["text/html"]


def test_the_page_shows_these_lines() -> None:
    notebook = nbformat.read(EXAMPLE, as_version=4)
    [setup, three_lines] = [c.source for c in notebook.cells if c.cell_type == "code"][:2]
    shown = [block.text.strip() for block in blocks(PAGE, "python")][:2]
    assert shown == [setup.replace("../../examples", "examples"), three_lines]


def _data(cell: Any) -> dict[str, Any]:
    """What the cell shows; a figure must not be shown twice."""
    assert len(cell.outputs) <= 1
    return dict(cell.outputs[0].data) if cell.outputs else {}
