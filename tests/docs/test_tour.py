"""The tour works word for word, in an empty folder, and prints what it shows."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from documents import blocks, commands

TOUR = ROOT / "docs" / "tour.md"


def test_the_tour_works_word_for_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    [table] = blocks(TOUR, "csv")
    Path("shops.csv").write_text(table.text)
    printed = ""
    namespace: dict[str, Any] = {}
    for block in blocks(TOUR, "sh", "console", "python"):
        for words in commands(block.text, "splitroute"):
            result = run(*words)
            assert result.exit_code == 0, f"{' '.join(words)}: {result.output}"
            printed = result.stdout
        if block.language == "console":
            assert _without_times(printed) == _without_times(block.text.partition("\n")[2])
        elif block.language == "python":
            exec(compile(block.text, "tour.md", "exec"), namespace)
    assert "optimal (proven)" in printed
    assert Path("sheets.html").stat().st_size > 0
    assert "<h2>Visits</h2>" in Path("solution.html").read_text()


def _without_times(output: str) -> list[str]:
    lines = (line.rstrip() for line in output.splitlines())
    return [re.sub(r"\d+\.\d s\b", "0.0 s", line) for line in lines if line]
