"""Against the real OSRM: matrix, solution and geometry."""

import json
import urllib.request
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import splitroute as sr
from conftest import ROOT
from road_servers import monaco, osrm_server
from splitroute.roads import _http
from splitroute.solution import route_costs, route_places

Run = Callable[..., Any]
METRE = 0.001  # km


def server_legs(address: str, points: np.ndarray[Any, Any]) -> list[float]:
    """Distances in km that the server itself states for the legs of a route."""
    places = ";".join(f"{x:.6f},{y:.6f}" for x, y in points.tolist())
    url = f"{address.removeprefix('osrm:')}/route/v1/driving/{places}?continue_straight=false"
    with urllib.request.urlopen(url) as response:
        (route,) = json.load(response)["routes"]
    return [leg["distance"] / 1000 for leg in route["legs"]]


def test_sixty_customers_from_matrix_to_geometry(osrm: str, tmp_path: Path) -> None:
    instance = sr.with_roads(monaco(60), osrm, cache=tmp_path)
    assert (instance.metric, instance.roads, instance.is_globe) == ("matrix", "osrm", True)
    assert not instance.symmetric  # there are one-way streets
    assert instance.duration(0, 1) != instance.distance(0, 1)
    result = sr.solve(instance, stop=sr.Stop(iterations=2000), bound=0)
    assert "roads (osrm)" in result.summary()
    solution = sr.with_geometry(instance, result.solution, osrm, cache=tmp_path)
    stops = [route_places(instance, route) for route in solution.routes]
    costs = route_costs(instance, solution)
    for route, cost, places, line in zip(
        solution.routes, costs, stops, solution.geometry, strict=True
    ):
        legs = server_legs(osrm, instance.xy[places])
        assert len(legs) == len(route.visits) + 1
        for a, b, length in zip(places, places[1:], legs, strict=False):
            assert abs(instance.distance(a, b) - length) <= METRE
        assert abs(cost - sum(legs)) <= METRE * len(legs)
        # The line is as long as the route: its straight pieces add up.
        pieces = zip(line.tolist(), line[1:].tolist(), strict=False)
        length = sum(
            sr.Instance.create(1, [1], lat=[a[1], b[1]], lon=[a[0], b[0]]).distance(0, 1)
            for a, b in pieces
        )
        assert length == pytest.approx(cost, rel=0.02)


def test_roads_are_longer_than_straight_lines(osrm: str, tmp_path: Path) -> None:
    instance = monaco(20)
    roads = sr.with_roads(instance, osrm, cache=tmp_path)
    near_a_road = 0.2  # km, at both ends
    assert (roads.table >= instance.table - 2 * near_a_road).all()
    assert roads.table.sum() > 1.2 * instance.table.sum()
    # Between 10 and 60 km/h: minutes and kilometres.
    is_far = roads.table > 1
    speeds = 60 * roads.table[is_far] / roads.durations[is_far]  # type: ignore[index]
    assert 10 < speeds.mean() < 60


