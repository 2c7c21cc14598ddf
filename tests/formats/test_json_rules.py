"""JSON instances with time windows, vehicle types, depots and rules for splitting."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import splitroute as sr
from splitroute.formats import parse
from splitroute.formats.json import dump_instance, schemas
from splitroute.instance import Depot, VehicleType

RULES: dict[str, Any] = {
    "name": "it",
    "depots": [
        {"id": "north", "x": 0, "y": 0, "windows": [["6:00", "22:00"]]},
        {"id": "south", "x": 0, "y": 9},
    ],
    "vehicles": [
        {
            "type": "van",
            "count": 2,
            "capacity": 2.5,
            "shift": ["08:00", "17:30:30"],
            "max_trips": 2,
            "loading": "0:20",
            "loading_per_unit": 0.5,
        },
        {
            "type": "truck",
            "count": None,
            "capacity": 12,
            "depot": "south",
            "end_depot": "north",
            "fixed_cost": 80,
            "cost_per_distance": 1.5,
            "cost_per_time": 0.2,
            "max_distance": 200,
            "max_duration": 480,
            "max_stops": 9,
            "min_load": 3,
        },
    ],
    "customers": [
        {
            "id": "a",
            "x": 3,
            "y": 4,
            "demand": 6,
            "windows": [[780, 900], ["08:30", "12:00"]],
            "service": 10,
            "service_per_unit": 1.5,
            "min_drop": 1.5,
            "max_visits": 3,
            "lot": 0.5,
            "extra_visit_cost": 7,
            "vehicle_types": ["van"],
            "penalty": 20,
        },
        {"id": "b", "x": 3, "y": 5, "demand": 2, "splittable": False},
    ],
    "durations": [[0, 1, 2, 3], [1, 0, 4, 5], [2, 4, 0, 6], [3, 5, 6, 0]],
    "speed": 0.5,
    "partial": True,
}


def changed(**changes: Any) -> dict[str, Any]:
    return {key: v for key, v in {**RULES, **changes}.items() if v is not None}


def customer(**changes: Any) -> dict[str, Any]:
    return changed(customers=[{**RULES["customers"][0], **changes}, RULES["customers"][1]])


def vehicle(**changes: Any) -> dict[str, Any]:
    return changed(vehicles=[RULES["vehicles"][0], {**RULES["vehicles"][1], **changes}])


def test_every_rule_is_read() -> None:
    instance = parse(json.dumps(RULES), "it.json")
    a, b = instance.customers
    assert instance.unit == Decimal("0.5")
    assert (a.demand, a.place, a.windows) == (12, 2, ((510.0, 720.0), (780.0, 900.0)))
    assert (a.service, a.service_per_unit, a.min_drop, a.max_visits) == (10.0, 1.5, 3, 3)
    assert (a.lot, a.extra_visit_cost, a.vehicle_types, a.penalty) == (1, 7.0, ("van",), 20.0)
    assert (b.splittable, b.windows, b.penalty) == (False, (), None)
    assert instance.depots == (Depot("north", 0, ((360.0, 1320.0),)), Depot("south", 1))
    assert instance.fleet == (
        VehicleType(
            "van", 5, 2, shift=(480.0, 1050.5), max_trips=2, loading=20.0, loading_per_unit=0.5
        ),
        VehicleType(
            "truck", 24, None, "south", "north", fixed_cost=80.0, cost_per_distance=1.5,
            cost_per_time=0.2, max_distance=200.0, max_duration=480.0, max_stops=9, min_load=6,
        ),
    )  # fmt: skip
    assert instance.capacity == 24
    assert instance.duration(2, 3) == 6
    assert (instance.speed, instance.clock, instance.partial) == (0.5, True, True)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"clock": False},
        {"durations": None, "partial": None, "speed": None},
        {"depots": None, "depot": {"id": "north", "x": 0, "y": 0}, "vehicles": 3, "capacity": 4.5},
    ],
)
def test_what_is_written_is_read_back(changes: dict[str, Any]) -> None:
    data = changed(**changes)
    if "depot" in data:
        del data["durations"]
        data["customers"] = [{**c, "vehicle_types": None} for c in data["customers"]]
    instance = parse(json.dumps(data), "it.json")
    text = dump_instance(instance)
    assert parse(text, "it.json") == instance
    for document in (data, json.loads(text)):
        jsonschema.validate(document, schemas()["instance"])


def test_times_of_day_are_written_as_such() -> None:
    data = json.loads(dump_instance(parse(json.dumps(RULES), "it.json")))
    assert data["customers"][0]["windows"] == [["08:30", "12:00"], ["13:00", "15:00"]]
    assert data["vehicles"][0]["shift"] == ["08:00", "17:30:30"]
    assert "clock" not in data


def test_numbers_in_the_plane_are_no_times_of_day() -> None:
    data = {
        "capacity": 5,
        "depot": {"x": 0, "y": 0},
        "customers": [{"x": 1, "y": 1, "demand": 2, "windows": [[0, 7.25]]}],
    }
    instance = parse(json.dumps(data), "it.json")
    assert not instance.clock
    assert json.loads(dump_instance(instance))["customers"][0]["windows"] == [[0.0, 7.25]]


def test_a_plain_instance_states_no_rules() -> None:
    instance = sr.Instance.create(5, [2], [(0, 0), (1, 2)], name="it")
    assert dump_instance(instance) == (
        '{"name":"it","capacity":5,"unit":1,"metric":"exact","splittable":true,'
        '"pass_through":false,"depot":{"x":0.0,"y":0.0},'
        '"customers":[{"x":1.0,"y":2.0,"id":"1","demand":2}]}\n'
    )


def test_types_without_a_capacity_have_that_of_the_instance() -> None:
    data = changed(
        capacity=7, vehicles=[{"type": "van"}, {"type": "truck", "capacity": 9, "depot": "south"}]
    )
    instance = parse(json.dumps(data), "it.json")
    assert [v.capacity * instance.unit for v in instance.fleet] == [7, 9]


def test_a_given_capacity_replaces_that_of_the_only_type() -> None:
    data = changed(vehicles=[{"type": "van", "capacity": 9, "end_depot": "south"}])
    assert parse(json.dumps(data), "it.json", capacity=50).fleet[0].capacity == 100
    with pytest.raises(sr.InputError, match="capacity is 50, but there are 2 vehicle types"):
        parse(json.dumps(RULES), "it.json", capacity=50)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (customer(windows=[["08:30", "8:00"]]), r"customers\[0\].windows\[0\]: ends at 8:00, befo"),
        (customer(windows=[[9, 8]]), r"customers\[0\].windows\[0\]: ends at 8, before it starts"),
        (customer(windows=[[9]]), r"customers\[0\].windows\[0\]: expected two times"),
        (customer(windows=["9-10"]), r"customers\[0\].windows\[0\]: expected two times, such"),
        (
            customer(windows=[["9", 10]]),
            r"customers\[0\].windows\[0\]: expected a number or a t",
        ),
        (
            customer(service=-1),
            r"customers\[0\].service: expected a number of at least 0; found",
        ),
        (
            customer(service="8:60"),
            r"customers\[0\].service: expected a number or a time such",
        ),
        (
            customer(splittable="no"),
            r"customers\[0\].splittable: expected true or false; found",
        ),
        (
            customer(max_visits=0),
            r"customers\[0\].max_visits: expected a number of at least 1; found 0",
        ),
        (customer(lot=0), "lot of customer 1 is 0; it must be a number above 0"),
        (customer(min_drop=-1), "min_drop of customer 1 is -1; it must be a number of at least 0"),
        (
            customer(vehicle_types="van"),
            r"customers\[0\].vehicle_types: expected a list; found 'van'",
        ),
        (customer(penalty=True), r"customers\[0\].penalty: expected a number; found true"),
        (customer(windws=[]), r"customers\[0\]: unknown field 'windws'; did you mean 'windows'"),
        (vehicle(capacity="9"), r"vehicles\[1\].capacity: expected a number; found '9'"),
        (vehicle(capacity=None), r"vehicles\[1\].capacity: no capacity of vehicle type 'truck'"),
        (vehicle(capacity=0), r"capacity of vehicle type 'truck' is 0; it must be a number above"),
        (vehicle(fixed_cost=-3), r"vehicles\[1\].fixed_cost: expected a number of at least 0"),
        (vehicle(shift=[5, 4]), r"vehicles\[1\].shift: ends at 4, before it starts at 5"),
        (vehicle(type=3), r"vehicles\[1\].type: expected a string; found 3"),
        (vehicle(colour="red"), r"vehicles\[1\]: unknown field 'colour'"),
        (changed(vehicles=[]), "vehicles: empty; it must be a number, or a list"),
        (changed(vehicles="2"), "vehicles: expected a whole number; found '2'"),
        (changed(depots=[]), "depots: empty; it must have an item"),
        (changed(depot={"x": 0, "y": 0}), "depots: found both depot and depots"),
        (changed(depots=[{"id": 7}]), r"depots\[0\].id: expected a string; found 7"),
        (changed(vehicles=4), "capacity: missing"),
        (changed(speed=0), "speed: expected a number above 0; found 0"),
        (changed(durations=[["1"]]), r"durations\[0\]\[0\]: expected a number; found '1'"),
        (customer(min_drop=7), r"customers\[0\].min_drop: min_drop of customer 1 .a. is 7.0; it"),
        (customer(vehicle_types=["car"]), r"customers\[0\].vehicle_types: .*'car' is unknown; the"),
        (vehicle(depot="west"), r"vehicles\[1\].depot: depot of .* the depots are 'north', 'so"),
        (changed(depots=[RULES["depots"][0]] * 2), r"depots\[1\].id: id of depot 'north' is"),
        (changed(partial=1), "partial: expected true or false; found 1"),
    ],
)
def test_errors_name_path_value_and_what_is_allowed(data: dict[str, Any], message: str) -> None:
    with pytest.raises(sr.InputError, match=f"^it.json: {message}"):
        parse(json.dumps(data), "it.json")


def test_several_errors_of_the_fleet_are_reported_at_once() -> None:
    vehicles = [{"type": 1}, {"type": "a", "count": 0}, {"capacity": 4}]
    with pytest.raises(sr.InputError) as caught:
        parse(json.dumps(changed(vehicles=vehicles)), "it.json")
    assert [error.field for error in caught.value.errors] == [
        "vehicles[0].type",
        "vehicles[1].count",
        "vehicles[2].type",
    ]


def test_decimals_of_every_quantity_decide_on_the_unit(tmp_path: Path) -> None:
    data = customer(min_drop=1.25)
    assert parse(json.dumps(data), "it.json").unit == Decimal("0.25")
