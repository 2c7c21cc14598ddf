"""`splitroute bound`, and the options of `solve` for lower bounds."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from splitroute.generate import set1


def test_bound_and_solve(run: Callable[..., Any], tmp_path: Path) -> None:
    sr.write(set1(2), path := tmp_path / "SD2.json")
    done = run("bound", path, "--time", 30, "--json")
    printed = json.loads(done.stdout)
    assert set(printed) == {"bound", "optimal", "cost", "gap", "seconds"}
    assert printed["optimal"]
    assert printed["bound"] <= printed["cost"] + 1e-6
    done = run("solve", path, "--time", 0.5, "--bound", 60, "--json")
    printed = json.loads(done.stdout)["about"]
    assert printed["optimal"]
    assert printed["gap"] == pytest.approx(0.0, abs=1e-6)
    assert "optimal" in run("bound", path, "--time", 30).stdout
    assert "bound is -1.0" in run("solve", path, "--bound", -1).stderr


def test_the_convergence_plot(run: Callable[..., Any], tmp_path: Path) -> None:
    sr.write(set1(1), path := tmp_path / "SD1.json")
    plot = tmp_path / "convergence.svg"
    done = run("solve", path, "--time", 0.3, "--bound", 5, "--plot-convergence", plot)
    assert done.exit_code == 0, done.stderr
    assert plot.read_text().startswith("<?xml")
    assert "unknown plot format '.bmp'" in run("solve", path, "--plot-convergence", "x.bmp").stderr
