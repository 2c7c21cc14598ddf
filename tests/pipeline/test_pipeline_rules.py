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
    assert dict(result.facts())["without splitting"] == "no solution found with this fleet"


def test_a_baseline_that_delivers_less_is_no_baseline() -> None:
    vans = [VehicleType("van", 10, 2)]
    instance = create([6, 6, 8], vehicles=vans, partial=True)
    result = sr.solve(instance, stop=STOP, baseline=True)
    assert result.undelivered == ()
    assert result.unsplit_cost is None
    message = "no solution that delivers as much found with this fleet"
    assert dict(result.facts())["without splitting"] == message


def test_vehicles_that_can_serve_nobody_are_a_warning_with_partial() -> None:
    fleet = [VehicleType("van", 10), VehicleType("truck", 20, max_distance=1)]
    instance = create([6, 6, 6], vehicles=fleet, partial=True)
    with pytest.warns(sr.InputWarning, match="type 'truck' cannot serve any customer: customer 1"):
        sr.solve(instance, stop=STOP)


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


@pytest.mark.parametrize("count", [6, 13, 29, 40])
def test_limits_that_are_met_exactly_are_met(count: int) -> None:
    """One vehicle visits all customers on a line; a second one would cost much."""
    line = [(float(k), 0.0) for k in range(count + 1)]
    variants: list[dict[str, Any]] = [
        {"vehicles": [VehicleType("a", count, fixed_cost=100, shift=(0, 3 * count))], "service": 1},
        {
            "vehicles": [VehicleType("a", count, fixed_cost=100)],
            "windows": [((x, x),) for x, _ in line[1:]],
        },
    ]
    for arguments in variants:
        instance = sr.Instance.create(None, [1] * count, line, **arguments)
        found = sr.solve(instance, stop=sr.Stop(iterations=2000))
        assert found.cost == pytest.approx(100 + 2 * count)


@pytest.mark.parametrize(
    ("instance", "cost"),
    [
        (
            sr.Instance.create(
                None,
                [42, 1],
                [(0, 0), (10, 0), (0, 1)],
                vehicles=[VehicleType("a", 1, max_stops=3)],
            ),
            842,
        ),
        (
            sr.Instance.create(
                None,
                [5],
                [(0, 0), (10_000, 0), (0, 1)],
                depots=[sr.Depot("near"), sr.Depot("far")],
                vehicles=[VehicleType("a", 9, 1, "near"), VehicleType("b", 9, None, "far")],
                vehicle_types=[("b",)],
            ),
            2 * 10_000,
        ),
        (
            sr.Instance.create(
                None,
                [1, 1],
                matrix=[[0, 1, 1], [1000, 0, 1], [1000, 1, 0]],
                vehicles=[VehicleType("a", 1, max_stops=1)],
            ),
            2002,
        ),
    ],
    ids=["many loads", "far depot", "long way back"],
)
def test_what_is_mandatory_is_delivered_at_any_cost(instance: sr.Instance, cost: float) -> None:
    result = sr.solve(instance, stop=sr.Stop(iterations=2000))
    assert result.cost == pytest.approx(cost, rel=1e-4)


@pytest.mark.parametrize("limit", [{}, {"max_distance": 100.0}, {"shift": (0.0, 100.0)}])
def test_roads_longer_than_the_way_via_the_depot_keep_their_length(limit: dict[str, Any]) -> None:
    matrix = [[0, 1, 1], [1, 0, 1000], [1, 1000, 0]]
    vans = [VehicleType("van", 2, fixed_cost=100, **limit)]
    instance = sr.Instance.create(None, [1, 1], matrix=matrix, vehicles=vans)
    assert sr.solve(instance, stop=STOP).cost == pytest.approx(2 * 102)


def test_trips_below_their_minimum_load_deliver_nothing() -> None:
    fleet = [VehicleType("small", 5, 1), VehicleType("large", 20, 1, min_load=10)]
    instance = create([3, 3, 3], vehicles=fleet, partial=True)
    result = sr.solve(instance, stop=STOP)
    assert sum(item.quantity for item in result.undelivered) == 4


def test_an_optional_demand_fills_a_vehicle_up_to_its_minimum_load() -> None:
    large = [VehicleType("large", 20, 1, min_load=10)]
    result = sr.solve(create([8, 2], vehicles=large, penalty=[None, 0.01]), stop=STOP)
    assert result.undelivered == ()


def test_a_merged_route_that_takes_too_long_is_repaired() -> None:
    """Both units at once leave no time for the other customer, whatever the order."""
    instance = sr.Instance.create(
        None,
        [2, 1],
        [(0, 0), (1, 0), (1, 1)],
        vehicles=[VehicleType("van", 4, fixed_cost=100, shift=(0, 30))],
        windows=[((1, 1), (20, 20)), ((7, 7),)],
        service_per_unit=[5, 0],
    )
    result = sr.solve(instance, rule="coins", coins="25", stop=STOP)
    assert result.cost == pytest.approx(200 + 2 + 2 * 2**0.5)


def test_every_depot_has_vehicles_unless_there_are_types() -> None:
    depots = [sr.Depot("west"), sr.Depot("east")]
    points = [(0, 0), (100, 0), (1, 0), (99, 0)]
    instance = sr.Instance.create(10, [5, 5], points, depots=depots)
    assert sr.solve(instance, stop=STOP).cost == pytest.approx(4)
    with pytest.raises(InputError, match="vehicles is 2, and there are 2 depots"):
        sr.Instance.create(10, [5, 5], points, depots=depots, vehicles=2)
    vans = [VehicleType("van", 10, depot="west")]
    with pytest.warns(sr.InputWarning, match="no vehicle type uses the depot 'east'"):
        sr.Instance.create(None, [5, 5], points, depots=depots, vehicles=vans)
