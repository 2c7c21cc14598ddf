from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

import splitroute as sr
from splitroute.generate import set1
from splitroute.instance import VehicleType
from splitroute.report import (
    cost_text,
    distance_text,
    duration_text,
    json_number,
    natural_key,
    percent_text,
    pluralize,
    route_table,
    solution_facts,
    split_plan_facts,
    time_text,
    travel_text,
    user_quantity,
    vehicle_names,
)


@pytest.mark.parametrize(
    ("unit", "amount", "value"), [("1", 7, 7), ("0.1", 70, 7), ("0.1", 75, 7.5)]
)
def test_quantities_in_the_units_of_the_user(unit: str, amount: int, value: float) -> None:
    instance = sr.Instance.create(100, [5], [(0, 0), (1, 1)], unit=Decimal(unit))
    result = user_quantity(instance, amount)
    assert result == value
    assert isinstance(result, int) == float(value).is_integer()


@pytest.mark.parametrize(("value", "text"), [(1234.0, "1,234"), (1234.5, "1,234.50")])
def test_costs(value: float, text: str) -> None:
    assert cost_text(value) == text
    assert str(json_number(value)) == text.replace(",", "").removesuffix("0")


def test_only_distances_on_the_globe_have_a_unit(square: sr.Instance) -> None:
    globe = sr.Instance.create(1, [1], lat=[0, 1], lon=[0, 1])
    assert distance_text(globe, 157.25) == "157.25 km"
    assert distance_text(square, 157.25) == "157.25"
    priced = replace(globe, fleet=(VehicleType("van", 1, fixed_cost=5.0),))
    assert distance_text(priced, 157.25) == "157.25"


@pytest.mark.parametrize(
    ("minutes", "clock", "number"),
    [
        (510.0, "08:30", "510"),
        (7.26, "00:07", "7.26"),
        (59.7, "01:00", "59.70"),
        (24 * 60 + 5, "00:05 +1 d", "1,445"),
        (-30, "23:30 -1 d", "-30"),
    ],
)
def test_times(square: sr.Instance, minutes: float, clock: str, number: str) -> None:
    depots = tuple(replace(depot, windows=((0, 9999),)) for depot in square.depots)
    assert time_text(replace(square, clock=True, depots=depots), minutes) == clock
    assert time_text(square, minutes) == number


@pytest.mark.parametrize(
    ("minutes", "text"), [(0, "0 min"), (45.2, "45 min"), (120, "2 h"), (1515, "25 h 15 min")]
)
def test_durations(square: sr.Instance, minutes: float, text: str) -> None:
    assert duration_text(replace(square, clock=True), minutes) == text
    assert duration_text(square, minutes) == cost_text(minutes)


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0.00 %"), (1e-9, "< 0.01 %"), (0.0001, "0.01 %"), (0.5, "50.00 %")]
)
def test_a_tiny_share_is_not_shown_as_zero(share: float, text: str) -> None:
    assert percent_text(share) == text


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [(0, "route", "0 routes"), (1, "route", "1 route"), (1000, "class", "1,000 classes")],
)
def test_plurals(count: int, noun: str, text: str) -> None:
    assert pluralize(count, noun) == text


def test_numbers_in_names_sort_by_value() -> None:
    names = ["SD10", "SD2", "SD1", "S51D1"]
    assert sorted(names, key=natural_key) == ["S51D1", "SD1", "SD2", "SD10"]
    assert natural_key("1²") == ["", 1, "²"]


def test_the_figures_of_a_split_plan() -> None:
    assert split_plan_facts(sr.split(set1(6))) == {
        "gcd": 10,
        "mean": 7.5,
        "s_max": 3,
        "levels": [[10, 20, 40, 80], [10, 20, 40]],
        "customers": [16, 16],
        "pieces": 72,
    }


def test_vehicles_are_named_by_type_number_and_trip(
    two_depots: tuple[sr.Instance, sr.Solution], square: sr.Instance
) -> None:
    assert vehicle_names(*two_depots) == ["van 1, trip 1", "truck 1", "van 1, trip 2"]
    instance, _ = two_depots
    visits = (sr.Visit(1, 1),)
    routes = [sr.Route(visits), sr.Route(visits, 0, 1), sr.Route(visits), sr.Route(visits, 1)]
    assert vehicle_names(instance, sr.Solution(tuple(routes))) == [
        "van 2",
        "van 1",
        "van 3",
        "truck 1",
    ]
    assert vehicle_names(square, sr.Solution((sr.Route(visits),) * 2)) == ["vehicle 1", "vehicle 2"]


def test_times_without_any_hours_count_from_the_start() -> None:
    instance = sr.Instance.create(9, [5], lat=[53, 53], lon=[10, 10.1], service=5)
    assert time_text(instance, 77.2) == "+1:17"
    with_hours = sr.Instance.create(
        9, [5], lat=[53, 53], lon=[10, 10.1], service=5, windows=[((480, 600),)]
    )
    assert time_text(with_hours, 77.2) == "01:17"


def test_the_only_vehicle_of_a_type_has_no_number() -> None:
    """Its type may be a licence plate."""
    fleet = [sr.VehicleType("HH-AB 100", 9, 1, max_trips=2), sr.VehicleType("van", 9, 2)]
    instance = sr.Instance.create(None, [5], [(0, 0), (1, 2)], vehicles=fleet)
    visits = (sr.Visit(1, 1),)
    trips = [sr.Route(visits, 0, 1, trip) for trip in (1, 2)]
    solution = sr.Solution((*trips, sr.Route(visits, 1)))
    assert vehicle_names(instance, solution) == ["HH-AB 100, trip 1", "HH-AB 100, trip 2", "van 1"]


def test_the_figures_of_a_solution_with_rules(
    two_depots: tuple[sr.Instance, sr.Solution],
) -> None:
    assert solution_facts(*two_depots) == [
        ("cost parts", "fixed 10, distance 156.07, penalties 3"),
        ("distance", "156.07 km"),
        ("vehicles", "van 1 of 2, truck 1"),
        ("times", "first departure 06:35, last return 10:29"),
        ("travel times", "50 km/h, straight lines"),
    ]


def test_a_plain_solution_has_no_further_figures(square: sr.Instance) -> None:
    assert solution_facts(square, sr.Solution.unsplit(square, [[1], [2], [3, 4]])) == []


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"speed": 2.0}, "distance / 2"),
        ({"durations": [[0, 3], [3, 0]]}, "from a matrix"),
        ({"service": 3}, ""),
        ({}, ""),
    ],
)
def test_what_travel_times_are_based_on(arguments: dict[str, Any], text: str) -> None:
    assert travel_text(sr.Instance.create(9, [5], [(0, 0), (3, 4)], **arguments)) == text


def test_the_routes_as_a_table(
    two_depots: tuple[sr.Instance, sr.Solution], square: sr.Instance
) -> None:
    assert route_table(*two_depots) == [
        ("vehicle", "departure", "return", "visits", "load", "cost"),
        ("van 1, trip 1", "07:50", "09:10", "2", "9 of 10", "60.52"),
        ("van 1, trip 2", "09:25", "10:29", "1", "3 of 10", "44.97"),
        ("truck 1", "06:35", "08:08", "2", "6 of 15", "60.57"),
    ]
    rows = route_table(square, sr.Solution.unsplit(square, [[1, 4]]))
    assert rows == [("vehicle", "visits", "load", "cost"), ("vehicle 1", "2", "10 of 10", "12")]
