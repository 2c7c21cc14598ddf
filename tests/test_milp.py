"""Small integer programs, and what follows from the statuses of HiGHS."""

import logging
from typing import Any

import pytest
from highspy import HighsModelStatus

from splitroute.milp import OUTCOMES, WAYS, Outcome, Program, new_solver, run
from statuses import inject


def small_program() -> Any:
    """A program whose optimum is 3."""
    solver = new_solver()
    column = solver.addVariable(0.0, 5.0, 1.0)
    solver.addConstr(column >= 3)
    return solver


def test_the_cheapest_solution_is_found() -> None:
    program = Program(None)
    first, second = program.add_integer(3.0, 5), program.add_integer(2.0, 1)
    program.require_at_least([first, second], 3)
    assert program.solve(100.0) == pytest.approx([2, 1])


def test_no_solution_below_the_cutoff() -> None:
    for cutoff, is_found in ((8.5, True), (8.0, False)):
        program = Program(1.0)
        first, second = program.add_integer(3.0, 5), program.add_integer(2.0, 1)
        program.require_at_least([first, second], 3)
        assert (program.solve(cutoff) is not None) == is_found


def test_an_infeasible_program_has_no_solution() -> None:
    program = Program(None)
    column = program.add_integer(1.0, 2)
    program.require_equal([column], 3)
    assert program.solve(100.0) is None


def test_a_limit_may_be_a_multiple_of_a_column() -> None:
    program = Program(None)
    is_open, load = program.add_integer(5.0, 1), program.add_continuous(10)
    program.require_at_most([load], 8.0, times=is_open)
    program.require_equal([load], 7)
    assert program.solve(100.0) == pytest.approx([1, 7])


def test_a_column_can_be_subtracted() -> None:
    program = Program(None)
    column, other = program.add_integer(1.0, 9), program.add_integer(0.0, 4)
    program.require_equal([other], 4)
    program.require_at_least([column], 2, minus=other)
    assert program.solve(100.0) == pytest.approx([6, 4])


@pytest.mark.parametrize("status", sorted(set(HighsModelStatus.__members__) - set(OUTCOMES)))
def test_no_unexpected_status_is_taken_for_a_verdict(
    status: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    statuses = inject(monkeypatch, [status] * 2)
    with caplog.at_level(logging.INFO, "splitroute"):
        assert run(small_program()) is Outcome.OPTIMAL
    assert not statuses
    assert f"HiGHS: {status}, {status}, but kOptimal" in caplog.text
    inject(monkeypatch, [status] * len(WAYS))
    with caplog.at_level(logging.WARNING, "splitroute"):
        assert run(small_program()) is Outcome.FAILED
    assert "could not solve" in caplog.text


def test_a_time_limit_is_believed_only_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    inject(monkeypatch, ["kTimeLimit"])
    assert run(small_program(), 60.0) is Outcome.OPTIMAL
    inject(monkeypatch, ["kTimeLimit"])
    assert run(small_program(), 0.0) is Outcome.STOPPED
    inject(monkeypatch, ["kUnknown"] * 9)
    assert run(small_program(), 0.0) is Outcome.STOPPED


@pytest.mark.parametrize(("status", "outcome"), OUTCOMES.items())
def test_expected_statuses(status: str, outcome: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    inject(monkeypatch, [status])
    assert run(small_program(), 0.0) is outcome


def test_a_program_is_solved_after_an_unknown_status(monkeypatch: pytest.MonkeyPatch) -> None:
    inject(monkeypatch, ["kUnknown"])
    program = Program(None)
    column = program.add_integer(1.0, 5)
    program.require_at_least([column], 3)
    assert program.solve(100.0) == pytest.approx([3])
    inject(monkeypatch, ["kSolveError"] * 9)
    assert program.solve(100.0) is None
