"""Validator, costs, timetable and search against brute force on tiny instances with rules."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import splitroute as sr
from oracle import optimum as plain_optimum
from rich_instances import rich_instance
from rich_oracle import Optimum, optimum
from rich_trips import all_windows
from rich_verdicts import judge
from splitroute.instance import VehicleType
from splitroute.instance.feasibility import Feasibility
from splitroute.instance.rules import RULES
from splitroute.solution import rank
from splitroute.validation import Claims, validate

SAMPLE = range(150)  # of the 2,000 instances of `benchmarks/oracle.py`
MIN_EQUAL = 0.9  # share of the sample; see `benchmarks/oracle.py`
MIN_USES = 5  # of each rule in the sample


@pytest.fixture(scope="module")
def optima() -> list[tuple[sr.Instance, Optimum]]:
    """Instances and their optima; `partial` where not all of the demand can be delivered."""
    solved = [(instance, optimum(instance)) for instance in map(rich_instance, SAMPLE)]
    return [
        (replace(instance, partial=True) if best.undelivered else instance, best)
        for instance, best in solved
    ]


def test_the_sample_uses_every_rule() -> None:
    uses = Counter(rule for seed in SAMPLE for rule in rich_instance(seed).rules)
    assert min((uses[rule], rule) for rule in RULES) >= (MIN_USES, "")


def test_both_oracles_agree_without_rules() -> None:
    random = np.random.default_rng(1)
    for count in (1, 2, 3, 4) * 5:
        demands = random.integers(1, 7, count).tolist()
        instance = sr.Instance.create(4, demands, random.random((count + 1, 2)).tolist())
        assert optimum(instance).cost == pytest.approx(plain_optimum(instance))


def test_the_oracle_departs_late_to_save_time() -> None:
    truck = VehicleType("truck", 4, cost_per_time=1, max_trips=2, count=1, loading=3)
    instance = sr.Instance.create(
        None, [4, 4], [(0, 0), (2, 0), (5, 0)], vehicles=[truck], windows=[((8, 9),), ((18, 30),)]
    )
    best = optimum(instance)
    # The trips take 4 and 10; departing at 0 for the first would add a wait of 6.
    assert best.cost == 4 + 10 + 4 + 10
    assert [route.start for route in best.solution.routes] == [6, 13]


def test_the_oracle_delivers_less_where_a_penalty_is_cheaper() -> None:
    instance = sr.Instance.create(4, [6], [(0, 0), (5, 0)], penalty=4)
    assert optimum(instance)[:2] == (0, 10 + 2 * 4)
    assert optimum(replace(instance, customers=_with_penalty(instance, 6)))[:2] == (0, 20)


def _with_penalty(instance: sr.Instance, penalty: float) -> tuple[sr.Customer, ...]:
    return tuple(replace(customer, penalty=penalty) for customer in instance.customers)


def test_no_instance_is_rejected_that_can_be_solved(
    optima: list[tuple[sr.Instance, Optimum]],
) -> None:
    for instance, best in optima:
        feasibility = Feasibility(instance)
        numbers = [n for n, c in enumerate(instance.customers, 1) if c.penalty is None]
        if not best.undelivered:
            assert not any(feasibility.reason(n) for n in numbers), instance.name
            assert feasibility.shortage() is None, instance.name


def test_the_validator_accepts_optimal_solutions(
    optima: list[tuple[sr.Instance, Optimum]],
) -> None:
    for instance, best in optima:
        assert validate(instance, best.solution, Claims(best.cost)) == [], instance.name


def test_costs_of_optimal_solutions_are_those_of_the_oracle(
    optima: list[tuple[sr.Instance, Optimum]],
) -> None:
    for instance, best in optima:
        assert rank(instance, best.solution) == pytest.approx(best[:2]), instance.name


def test_no_timetable_is_better_than_the_best_departures(
    optima: list[tuple[sr.Instance, Optimum]],
) -> None:
    for instance, best in optima:
        open_routes = tuple(replace(route, start=None) for route in best.solution.routes)
        chosen = rank(instance, sr.Solution(open_routes))
        if all(len(windows) == 1 for windows in all_windows(instance)):
            assert chosen == pytest.approx(best[:2]), instance.name
        else:  # the timetable looks at one trip after the other
            assert chosen[1] >= best.cost - 1e-9, instance.name


def test_no_lower_bound_is_above_the_optimum(optima: list[tuple[sr.Instance, Optimum]]) -> None:
    for instance, best in optima[::5]:
        bound = sr.lower_bound(instance, 0.05, best=best.solution)
        assert bound.value <= best.cost * (1 + 1e-9) + 1e-9, instance.name


def test_the_search_finds_optimal_solutions_and_never_better_ones() -> None:
    kinds = Counter(judge(seed, iterations=1000).kind for seed in range(50))
    assert set(kinds) <= {"equal", "worse"}
    assert kinds["equal"] >= MIN_EQUAL * kinds.total()
