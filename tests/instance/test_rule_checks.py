"""Values of depots, vehicle types and customer rules that are rejected, with field and owner."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from splitroute.errors import InputError
from splitroute.instance import Customer, Depot, Instance, VehicleType

POINTS = [(0, 0), (9, 0), (1, 0), (2, 0)]
DEPOTS = (Depot("a"), Depot("b"))
VAN, TRUCK = VehicleType("van", 10), VehicleType("truck", 20, depot="b")


def create(**arguments: Any) -> Instance:
    """Two depots, two types and two customers, unless the arguments say otherwise."""
    defaults = {"depots": DEPOTS, "vehicles": [VAN, TRUCK]}
    return Instance.create(None, [6, 8], POINTS, **{**defaults, **arguments})


def rejected(field: str, owner: tuple[str, int] | None, message: str, **arguments: Any) -> None:
    with pytest.raises(InputError) as caught:
        create(**arguments)
    assert caught.value.field == field
    assert caught.value.owner == owner
    assert message in str(caught.value)


def test_the_defaults_are_valid() -> None:
    assert create().rules == {"fleet", "depots"}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("windows", ((0, 5), (9, 8)), "windows of customer 2 is 9–8; 9 is after 8"),
        ("windows", ((0, 5), (4, 8)), "must be in ascending order and must not overlap"),
        ("windows", ((4, 8), (0, 2)), "must be in ascending order and must not overlap"),
        ("windows", ((-1, 8),), "times must be pairs of numbers of at least 0"),
        ("windows", ((0, math.nan),), "times must be pairs of numbers of at least 0"),
        ("windows", ((1, 2, 3),), "times must be pairs of numbers of at least 0"),
        ("windows", (3, 8), "times must be pairs of numbers of at least 0"),
        ("windows", "8-12", "it must be a list of windows (open, close)"),
        ("service", -1, "service of customer 2 is -1; it must be a number of at least 0"),
        ("service", "5", "it must be a number of at least 0"),
        ("service", True, "it must be a number of at least 0"),
        ("service_per_unit", math.nan, "it must be a number of at least 0"),
        ("extra_visit_cost", -0.5, "it must be a number of at least 0"),
        ("extra_visit_cost", None, "it must be a number of at least 0"),
        ("penalty", -3, "it must be a number of at least 0"),
        ("penalty", math.inf, "it must be a number of at least 0"),
        ("penalty", 1e13, "it must be a number of at least 0, at most 1e+12"),
        ("windows", ((0, 1e13),), "times must be pairs of numbers of at least 0, at most 1e+12"),
        ("min_drop", 9, "min_drop of customer 2 is 9; it must be from 0 to 8, its demand"),
        ("min_drop", -1, "it must be from 0 to 8, its demand"),
        ("min_drop", 1.5, "it must be a whole number of units"),
        ("lot", 0, "lot of customer 2 is 0; it must be from 1 to"),
        ("max_visits", 0, "it must be a whole number from 1 to"),
        ("max_visits", 2.0, "it must be a whole number from 1 to"),
        ("splittable", "no", "it must be True or False"),
        ("vehicle_types", "van", "it must be a list of vehicle types"),
        (
            "vehicle_types",
            ("van", "bike"),
            "vehicle_types of customer 2 is 'van', 'bike'; 'bike' is unknown; the vehicle types "
            "are 'van', 'truck'",
        ),
        ("vehicle_types", ("van; truck",), "'van', 'truck'; a table separates several by |"),
    ],
)
def test_rules_of_customers(field: str, value: object, message: str) -> None:
    default = getattr(Customer("", 0, 0), field)
    rejected(field, ("customers", 1), message, **{field: [default, value]})


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("type", "van", "type of vehicle type 'van' is 'van'; another one has the same name"),
        ("type", "", "it must be a text that is not empty"),
        ("capacity", 0, "capacity of vehicle type 'truck' is 0; it must be from 1 to"),
        ("capacity", None, "it must be a whole number of units"),
        ("count", 0, "it must be a whole number from 1 to"),
        ("count", 1.5, "it must be a whole number from 1 to"),
        ("depot", "c", "depot of vehicle type 'truck' is 'c'; the depots are 'a', 'b'"),
        ("end_depot", "c", "the depots are 'a', 'b'"),
        ("fixed_cost", -1, "it must be a number of at least 0"),
        ("cost_per_distance", math.nan, "it must be a number of at least 0"),
        ("cost_per_time", -1, "it must be a number of at least 0"),
        ("shift", (9, 8), "shift of vehicle type 'truck' is 9–8; 9 is after 8"),
        ("shift", (9,), "times must be pairs of numbers of at least 0"),
        ("max_distance", 0, "it must be a number above 0"),
        ("max_duration", -1, "it must be a number above 0"),
        ("max_stops", 0, "it must be a whole number from 1 to"),
        ("max_trips", None, "it must be a whole number from 1 to"),
        ("loading", -1, "it must be a number of at least 0"),
        ("loading_per_unit", -1, "it must be a number of at least 0"),
        ("min_load", 21, "it must be from 0 to 20, the capacity"),
    ],
)
def test_vehicle_types(field: str, value: object, message: str) -> None:
    truck = replace(TRUCK, **{field: value})  # type: ignore[arg-type]
    rejected(field, ("fleet", 1), message, vehicles=[VAN, truck])


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("id", "a", "id of depot 'a' is 'a'; another one has the same name"),
        ("id", "", "it must be a text that is not empty"),
        ("windows", ((5, 3),), "windows of depot 'b' is 5–3; 5 is after 3"),
    ],
)
def test_depots(field: str, value: object, message: str) -> None:
    depot = replace(DEPOTS[1], **{field: value})  # type: ignore[arg-type]
    rejected(field, ("depots", 1), message, depots=(DEPOTS[0], depot))


def test_names_and_times_are_those_of_the_file() -> None:
    message = (
        "windows of customer 2 (north) is 08:30–14:30, 14:00–17:00; windows must be in "
        "ascending order and must not overlap"
    )
    windows = [(), ((510.0, 870.0), (840.0, 1020.0))]
    rejected("windows", ("customers", 1), message, windows=windows, clock=True, ids=["1", "north"])


def test_places_of_depots() -> None:
    with pytest.raises(InputError, match="place of depot 'b' is 7; places are 0 to 3"):
        replace(create(), depots=(DEPOTS[0], Depot("b", 7)))
    with pytest.raises(InputError, match="place of depot 'a' is 1; the first depot must be at"):
        replace(create(), depots=(Depot("a", 1), Depot("b", 0)))


def test_a_vehicle_that_ends_elsewhere_makes_one_trip() -> None:
    truck = replace(TRUCK, end_depot="a", max_trips=2)
    message = "max_trips of vehicle type 'truck' is 2; it must be 1 if routes do not end"
    rejected("max_trips", ("fleet", 1), message, vehicles=[VAN, truck])
    create(vehicles=[VAN, replace(truck, end_depot="b")])


def test_quantities_are_shown_in_the_units_of_the_user() -> None:
    message = "min_drop of customer 2 is 4.5; it must be from 0.0 to 4.0, its demand"
    rejected("min_drop", ("customers", 1), message, min_drop=[0, 9], unit="0.5")


def test_the_instance_as_a_whole() -> None:
    rejected("speed", None, "speed is 0; it must be a number above 0", speed=0)
    many = [VehicleType(f"type {k}", 10) for k in range(65)]
    rejected("vehicles", None, "65 vehicle types; the maximum is 64", vehicles=many)
    rejected("vehicles", None, "it must be a number or a list of VehicleType", vehicles=["van"])
    rejected("durations", None, "3 rows for 2 customers and 2 depots", durations=[[0] * 3] * 3)
    with pytest.raises(InputError, match="durations has 3 rows for 4 places"):
        replace(create(), durations=[[0] * 3] * 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="vehicle types have capacities of their own"):
        Instance.create(10, [6, 8], POINTS[1:], vehicles=[VAN])


def test_depots_must_be_depots() -> None:
    for value in (None, 3, "a", ["a", "b"]):
        rejected("depots", None, "it must be a list such as [Depot(", depots=value)


def test_rules_may_be_arrays() -> None:
    instance = create(
        service=np.array([1.5, 2]), min_drop=np.array([0, 4]), windows=np.full((2, 1, 2), (3, 40))
    )
    assert [c.service for c in instance.customers] == [1.5, 2]
    assert [c.min_drop for c in instance.customers] == [0, 4]
    assert [c.windows for c in instance.customers] == [((3, 40),)] * 2
    assert isinstance(hash(instance), int)


def test_customers_without_a_demand_may_have_any_minimum_drop() -> None:
    Instance.create(10, [0, 6], POINTS[1:], min_drop=5)


def test_a_lot_above_the_demand_means_one_visit() -> None:
    Instance.create(10, [6, 8], POINTS[1:], lot=10)
