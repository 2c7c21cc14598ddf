"""Runs with rules: undelivered quantities, partial delivery, bounds and baselines."""

from dataclasses import replace
from typing import Any

import pytest

import splitroute as sr
from splitroute.errors import InfeasibleError, InputError
from splitroute.instance import VehicleType
from splitroute.validation import validate

STOP = sr.Stop(iterations=200)
POINTS = [(0, 0), (10, 0), (20, 0), (30, 0)]


def create(demands: list[int], **arguments: Any) -> sr.Instance:
    """Customers at distances 10, 20 and 30 from the depot."""
    capacity = None if isinstance(arguments.get("vehicles"), list) else 10
    return sr.Instance.create(capacity, demands, POINTS[: len(demands) + 1], **arguments)


def contradictory(**arguments: Any) -> sr.Instance:
    """One vehicle, and two customers of which it reaches only one in time."""
    vans = [VehicleType("van", 10, 1)]
    return create([4, 6], vehicles=vans, windows=[((50, 50),), ((45, 45),)], **arguments)


def test_mandatory_demand_without_a_place_fails_with_the_reason() -> None:
    with pytest.raises(InfeasibleError, match="customer 1 lacks 4 of 4: no feasible place") as it:
        sr.solve(contradictory(), stop=STOP)
    assert it.value.field == "partial"


def test_partial_delivers_as_much_as_possible() -> None:
    result = sr.solve(contradictory(partial=True), stop=STOP)
    assert [tuple(item[:2]) for item in result.undelivered] == [(1, 4)]
    assert result.cost == pytest.approx(40)
    assert not result.optimal  # that no more can be delivered is not proven
    assert result.bound <= 40
    assert not result.bound_can_improve
    assert "undelivered: 4 of 1 customer" in result.summary()
    assert "customer 1 lacks 4 of 4: no feasible place" in result.summary()


def test_penalties_are_paid_where_they_cost_less() -> None:
    result = sr.solve(create([5, 5], penalty=[10.0, 1.0]), stop=STOP)
    assert result.cost == pytest.approx(20 + 5)
    (item,) = result.undelivered
    assert (item.customer, item.quantity, item.rule) == (2, 5, "penalty")
    assert result.bound == pytest.approx(result.cost, rel=0.5)


def test_pieces_on_one_route_are_served_as_one_visit() -> None:
    """One service time, which starts in the window; the next customer closes too early for two."""
    windows = [((50.0, 52.0),), ((72.0, 72.0),)]
    instance = create([4, 6], windows=windows, service=12.0)
    assert sr.split(instance, "pasa").num_pieces > 2
    result = sr.solve(instance, rule="pasa", stop=STOP)
    assert result.cost == pytest.approx(40)
    assert result.solution.num_visits == 2


def test_the_result_states_which_rules_its_bound_takes_into_account() -> None:
    instance = create([5, 5], windows=[((0, 99),), ()], penalty=[None, 100.0])
    result = sr.solve(instance, stop=STOP)
    assert result.bound_rules == {"penalty"}
    assert result.bound_relaxed == {"windows"}
    about = result.metadata()
    assert about["bound_rules"] == ["penalty"]
    assert about["bound_relaxed"] == ["windows"]
    assert "ignores windows" in result.bound_text() or result.optimal


def test_a_bound_can_be_requested_with_rules() -> None:
    instance = create([6, 6, 6], windows=[((0, 99),)] * 3)
    result = sr.solve(instance, stop=sr.Stop(seconds=0.5), bound=2.0)
    assert 0 < result.bound <= result.cost
    assert not validate(instance, result.solution)


def test_the_baseline_keeps_the_rules() -> None:
    instance = create([6, 6, 6], windows=[((0, 99),)] * 3)
    result = sr.solve(instance, stop=STOP, baseline=True)
    assert result.unsplit is not None
    assert not validate(replace(instance, splittable=False), result.unsplit)
    assert result.saving is not None
    assert result.saving >= 0


def test_there_is_no_baseline_if_the_fleet_needs_splitting() -> None:
    instance = create([6, 6, 8], vehicles=[VehicleType("van", 10, 2)], windows=[((0, 99),)] * 3)
    result = sr.solve(instance, stop=STOP, baseline=True)
    assert result.unsplit is None
    assert result.saving is None


def test_a_baseline_that_delivers_less_is_no_baseline() -> None:
    vans = [VehicleType("van", 10, 2)]
    instance = create([6, 6, 8], vehicles=vans, partial=True)
    result = sr.solve(instance, stop=STOP, baseline=True)
    assert result.undelivered == ()
    assert result.unsplit_cost is None


def test_polish_and_start_continue_with_the_rules() -> None:
    instance = create([6, 6, 6], windows=[((0, 99),)] * 3, max_visits=2)
    first = sr.solve(instance, stop=STOP, polish=0.1)
    again = sr.solve(instance, stop=STOP, start=first.solution)
    assert again.cost <= first.cost
    assert not validate(instance, again.solution)


def test_a_target_is_a_cost_with_all_its_parts() -> None:
    instance = create([6], vehicles=[VehicleType("van", 10, fixed_cost=100.0)])
    # Without the target it would not end.
    result = sr.solve(instance, stop=sr.Stop(iterations=10**15, target=121.0))
    assert result.cost == pytest.approx(120)


def test_pass_through_is_rejected_with_rules() -> None:
    instance = replace(create([6], windows=[((0, 99),)]), pass_through=True)
    with pytest.raises(InputError, match="pass_through cannot be combined with windows"):
        sr.solve(instance, stop=STOP)
