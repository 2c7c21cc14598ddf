"""`splitroute plot`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.parametrize("name", ["it.png", "it.svg", "it.pdf"])
def test_plot(run: Run, sd1: Path, name: str, tmp_path: Path) -> None:
    run("solve", sd1, "--iterations", 50, "--out", tmp_path / "s.json")
    result = run("plot", sd1, tmp_path / "s.json", "--out", tmp_path / name, "--show-rings")
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / name).stat().st_size > 5000
