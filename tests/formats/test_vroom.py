"""Requests and responses of VROOM, with VROOM itself as the reference."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from splitroute import formats
from splitroute.errors import InputError
from splitroute.formats import vroom as vroom_format
from splitroute.formats._vroom_response import encode_polyline
from splitroute.instance import Instance
from splitroute.solution import route_costs
from vroom_requests import (
    EXAMPLE_2,
    MATRIX,
    OVERSIZED,
    SERVED,
    SHORT,
    Request,
    capacities,
    windows,
)

pyvroom = pytest.importorskip("vroom")

# What our responses have in addition to VROOM's.
ADDED = {"distances", "reason", "distance"}
ITERATIONS = sr.Stop(iterations=500)


def read(request: Request) -> Instance:
    return formats.parse(json.dumps(request), "request.json")


def solve(request: Request, stop: sr.Stop = ITERATIONS) -> dict[str, Any]:
    """Our response."""
    instance = read(request)
    result = sr.solve(instance, stop=stop)
    text = vroom_format.dump_solution(instance, result.solution, result.metadata())
    response: dict[str, Any] = json.loads(text)
    return response


def ask_vroom(request: Request, folder: Path, level: int = 0) -> dict[str, Any]:
    """VROOM's response."""
    path = folder / "request.json"
    path.write_text(json.dumps(request))
    solution = pyvroom.Input.from_json(path).solve(exploration_level=level, nb_threads=1)
    response: dict[str, Any] = solution.to_dict()
    return response


def structure(value: Any) -> Any:
    """The keys of all objects; of a list, those of all items together."""
    if isinstance(value, dict):
        return {key: structure(item) for key, item in value.items() if key not in ADDED}
    if isinstance(value, list):
        kinds = [structure(item) for item in value]
        return sorted({json.dumps(kind) for kind in kinds})
    return type(value).__name__


def follow(request: Request, response: dict[str, Any]) -> Request:
    """The request with the routes of a response; VROOM refuses those that break a rule."""
    steps = {
        route["vehicle"]: [
            {"type": step["type"], **({"id": step["id"]} if "id" in step else {})}
            for step in route["steps"]
        ]
        for route in response["routes"]
    }
    vehicles = [
        {**vehicle, "steps": steps[vehicle["id"]]} if vehicle["id"] in steps else vehicle
        for vehicle in request["vehicles"]
    ]
    return {**request, "vehicles": vehicles}


@pytest.mark.parametrize("name", [*SERVED, *SHORT])
def test_solutions_of_vroom_are_valid_and_cost_the_same(name: str, tmp_path: Path) -> None:
    request = {**SERVED, **SHORT}[name]()
    response = ask_vroom(request, tmp_path)
    instance = read(request)
    solution = vroom_format.parse_solution(json.dumps(response), instance, "").solution
    assert sr.validate(instance, solution) == []
    costs = [math.floor(cost + 1e-6) for cost in route_costs(instance, solution)]
    assert sum(costs) == response["summary"]["cost"]
    again = json.loads(vroom_format.dump_solution(instance, solution))
    for key in ("summary", "routes"):
        assert _comparable(again[key]) == _comparable(response[key])


