"""`splitroute split`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import splitroute as sr
from splitroute.generate import random_instance, set1
from splitroute.report import split_plan_facts

Run = Callable[..., Any]


def test_split_prints_the_split_plan(run: Run, tmp_path: Path) -> None:
    sr.write(set1(6), tmp_path / "SD6.txt")
    command = ("split", tmp_path / "SD6.txt", "--rule", "pasa", "--levels", 2, "--base", 2)
    facts = json.loads(run(*command, "--json").stdout)
    assert facts == split_plan_facts(sr.split(set1(6), levels=2, base=2))
    text = run(*command).stdout
    assert "gcd 10, mean demand 7.50 gcd, s_max 3" in text
    assert "80/40/20/10" in text
    assert "72 pieces in total" in text


def test_split_by_coins(run: Run, tmp_path: Path) -> None:
    sr.write(random_instance(5, capacity=140), tmp_path / "it.txt")
    command = ("split", tmp_path / "it.txt", "--rule", "coins", "--coins", "25/10/5/1", "--json")
    facts = json.loads(run(*command).stdout)
    assert facts["levels"] == [[1.4, 7, 14, 35]]
    assert facts["s_max"] is None


def test_a_rule_without_levels_prints_no_table(run: Run, sd1: Path) -> None:
    text = run("split", sd1, "--rule", "free").stdout
    assert "pieces in total" in text
    assert "denominations" not in text


def test_options_of_a_rule_follow_colons(run: Run, sd1: Path) -> None:
    given = run("split", sd1, "--rule", "pasa", "--levels", 3)
    assert given.exit_code == 0
    assert run("split", sd1, "--rule", "pasa:levels=3").stdout == given.stdout


def test_automatic_levels_need_solve(run: Run, sd1: Path) -> None:
    for options in (["--levels", "auto"], ["--rule", "pasa:L=auto"]):
        result = run("split", sd1, *options)
        assert result.exit_code == 2
        assert "levels 'auto' needs solve, which runs an engine" in result.stderr
    result = run("split", sd1, "--levels", "many")
    assert result.exit_code == 2
    assert "levels is 'many'; it must be a whole number or 'auto' (--levels)" in result.stderr
