"""Notebooks run; the first is a data frame in, a map out, three lines."""

import base64
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from conftest import ROOT
from documents import blocks

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
EXAMPLE = ROOT / "docs" / "notebooks" / "three-lines.ipynb"
jupyter_warns = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of its own packages
PAGE = ROOT / "docs" / "howto" / "use-in-notebooks.md"


def _executed(path: Path) -> Any:
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": path.parent}}).execute()
    return notebook


@jupyter_warns
@pytest.mark.parametrize("path", [p for p in NOTEBOOKS if p != EXAMPLE], ids=lambda p: p.stem)
def test_notebooks_run_without_a_word_of_warning(path: Path) -> None:
    cells = [cell for cell in _executed(path).cells if cell.cell_type == "code"]
    assert len(cells) > 5
    streams = [out for cell in cells for out in cell.outputs if out.output_type == "stream"]
    assert [out.text for out in streams if out.name == "stderr"] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_the_repository_has_no_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)


@jupyter_warns
def test_the_example_runs_in_a_notebook() -> None:
    notebook = _executed(EXAMPLE)
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