def _comparable(value: Any) -> Any:
    """Without times of computing and what VROOM leaves out."""
    if isinstance(value, dict):
        ignored = {"computing_times", *ADDED}
        return {key: _comparable(v) for key, v in value.items() if key not in ignored}
    return [_comparable(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", [*SERVED, *SHORT])
def test_vroom_accepts_our_routes(name: str, tmp_path: Path) -> None:
    request = {**SERVED, **SHORT}[name]()
    response = solve(request)
    improved = ask_vroom(follow(request, response), tmp_path)
    assert improved["summary"]["priority"] >= response["summary"]["priority"]
    assert improved["summary"]["unassigned"] <= response["summary"]["unassigned"]


@pytest.mark.parametrize("name", [*SERVED, *SHORT])
def test_responses_have_the_structure_of_vrooms(name: str, tmp_path: Path) -> None:
    request = {**SERVED, **SHORT}[name]()
    ours, theirs = solve(request), ask_vroom(request, tmp_path)
    for key in ("code", "summary", "routes"):
        assert structure(ours[key]) == structure(theirs[key])
    if ours["unassigned"] and theirs["unassigned"]:
        assert structure(ours["unassigned"]) == structure(theirs["unassigned"])
    assert list(ours)[:4] == list(theirs)


def test_the_documented_example(tmp_path: Path) -> None:
    ours, theirs = solve(EXAMPLE_2), ask_vroom(EXAMPLE_2, tmp_path)
    assert ours["summary"]["cost"] == theirs["summary"]["cost"] == 5461
    assert _comparable(ours["routes"]) == _comparable(theirs["routes"])


@pytest.mark.parametrize("name", OVERSIZED)
def test_oversized_jobs_are_split(name: str, tmp_path: Path) -> None:
    request = OVERSIZED[name]()
    large = {job["id"]: job["delivery"][0] for job in request["jobs"] if job["delivery"][0] > 80}
    theirs = ask_vroom(request, tmp_path)
    assert {job["id"] for job in theirs["unassigned"]} >= large.keys()
    ours = solve(request, sr.Stop(iterations=3000))
    assert ours["unassigned"] == []
    parts: dict[int, list[int]] = {}
    for route in ours["routes"]:
        assert route["delivery"][0] <= 80
        for step in route["steps"]:
            if "delivery" in step:
                parts.setdefault(step["id"], []).append(step["delivery"][0])
    assert {job: sum(amounts) for job, amounts in parts.items()} == large
    instance = read(request)
    solution = vroom_format.parse_solution(json.dumps(ours), instance, "").solution
    assert sr.validate(instance, solution) == []


def test_what_is_left_of_an_oversized_job_is_unassigned() -> None:
    request = {
        "vehicles": [{"id": 1, "start_index": 0, "capacity": [10]}],
        "jobs": [{"id": 5, "location_index": 1, "delivery": [13]}],
        "matrix": MATRIX,
    }
    response = solve(request)
    [route], [left] = response["routes"], response["unassigned"]
    assert route["steps"][1]["delivery"] == [10]
    assert (left["id"], left["delivery"]) == (5, [3])
    assert "too small by 3" in left["reason"]


def test_jobs_that_fit_are_not_split() -> None:
    request = capacities(5, 8, 8, 20)
    for job in request["jobs"]:
        job["delivery"] = [11]
    request["jobs"][0]["delivery"] = [30]
    response = solve(request)
    visits = [s["id"] for r in response["routes"] for s in r["steps"] if s["type"] == "job"]
    assert visits.count(100) > 1
    assert sorted(id for id in visits if id != 100) == list(range(101, 108))


def test_priorities_come_first() -> None:
    request = capacities(1, 10, 1, 20)
    for job in request["jobs"]:
        job["delivery"] = [10]
    request["jobs"][3]["priority"] = request["jobs"][7]["priority"] = 1
    response = solve(request)
    served = {s["id"] for r in response["routes"] for s in r["steps"] if s["type"] == "job"}
    assert served == {103, 107}
    assert response["summary"]["priority"] == 2


def test_straight_lines_without_matrices() -> None:
    request = {
        "vehicles": [{"id": 1, "start": [10.0, 53.5], "end": [10.0, 53.5]}],
        "jobs": [{"id": 1, "location": [10.1, 53.6]}, {"id": 2, "location": [10.2, 53.5]}],
    }
    response = solve(request)
    assert response["distances"] == "straight lines at 50 km/h"
    [route] = response["routes"]
    assert route["steps"][1]["location"] in ([10.1, 53.6], [10.2, 53.5])
    km = route["distance"] / 1000
    assert route["duration"] == pytest.approx(km / 50 * 3600, abs=3)
    faster = formats.parse(json.dumps(request), "request.json", speed=100)
    assert sr.solve(faster, stop=ITERATIONS).cost == pytest.approx(route["cost"] / 2, abs=3)


def test_the_polyline_of_its_documentation() -> None:
    # https://developers.google.com/maps/documentation/utilities/polylinealgorithm
    line = np.array([[-120.2, 38.5], [-120.95, 40.7], [-126.453, 43.252]])
    assert encode_polyline(line) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@"


def test_speed_factor(tmp_path: Path) -> None:
    request = windows(3, 12, 2, 9000)
    for vehicle in request["vehicles"]:
        vehicle["speed_factor"] = 1.5
    theirs = ask_vroom(request, tmp_path)
    instance = read(request)
    solution = vroom_format.parse_solution(json.dumps(theirs), instance, "").solution
    assert sr.validate(instance, solution) == []
    assert sum(route_costs(instance, solution)) == pytest.approx(theirs["summary"]["cost"], abs=2)


def test_routes_without_visits_are_left_out() -> None:
    instance = read(EXAMPLE_2)
    empty, one = sr.Route(()), sr.Route((sr.Visit(1, instance.customers[0].demand),))
    response = json.loads(vroom_format.dump_solution(instance, sr.Solution((empty, one))))
    assert [len(route["steps"]) for route in response["routes"]] == [3]


@pytest.mark.parametrize("vehicle", [(0, 99), (99, 0), (99, 1)])
def test_vehicles_that_there_are_not_are_refused(vehicle: tuple[int, int]) -> None:
    instance = read(capacities(1, 3, 1, 60))
    wrong = sr.Route((sr.Visit(1, 1),), *vehicle)
    several = [sr.Route((sr.Visit(k, 1),)) for k in (1, 2, 3)]
    for solution in (sr.Solution((wrong,)), sr.Solution(tuple(several))):
        with pytest.raises(InputError, match="uses vehicles that the request does not have"):
            vroom_format.dump_solution(instance, solution)


def test_customers_are_counted_once() -> None:
    request = capacities(1, 3, 1, 60)
    for job in request["jobs"]:
        job["location"] = [10.0, 53.5]
    assert formats.min_customers(json.dumps(request), "vroom") == 3
    del request["jobs"][0]["location_index"]
    assert formats.min_customers(json.dumps(request), "vroom") == 3


def test_a_response_is_for_its_request_only() -> None:
    response = solve(EXAMPLE_2)
    with pytest.raises(InputError, match="no vehicle 0"):
        vroom_format.parse_solution(json.dumps(response), read(capacities(1, 3, 1, 60)), "r.json")
    plain = sr.Instance.create(5, [1], [(0, 0), (1, 1)])
    with pytest.raises(InputError, match="needs the request"):
        vroom_format.parse_solution(json.dumps(response), plain, "r.json")
    with pytest.raises(InputError, match="not read from a request"):
        vroom_format.dump_solution(plain, sr.Solution(()))
    refusal = json.dumps({"code": 2, "error": "no"})
    with pytest.raises(InputError, match="is an error: no"):
        vroom_format.parse_solution(refusal, read(EXAMPLE_2), "r.json")
