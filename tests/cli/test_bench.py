"""The commands `bench run` and `bench table`, and the help of all `bench` commands."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from splitroute.cli.bench import COMMANDS

RUN = ("bench", "run", "--instances", "SD1,SD2,SD3", "--methods", "native,pasa:L=3+rtr")


@pytest.fixture(autouse=True)
def _no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPLITROUTE_INSTANCES", "/nonexistent")


def test_runs_are_recorded_once_and_tabulated(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    options = ("--iterations", 100, "--records", path)
    done = run(*RUN, *options)
    assert done.exit_code == 0
    assert "3 instances, 6 runs, 0 already recorded" in done.stderr
    assert "6 new records, 0 failed" in done.stderr
    assert "6 already recorded" in run(*RUN, *options).stderr
    table = run("bench", "table", "--records", path)
    assert "Table 2 of the paper: SET-1, metric exact" in table.stdout
    assert "average" in table.stdout
    assert "Table 2" not in run("bench", "table", "--records", path, "--overview").stdout


def test_instances_can_be_separated_by_spaces(run: Callable[..., Any], tmp_path: Path) -> None:
    options = ("--methods", "native", "--iterations", 10, "--records", tmp_path / "r.jsonl")
    done = run("bench", "run", "--instances", "SD1", "SD2", *options)
    assert "2 instances" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--seeds", "a"),
            "seeds is 'a'; write for example 1-3 or 1,5, at most 10,000 seeds (--seeds)",
        ),
        (("--seeds", "1-99999999999999999999"), "at most 10,000 seeds (--seeds)"),
        (
            ("--seeds", ""),
            "seeds is ''; write for example 1-3 or 1,5, at most 10,000 seeds (--seeds)",
        ),
        (("--time", "1", "--iterations", "5"), "time and iterations are mutually exclusive"),
        (("--metric", "miles"), "unknown metric 'miles'"),
        (("--time", "-1"), "seconds is -1.0; it must be a number above 0"),
        (("--jobs", "0"), "it must be from 1 to 1024"),
        (("--cluster", "local:x"), "write local:4"),
        (
            ("--methods", "pasa+vrph:program=nowhere"),
            "the program 'nowhere' of VRPH is not installed",
        ),
    ],
)
def test_invalid_options_get_one_message(
    run: Callable[..., Any], tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    done = run("bench", "run", "--instances", "SD1", "--methods", "native",
               "--records", tmp_path / "r.jsonl", *options)  # fmt: skip
    assert done.exit_code == (3 if "installed" in message else 2)
    assert message in done.stderr
    assert isinstance(done.exception, SystemExit)


@pytest.mark.parametrize("module", COMMANDS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_the_help_has_an_example_and_groups(run: Callable[..., Any], module: Any) -> None:
    name = module.__name__.rpartition(".")[2].replace("_", "-")
    text = run("bench", name, "--help").stdout
    assert f"Example: splitroute bench {name}" in text
    assert "─ Input ─" in text
    assert "--no-" not in text
