"""The builder of instances."""

import inspect
from dataclasses import MISSING, fields
from decimal import Decimal
from typing import Any

import pytest

import splitroute as sr
from splitroute.instance.rules import CUSTOMER_RULES, RULES, VEHICLE_RULES
from splitroute.pipeline import solve

WINDOWS = ((480, 600), (900, 960))


def small(**options: Any) -> sr.Model:
    model = sr.Model(**options)
    model.add_depot(0, 0)
    model.add_customer(3, 0, demand=6)
    model.add_customer(0, 4, demand=8)
    return model


def test_the_classic_problem_is_the_instance_of_create() -> None:
    model = small(name="small")
    model.add_vehicle_type(10, 2)
    expected = sr.Instance.create(10, [6, 8], [(0, 0), (3, 0), (0, 4)], vehicles=2, name="small")
    assert model.instance() == expected
    assert not model.instance().rules


def test_solve_takes_the_arguments_of_solve() -> None:
    model = small()
    model.add_vehicle_type(10)
    result = model.solve(stop=sr.Stop(iterations=50), seed=3)
    assert (result.seed, result.cost) == (3, 14)


def test_every_rule_is_an_argument() -> None:
    customer = inspect.signature(sr.Model.add_customer).parameters
    vehicle = inspect.signature(sr.Model.add_vehicle_type).parameters
    assert set(CUSTOMER_RULES) <= set(customer)
    assert set(VEHICLE_RULES) <= set(vehicle)
    assert {f.name for f in fields(sr.VehicleType)} <= set(vehicle)
    for kind, signature in ((sr.Customer, customer), (sr.VehicleType, vehicle)):
        for field in fields(kind):
            if field.default is not MISSING and field.name != "lot":  # 1 in units of the instance
                assert signature[field.name].default == field.default, field.name


def test_all_rules_at_once() -> None:
    model = sr.Model(partial=True, speed=40)
    north = model.add_depot(lat=53.6, lon=10.0, id="north", windows=[(300, 1200)])
    south = model.add_depot(lat=53.5, lon=9.9, id="south")
    van = model.add_vehicle_type(
        10, 2, type="van", depot=north, fixed_cost=10, cost_per_distance=2, cost_per_time=0.1,
        shift=(390, 1000), max_distance=300, max_duration=400, max_stops=8, max_trips=2,
        loading=15, loading_per_unit=0.5, min_load=1,
    )  # fmt: skip
    truck = model.add_vehicle_type(15, type="truck", depot=south, end_depot=north)
    anna = model.add_customer(
        lat=53.55, lon=10.1, demand=6, id="Anna", note="ring twice", windows=WINDOWS, service=10,
        service_per_unit=0.5, min_drop=2, lot=2, max_visits=2, extra_visit_cost=3, penalty=4,
        vehicle_types=[van, truck],
    )  # fmt: skip
    model.add_customer(lat=53.4, lon=9.95, demand=8, splittable=False)
    instance = model.instance()
    assert (north, anna) == ("north", "Anna")
    assert instance.rules == set(RULES) - {"durations"}
    assert [depot.id for depot in instance.depots] == [north, south]
    assert instance.customers[0] == sr.Customer(
        "Anna", 6, 2, "ring twice", WINDOWS, 10, 0.5, True, 2, 2, 2, 3, ("van", "truck"), 4
    )
    assert instance.fleet[0] == sr.VehicleType(
        "van", 10, 2, "north", None, 10, 2, 0.1, (390, 1000), 300, 400, 8, 2, 15, 0.5, 1
    )
    result = solve(instance, stop=sr.Stop(iterations=100))
    assert sr.validate(instance, result.solution) == []


def test_quantities_are_as_users_count() -> None:
    model = sr.Model()
    model.add_depot(0, 0)
    model.add_customer(1, 0, demand=2.5, lot=0.5)
    model.add_vehicle_type(7.5, min_load=1)
    instance = model.instance()
    assert (instance.unit, instance.capacity, instance.customers[0].demand) == (
        Decimal("0.5"),
        15,
        5,
    )
    assert (instance.customers[0].lot, instance.fleet[0].min_load) == (1, 2)
    given = small(unit=2)
    given.add_vehicle_type(10)
    assert given.instance().capacity == 5


def test_edges_are_distances_and_missing_ones_lead_over_other_places() -> None:
    model = sr.Model()
    depot = model.add_depot()
    near, far = model.add_customer(demand=1), model.add_customer(demand=1, id="far")
    for start, end, distance in (
        (depot, near, 1),
        (near, far, 2),
        (far, near, 4),
        (near, depot, 1),
    ):
        model.add_edge(start, end, distance, duration=10 * distance)
    model.add_vehicle_type(10)
    with pytest.warns(sr.InputWarning, match="2 pairs of places"):
        instance = model.instance()
    assert instance.table.tolist() == [[0, 1, 3], [1, 0, 2], [5, 4, 0]]
    assert instance.durations is not None
    assert instance.durations.tolist() == [[0, 10, 30], [10, 0, 20], [50, 40, 0]]


