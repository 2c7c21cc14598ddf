"""Follows the tour as a reader would: all blocks in order, with the output that it shows."""

import re
from collections.abc import Callable
from pathlib import Path

from conftest import ROOT
from documents import blocks

TOUR = ROOT / "docs" / "tour.md"


def follow_the_tour(
    folder: Path, shell: Callable[[str], str], python: Callable[[str], object]
) -> None:
    """Run commands with `shell`, which returns what they print, and snippets with `python`."""
    [table] = blocks(TOUR, "csv")
    (folder / "shops.csv").write_text(table.text)
    printed = ""
    for block in blocks(TOUR, "sh", "console", "python"):
        if block.language == "python":
            python(block.text)
            continue
        for line in block.text.splitlines():
            if block.language == "sh" or line.startswith("$ "):
                printed = shell(line.removeprefix("$ "))
        if block.language == "console":
            assert _without_times(printed) == _without_times(block.text.partition("\n")[2])
    assert "optimal (proven)" in printed
    assert (folder / "sheets.html").stat().st_size > 0
    assert "<h2>Visits</h2>" in (folder / "solution.html").read_text()


def _without_times(output: str) -> list[str]:
    lines = (line.rstrip() for line in output.splitlines())
    return [re.sub(r"\d+\.\d s\b", "0.0 s", line) for line in lines if line]