def test_blocks_give_the_same_table(
    osrm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = sr.with_roads(monaco(60), osrm, cache=tmp_path / "a")
    monkeypatch.setattr("splitroute.roads.osrm.MAX_PLACES", 7)  # 9 x 9 blocks, the last of 5
    told: list[tuple[int, int]] = []
    blocks = sr.with_roads(
        monaco(60), osrm, cache=tmp_path / "b", listener=lambda *progress: told.append(progress)
    )
    assert told == [(k, 81) for k in range(1, 82)]
    assert blocks == whole


def test_a_server_killed_midway_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("splitroute.roads.osrm.MAX_PLACES", 20)
    monkeypatch.setattr(_http, "FIRST_WAIT_SECONDS", 0.01)
    requests: list[str] = []
    fetch = _http._fetch_once

    def count(url: str, body: object) -> _http.Response:
        requests.append(url)
        return fetch(url, body)

    monkeypatch.setattr(_http, "_fetch_once", count)
    instance = monaco(60)
    with osrm_server() as (address, process):

        def kill(done: int, total: int) -> None:
            if done == 5:
                process.kill()
                process.wait()

        with pytest.raises(sr.RoadServerError, match="connection refused; is it running") as caught:
            sr.with_roads(instance, address, cache=tmp_path, listener=kill)
        assert caught.value.field == "roads"
        assert address.removeprefix("osrm:") in str(caught.value)
    requests.clear()
    with osrm_server(port=int(address.rpartition(":")[2])) as (again, _):
        complete = sr.with_roads(instance, again, cache=tmp_path)
        assert len(requests) == 16 - 5
        assert complete == sr.with_roads(instance, again, cache=tmp_path / "new")


def test_everything_from_the_cache_needs_no_server(tmp_path: Path) -> None:
    with osrm_server() as (address, _):
        first = sr.with_roads(monaco(30), address, cache=tmp_path)
        solution = sr.Solution.unsplit(first, [[1, 2], [3]])
        lines = sr.with_geometry(first, solution, address, cache=tmp_path).geometry
    assert sr.with_roads(monaco(30), address, cache=tmp_path) == first
    again = sr.with_geometry(first, solution, address, cache=tmp_path).geometry
    assert all(map(np.array_equal, again, lines))


def test_a_customer_far_from_any_road_is_named(osrm: str, tmp_path: Path) -> None:
    at_sea = sr.Instance.create(
        10, [1, 1], lat=[43.7384, 43.735, 43.7270], lon=[7.4246, 7.42, 7.4330], ids=["Ann", "Boat"]
    )
    with pytest.warns(sr.InputWarning, match=r"customer 'Boat' is [\d,]+ m from the nearest road"):
        sr.with_roads(at_sea, osrm, cache=tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sr.with_roads(monaco(5), osrm, cache=tmp_path)


def test_the_command_line(osrm: str, tmp_path: Path, run: Run) -> None:
    table, out, track = (tmp_path / name for name in ("c.csv", "out.json", "out.gpx"))
    sr.write(monaco(12), table)
    roads = ("--roads", osrm, "--roads-cache", tmp_path / "cache")
    solved = run(
        "solve", table, *roads, "--iterations", 200, "--out", out, "--plot", tmp_path / "r.svg"
    )
    assert solved.exit_code == 0, solved.output
    assert "roads (osrm)" in solved.stdout
    saved = json.loads(out.read_text())
    assert saved["distances"] == "roads (osrm)"
    assert all(len(route["geometry"]) > 10 for route in saved["routes"])
    assert run("check", table, out, *roads).exit_code == 0
    without = run("check", table, out)
    assert without.exit_code == 1
    assert "read it with the same roads or matrix" in without.stdout
    assert run("convert", out, track, "--instance", table, *roads).exit_code == 0
    assert track.read_text().count("<trkpt") == sum(len(r["geometry"]) for r in saved["routes"])
    straight = json.loads(run("solve", table, "--iterations", 50, "--json").stdout)
    assert straight["distances"] == "straight lines"
    assert "geometry" not in straight["routes"][0]


def test_data_frames_and_models_take_roads(osrm: str, tmp_path: Path) -> None:
    kiosks = ROOT / "examples" / "kiosks.csv"
    expected = sr.read(kiosks, roads=osrm, roads_cache=tmp_path)
    frame = pd.read_csv(kiosks, comment="#")
    roads: dict[str, Any] = {"roads": osrm, "roads_cache": tmp_path}
    assert sr.Instance.from_dataframe(frame, capacity=60, name="kiosks", **roads) == expected
    model = sr.Model("kiosks", **roads)
    model.add_vehicle_type(60)
    for row in frame.itertuples():
        if row.id == "depot":
            model.add_depot(lat=row.lat, lon=row.lon)
        else:
            model.add_customer(lat=row.lat, lon=row.lon, demand=row.demand, id=row.id)
    assert model.instance() == expected
