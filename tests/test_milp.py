"""Small integer programs."""

import pytest

from splitroute.milp import Program

pytest.importorskip("highspy")


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
