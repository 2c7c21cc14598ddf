"""Roads in the service: only servers that its operator configured."""

from __future__ import annotations

import contextlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import deliveries
import splitroute as sr
from fake_roads import fake_server, line
from road_servers import monaco
from serving import running
from splitroute.formats.json import dump_instance
from splitroute.roads import _http
from splitroute.web import files, parsing
from splitroute.web.limits import Limits
from splitroute.web.roads import MAX_ROAD_CUSTOMERS, RoadServers


def as_job(instance: sr.Instance, **fields: Any) -> dict[str, Any]:
    return deliveries.as_job(json.loads(dump_instance(instance)), **fields)


CAR = RoadServers.parse(["car=osrm:http://127.0.0.1:9"])


def parse(job: dict[str, Any], roads: RoadServers = CAR) -> Any:
    limits = Limits(10_000, 60.0, roads)
    return parsing.call(parsing.parse_job, json.dumps(job).encode(), limits)


def test_a_job_follows_the_streets(osrm: str, tmp_path: Path) -> None:
    options = ("--roads", f"car={osrm}", "--roads-cache", str(tmp_path / "cache"))
    with running(tmp_path, *options) as service:
        assert service.client.get("/api/info").json()["roads"] == ["car"]
        id = service.post(**as_job(monaco(10), seconds=0.5, roads="car"))
        state = service.wait(id)
        assert state["status"] == "done", state
        solution = state["solution"]
        assert (solution["distances"], state["unit"]) == ("roads (osrm)", "km")
        assert all(len(route["geometry"]) > 10 for route in solution["routes"])
        track = service.client.get(f"/api/jobs/{id}/files/gpx").text
        assert track.count("<trkpt") == sum(len(r["geometry"]) for r in solution["routes"])
        saved = service.client.get(f"/api/jobs/{id}/files/json").json()
        assert saved["cost"] == solution["cost"]
        other = service.client.post(
            "/api/jobs", json=as_job(monaco(3), seconds=0.5, roads="osrm:http://127.0.0.1:9")
        )
        assert other.status_code == 400
        assert other.json()["detail"].endswith("known: car")
        assert other.json()["field"] == "roads"


def test_files_need_no_road_server(tmp_path: Path) -> None:
    """Neither the server nor its cache: both may be gone, or know other roads by now."""
    cache = tmp_path / "cache"
    job = as_job(line(4), seconds=0.5, roads="car")
    with contextlib.ExitStack() as server:
        _, address = server.enter_context(fake_server())
        options = ("--roads", f"car={address}", "--roads-cache", str(cache))
        with running(tmp_path, *options) as service:
            id = service.post(**job)
            state = service.wait(id)
            assert state["status"] == "done", state
            server.close()
            shutil.rmtree(cache)
            path = f"/api/jobs/{id}"
            for kind in files.TYPES:
                response = service.client.get(f"{path}/files/{kind}")
                assert response.status_code == 200, response.text
            saved = service.client.get(f"{path}/files/json").json()
            assert (saved["cost"], saved["distances"]) == (state["cost"], "roads (osrm)")
            levels = service.client.get(f"{path}/split-plan").json()["levels"]
            assert max(level["reach"] for level in levels) == pytest.approx(4.0)


def test_a_job_without_tables_has_no_split_plan_on_roads() -> None:
    request = parse(as_job(monaco(3), roads="car")).request
    refused = parsing.call(parsing.split_plan, request, 2, 2, None)
    assert (refused.field, refused.code) == ("roads", "no_road_tables")


def test_only_configured_servers_are_used() -> None:
    refused = parse(as_job(monaco(3), roads="bus"))
    assert (refused.field, refused.detail) == ("roads", "unknown road server 'bus'; known: car")
    refused = parse(as_job(monaco(3), roads="car"), RoadServers())
    assert refused.detail == "this service has no road servers; omit `roads`"
    assert isinstance(parse(as_job(monaco(3), roads="car")), parsing.ParsedJob)  # unasked


def test_roads_need_latitudes_and_few_customers(square: sr.Instance) -> None:
    assert "lat and lon" in parse(as_job(square, roads="car")).detail
    refused = parse(as_job(monaco(MAX_ROAD_CUSTOMERS + 1), roads="car"))
    assert (refused.code, refused.field) == ("too_large", "roads")


def test_roads_replace_speed_and_metric() -> None:
    refused = parse(as_job(monaco(3), roads="car", speed=30))
    assert (refused.field, refused.detail.endswith("omit roads or speed")) == ("speed", True)
    assert parse(as_job(monaco(3), roads="car", metric="haversine")).field == "metric"
    (warning,) = parse(as_job(replace(monaco(3), speed=30), roads="car")).warnings
    assert warning.startswith("the speed 30 is ignored")


def test_messages_do_not_tell_the_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_http, "FIRST_WAIT_SECONDS", 0.001)
    servers = RoadServers.parse(["car=osrm:http://127.0.0.1:9"], str(tmp_path))
    with pytest.raises(sr.RoadServerError, match="the road server 'car' failed") as caught:
        servers.tables(monaco(3), "car")
    assert "127.0.0.1" not in str(caught.value)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["osrm:http://host"], "it must be a name and a server"),
        (["a=http://host"], "unknown road server 'http'"),
        (["a=osrm:http://x", "a=osrm:http://y"], "two road servers are called 'a'"),
    ],
)
def test_the_operator_learns_of_mistakes(texts: list[str], message: str) -> None:
    with pytest.raises(sr.InputError, match=message):
        RoadServers.parse(texts)
