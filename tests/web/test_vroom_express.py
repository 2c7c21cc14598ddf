"""`POST /vroom` answers as vroom-express does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from road_servers import monaco
from serving import Service, running
from splitroute.errors import InputError
from splitroute.web import parsing, vroom
from splitroute.web.limits import Limits
from splitroute.web.roads import RoadServers
from vroom_requests import EXAMPLE_1, EXAMPLE_2, Request, capacities, oversized


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    limits = ["--max-customers", "50", "--max-seconds", "2"]
    with running(tmp_path_factory.mktemp("vroom"), *limits) as service:
        yield service


def post(service: Service, request: Any) -> tuple[int, Any]:
    response = service.client.post("/vroom", json=request)
    return response.status_code, response.json()


def test_a_request_is_solved(service: Service) -> None:
    status, response = post(service, {**EXAMPLE_2, "options": {"l": 0.3}})
    assert (status, response["code"], response["summary"]["cost"]) == (200, 0, 5461)
    assert response["summary"]["computing_times"]["solving"] > 0
    assert "warnings" not in response
    job = service.client.get("/api/jobs").json()["jobs"][0]
    assert (job["name"], job["status"]) == ("VROOM request", "done")


def test_oversized_jobs_are_split_and_unknown_fields_are_named(service: Service) -> None:
    status, response = post(service, {**oversized(3), "options": {"l": 0.5}, "colour": "red"})
    assert status == 200
    assert response["unassigned"] == []
    assert any("delivery" in s for r in response["routes"] for s in r["steps"])
    assert "colour" in response["warnings"][0]
    job = service.client.get("/api/jobs").json()["jobs"][0]
    assert service.state(job["id"])["warnings"] == response["warnings"]


@pytest.mark.parametrize(
    ("request_", "status", "code", "error"),
    [
        ([], 400, 2, "please add vehicles and jobs"),
        ({"jobs": []}, 400, 2, "please add vehicles and jobs"),
        ({"jobs": [], "vehicles": []}, 400, 2, "vehicles is empty"),
        (EXAMPLE_1, 400, 2, "vehicles[0].breaks is not supported"),
        (capacities(1, 51, 2, 90), 413, 4, "at most 50 are allowed"),
        ({**EXAMPLE_2, "options": {"l": 9}}, 400, 2, "options.l is 9"),
        ({**EXAMPLE_2, "jobs": [{"id": "a"}]}, 400, 2, "jobs[0].id: expected a whole number"),
    ],
)
def test_errors_have_the_codes_of_vroom_express(
    service: Service, request_: Any, status: int, code: int, error: str
) -> None:
    found, response = post(service, request_)
    assert (found, response["code"]) == (status, code)
    assert error in response["error"]


def test_what_is_not_json(service: Service) -> None:
    response = service.client.post("/vroom", content=b"{")
    assert (response.status_code, response.json()["code"]) == (400, 2)


def test_the_token_is_needed(tmp_path: Path) -> None:
    with running(tmp_path, "--token", "secret") as service:
        assert post(service, EXAMPLE_2)[0] == 401


def on_roads() -> Request:
    depot, *places = monaco(6).places
    return {
        "vehicles": [{"id": 7, "start": list(depot), "end": list(depot)}],
        "jobs": [{"id": k, "location": list(place)} for k, place in enumerate(places)],
        "options": {"l": 0.3, "g": True},
    }


def test_coordinates_follow_the_roads(osrm: str, tmp_path: Path) -> None:
    options = ("--roads", f"car={osrm}", "--roads-cache", str(tmp_path / "cache"))
    with running(tmp_path, *options) as service:
        status, response = post(service, on_roads())
    assert (status, response["distances"]) == (200, "roads (osrm)")
    [route] = response["routes"]
    assert route["cost"] == route["duration"] == route["steps"][-1]["duration"]
    assert len(route["geometry"]) > 20
    assert 0 < route["duration"] < route["distance"] < 50_000  # below 1 m/s nobody drives


def test_a_road_server_that_is_down_is_a_routing_error(tmp_path: Path) -> None:
    with running(tmp_path, "--roads", "car=osrm:http://127.0.0.1:9") as service:
        status, response = post(service, on_roads())
    assert (status, response["code"]) == (500, 3)
    assert "127.0.0.1" not in response["error"]


def test_the_road_server_is_that_of_the_profile() -> None:
    roads = RoadServers.parse([f"{name}=osrm:http://127.0.0.1:9" for name in ("car", "bike")])
    limits = Limits(100, 60.0, roads)

    def parse(profile: str | None) -> Any:
        request = on_roads()
        request["vehicles"][0]["profile"] = profile
        return vroom._roads(request, limits.roads)

    assert (parse(None), parse("bike")) == ("car", "bike")
    with pytest.raises(InputError, match="'boat'; the road servers are car, bike"):
        parse("boat")
    assert vroom._roads(EXAMPLE_2, roads) is None
    refused = parsing.call(vroom.parse_job, b"[]", limits)
    assert refused.detail == vroom.NOT_A_REQUEST
