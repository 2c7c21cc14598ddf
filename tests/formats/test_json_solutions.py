"""JSON solutions of instances with vehicle types, times and undelivered quantities."""

import json
from typing import Any

import jsonschema
import pytest

import splitroute as sr
from splitroute.formats.json import dump_solution, parse_solution, schemas
from splitroute.instance import VehicleType
from splitroute.solution import Route, Solution, Visit

INSTANCE = sr.Instance.create(
    None,
    [6, 4],
    [(0, 0), (3, 4), (6, 8)],
    name="it",
    ids=["a", "b"],
    vehicles=[
        VehicleType("van", 4, 1, fixed_cost=5.0, cost_per_distance=2.0),
        VehicleType("truck", 8, 2, cost_per_time=0.5, shift=(0.0, 90.0), max_trips=2),
    ],
    windows=[((8.0, 20.0),), ()],
    service=[3.0, 0.0],
    penalty=[None, 10.0],
    extra_visit_cost=1.0,
)
SOLUTION = Solution(
    (
        Route((Visit(1, 5),), 1, 2, 1, 3.0),
        Route((Visit(1, 1), Visit(2, 1)), 1, 2, 2, 20.0),
        Route((Visit(2, 1),), 0, 1),
    )
)


def dump(instance: sr.Instance = INSTANCE, solution: Solution = SOLUTION) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(dump_solution(instance, solution))
    return data


def test_routes_state_vehicle_trip_and_times() -> None:
    data = dump()
    jsonschema.validate(data, schemas()["solution"])
    assert data["routes"][0] == {
        "vehicle_type": "truck",
        "vehicle": 2,
        "trip": 1,
        "start": 3,
        "end": 16,
        "visits": [{"customer": 1, "id": "a", "quantity": 5, "arrival": 8, "start": 8, "end": 11}],
        "load": 5,
        "cost": 16.5,
    }
    assert data["routes"][2]["vehicle_type"] == "van"


def test_the_parts_of_the_cost_and_what_is_not_delivered_are_listed() -> None:
    data = dump()
    parts = data["cost_parts"]
    assert parts == {
        "fixed": 5, "distance": 70, "time": 18, "extra_visits": 2, "penalties": 20
    }  # fmt: skip
    assert data["cost"] == sum(parts.values())
    (undelivered,) = data["undelivered"]
    reason = "the penalty of 10 per unit costs less than any delivery found"
    assert undelivered == {"customer": 2, "id": "b", "quantity": 2, "reason": reason}


def test_what_is_written_is_read_back() -> None:
    parsed = parse_solution(json.dumps(dump()), INSTANCE, "it.json")
    kept = [(r.visits, r.vehicle_type, r.vehicle, r.trip) for r in parsed.solution.routes]
    assert kept == [(r.visits, r.vehicle_type, r.vehicle, r.trip) for r in SOLUTION.routes]
    assert parsed.solution.routes[0].start == 3.0
    assert dump(INSTANCE, parsed.solution) == dump()


def test_a_plain_solution_states_neither_vehicles_nor_times() -> None:
    instance = sr.Instance.create(5, [2, 3], [(0, 0), (3, 4), (6, 8)], name="it")
    text = dump_solution(instance, Solution.unsplit(instance, [[1, 2]]))
    visits = [{"customer": 1, "quantity": 2}, {"customer": 2, "quantity": 3}]
    routes = [{"visits": visits, "load": 5, "cost": 20}]
    data: dict[str, object] = {"instance": "it", "metric": "exact"}
    data |= {"distances": "straight lines", "cost": 20, "routes": routes}
    assert text == json.dumps(data, indent=1) + "\n"


def test_an_unknown_vehicle_type_is_an_error() -> None:
    data = dump()
    data["routes"][1]["vehicle_type"] = "lorry"
    message = "vehicle_type of route 2 is lorry; the vehicle types are van, truck"
    with pytest.raises(sr.InputError, match=message):
        parse_solution(json.dumps(data), INSTANCE, "it.json")


@pytest.mark.parametrize(("field", "value"), [("vehicle", 0), ("trip", "1"), ("start", "8:30")])
def test_bad_values_are_errors(field: str, value: object) -> None:
    data = dump()
    data["routes"][1][field] = value
    with pytest.raises(sr.InputError, match=rf"routes\[1\].{field}: expected a"):
        parse_solution(json.dumps(data), INSTANCE, "it.json")


def false_claims(data: dict[str, Any]) -> list[str]:
    parsed = parse_solution(json.dumps(data), INSTANCE, "it.json")
    claims = ("cost", "time", "undelivered")
    return [v.kind for v in parsed.violations(INSTANCE) if v.kind in claims]


def test_what_is_written_is_true() -> None:
    assert false_claims(dump()) == []


def test_stated_times_costs_and_undelivered_quantities_are_checked() -> None:
    data = dump()
    data["routes"][0]["end"] = 17
    assert false_claims(data) == ["time"]
    data["routes"][0]["visits"][0]["arrival"] = 7.99
    assert false_claims(data) == ["time", "time"]
    data["cost_parts"]["penalties"] = 10
    assert false_claims(data) == ["time", "time", "cost"]
    data["undelivered"][0]["quantity"] = 1
    assert false_claims(data) == ["undelivered", "time", "time", "cost"]


def test_times_without_a_departure_are_not_checked() -> None:
    data = dump()
    data["routes"][0]["end"] = 17
    del data["routes"][0]["start"]
    assert false_claims(data) == []
