"""The tour works word for word, in an empty folder, and prints what it shows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tour import follow_the_tour


def test_the_tour_works_word_for_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]
) -> None:
    """But for the installation; tests/packages has that too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    namespace: dict[str, Any] = {}

    def shell(line: str) -> str:
        program, *words = line.split()
        if program == "pip":
            return ""
        result = run(*words)
        assert result.exit_code == 0, f"{line}: {result.output}"
        return str(result.stdout)

    def python(code: str) -> None:
        exec(compile(code, "tour.md", "exec"), namespace)

    follow_the_tour(tmp_path, shell, python)
