"""`splitroute generate`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import splitroute as sr
from splitroute.generate import random_instance, set1

Run = Callable[..., Any]


def test_generate(run: Run, tmp_path: Path) -> None:
    assert run("generate", "set1", 6, "--out", tmp_path / "SD6.txt").exit_code == 0
    assert sr.read(tmp_path / "SD6.txt") == set1(6)
    command = "generate random -n 20 --capacity 50 --demand 0.7-0.9 --layout clustered --seed 4"
    printed = run(*command.split())
    assert printed.stdout.startswith("20 50\n")
    run(*command.split(), "--out", tmp_path / "it.json")
    instance = sr.read(tmp_path / "it.json")
    same = random_instance(20, capacity=50, low=0.7, high=0.9, layout="clustered", seed=4)
    assert instance == same
