"""Properties of instances with random combinations of rules."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import splitroute as sr
from rich_instances import draw_instance
from splitroute.formats import read_solution
from splitroute.instance.rules import SPLIT_RULES
from splitroute.solution import cost_parts, rank, timetable, undelivered, with_departures
from splitroute.validation import Claims, validate

settings.register_profile("rich", deadline=None, max_examples=25, derandomize=True)


@st.composite
def rich_instances(draw: st.DrawFn) -> sr.Instance:
    """Instances with up to 9 customers and any rules; what cannot be delivered may be left."""

    def integer(low: int, high: int) -> int:
        return draw(st.integers(low, high))

    try:
        return draw_instance(integer, "rich", range(1, 10), on_grid=False)
    except sr.InputError:
        assume(False)  # contradictory by chance
        raise


def solved(instance: sr.Instance) -> sr.Result:
    return sr.solve(instance, stop=sr.Stop(iterations=100), bound=0)


@settings(settings.get_profile("rich"))
@given(rich_instances())
def test_solutions_are_valid_and_cost_the_sum_of_the_parts(instance: sr.Instance) -> None:
    result = solved(instance)
    assert validate(instance, result.solution, Claims(result.cost)) == []
    assert abs(sum(cost_parts(instance, result.solution)) - result.cost) < 1e-6
    total = sum(c.demand for c in instance.customers)
    delivered = sum(route.load for route in result.solution.routes)
    assert sum(undelivered(instance, result.solution).values()) == total - delivered


@settings(settings.get_profile("rich"))
@given(rich_instances())
def test_departures_make_a_timetable_explicit(instance: sr.Instance) -> None:
    solution = solved(instance).solution
    explicit = with_departures(instance, solution)
    assert timetable(instance, explicit) == timetable(instance, solution)
    assert with_departures(instance, explicit) == explicit


@settings(settings.get_profile("rich"))
@given(rich_instances())
def test_a_start_is_never_made_worse(instance: sr.Instance) -> None:
    first = solved(instance)
    again = sr.solve(instance, start=first.solution, stop=sr.Stop(iterations=20), bound=0, seed=2)
    assert rank(instance, again.solution) <= rank(instance, first.solution)


@settings(settings.get_profile("rich"))
@given(rich_instances())
def test_instances_and_solutions_survive_json(instance: sr.Instance) -> None:
    solution = solved(instance).solution
    with tempfile.TemporaryDirectory() as folder:
        sr.write(instance, Path(folder, "instance.json"))
        again = sr.read(Path(folder, "instance.json"))
        assert again == instance
        sr.write(solution, Path(folder, "solution.json"), instance=instance)
        stated = read_solution(Path(folder, "solution.json"), again)
        assert rank(again, stated.solution) == rank(instance, solution)
        assert validate(again, stated.solution, stated.claims) == []


@settings(settings.get_profile("rich"))
@given(rich_instances(), st.sampled_from(["pasa", "coins", "none"]))
def test_split_plans_keep_the_rules_for_splitting(instance: sr.Instance, rule: str) -> None:
    options = {"coins": "50/30/20"} if rule == "coins" else {}
    try:
        plan = sr.split(instance, rule, **options)
    except sr.InputError:
        return  # a demand that no admissible pieces can deliver
    for customer, sizes in zip(instance.customers, plan.pieces, strict=True):
        assert sum(sizes) <= customer.demand * plan.scale  # less if nobody could deliver it
        if len(sizes) < 2 or not instance.rules & SPLIT_RULES:
            continue
        assert customer.splittable
        assert min(sizes) >= customer.min_drop * plan.scale
        assert customer.max_visits is None or len(sizes) <= customer.max_visits
        lot = customer.lot * plan.scale
        odd = [size for size in sizes if size % lot]
        assert odd in ([], [s for s in sizes if s % lot == customer.demand * plan.scale % lot][:1])