def test_matrices_are_those_of_read() -> None:
    model = small(matrix=[[0, 1, 2], [1, 0, 3], [2, 3, 0]])
    model.add_vehicle_type(10)
    instance = model.instance()
    assert instance.distance(1, 2) == 3
    assert instance.places, "for pictures"


def bad_place(model: sr.Model) -> None:
    model.add_customer(1, demand=2)


def other_coordinates(model: sr.Model) -> None:
    model.add_vehicle_type(10)
    model.add_customer(lat=1, lon=2, demand=2)
    model.instance()


def no_coordinates(model: sr.Model) -> None:
    model.add_vehicle_type(10)
    model.add_customer(demand=2, id="far")
    model.instance()


def duplicate(model: sr.Model) -> None:
    model.add_customer(1, 1, demand=2, id="depot")


def duplicate_type(model: sr.Model) -> None:
    model.add_vehicle_type(10, type="van")
    model.add_vehicle_type(10, type="van")


def unknown_place(model: sr.Model) -> None:
    model.add_edge("depot", "nowhere", 3)


def duplicate_edge(model: sr.Model) -> None:
    model.add_edge("depot", "1", 3)
    model.add_edge("1", "depot", 3)
    model.add_edge("depot", "1", 4)


def some_durations(model: sr.Model) -> None:
    model.add_vehicle_type(10)
    model.add_edge("depot", "1", 3, 5)
    model.add_edge("1", "depot", 3)
    model.instance()


def bad_demand(model: sr.Model) -> None:
    model.add_vehicle_type(10)
    model.add_customer(1, 1, demand=-2, id="Anna")
    model.instance()


def no_demand(model: sr.Model) -> None:
    model.add_vehicle_type(10)
    model.add_customer(1, 1, demand=None)  # type: ignore[arg-type]
    model.instance()


def unknown_depot(model: sr.Model) -> None:
    model.add_vehicle_type(10, depot="west")
    model.instance()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (bad_place, "customer '3': give x and y, or lat and lon"),
        (other_coordinates, "'3' has no x and y"),
        (no_coordinates, "'far' has no x and y"),
        (duplicate, "customer 'depot': another place has this id"),
        (duplicate_type, "duplicate vehicle type 'van'"),
        (unknown_place, "to is 'nowhere'; there is no depot or customer of this id"),
        (some_durations, "the edge from '1' to 'depot': give a duration to all edges or to none"),
        (duplicate_edge, "the edge from 'depot' to '1' is there already"),
        (lambda m: m.add_edge("depot", "1", "abc"), "distance is str 'abc', not a number"),
        (lambda m: m.add_edge("depot", "1", 3, "abc"), "duration is str 'abc', not a number"),
        (lambda m: m.add_depot(5, 5, windows=(480, 1020)), "windows is int 480, not a pair of"),
        (lambda m: m.add_depot(5, 5, windows=480), "windows is int 480, not a list of pairs"),
        (lambda m: m.add_customer(5, 5, demand=1, windows=(480, 1020)), "windows is int 480, not"),
        (lambda m: m.add_vehicle_type(9, shift=480), "shift is int 480, not a pair of times"),
        (lambda m: m.add_vehicle_type(9, shift="ab"), "shift is str 'ab', not a pair of times"),
        (no_demand, "demand of '3' is None; it must be a number of at least 0"),
        (bad_demand, "demand of 'Anna' is -2; it must be a number of at least 0"),
        (unknown_depot, "depot of vehicle type 'vehicle' is 'west'; the depots are 'depot'"),
        (sr.Model.instance, r"no vehicles; call add_vehicle_type\(capacity=100\)"),
    ],
)
def test_bad_models(build: Any, message: str) -> None:
    with pytest.raises(sr.InputError, match=message):
        build(small())


@pytest.mark.parametrize("speed", [-1, 0, "fast"])
def test_bad_speeds(speed: Any) -> None:
    with pytest.raises(sr.InputError, match="it must be a number above 0"):
        sr.Model(speed=speed)


def test_a_model_needs_a_depot_and_one_source_of_distances() -> None:
    with pytest.raises(sr.InputError, match="no depot"):
        sr.Model().instance()
    model = small(matrix=[[0, 1, 2], [1, 0, 3], [2, 3, 0]])
    model.add_vehicle_type(10)
    model.add_edge("depot", "1", 3)
    with pytest.raises(sr.InputError, match="edges have distances of their own"):
        model.instance()
    with pytest.raises(sr.InputError, match="omit roads or matrix"):
        sr.Model(matrix=[[0]], roads="osrm:http://localhost:5000")
