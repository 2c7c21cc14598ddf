"""Lines of routes along the roads, and solutions that were found on roads."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from fake_roads import FakeServer, line

Fake = tuple[FakeServer, str]


def test_a_server_with_a_lower_limit_gets_shorter_lines(
    fake_osrm: Fake, tmp_path: Path, run: Callable[..., Any]
) -> None:
    server, address = fake_osrm
    instance = line(40)
    solution = sr.Solution.unsplit(instance, [list(range(1, 41))])
    whole = sr.with_geometry(instance, solution, address, cache=tmp_path / "whole").geometry
    server.max_stops = 4
    parts = sr.with_geometry(instance, solution, address, cache=tmp_path / "parts").geometry
    assert np.array_equal(whole, parts)
    server.max_stops = 1
    with pytest.raises(sr.RoadServerError, match="refuses routes of any size"):
        sr.with_geometry(instance, solution, address, cache=tmp_path / "none")
    sr.write(line(3), tmp_path / "c.csv")
    roads = ("--roads", address, "--roads-cache", tmp_path / "none")
    out = tmp_path / "out.json"
    result = run("solve", tmp_path / "c.csv", *roads, "--iterations", 50, "--out", out)
    assert result.exit_code == 0
    assert "routes are drawn as straight lines" in result.stderr
    assert out.exists()


@pytest.mark.parametrize("points", [[], [[None, 50.0]], [[0.0]], [0.0, 50.0]])
def test_a_line_that_is_none_is_refused_and_not_kept(
    fake_osrm: Fake, tmp_path: Path, points: object
) -> None:
    server, address = fake_osrm
    server.failures = [(200, {"code": "Ok", "routes": [{"geometry": {"coordinates": points}}]})]
    solution = sr.Solution.unsplit(line(3), [[1, 2, 3]])
    with pytest.raises(sr.RoadServerError, match="its response is not a line"):
        sr.with_geometry(line(3), solution, address, cache=tmp_path)
    drawn = sr.with_geometry(line(3), solution, address, cache=tmp_path)
    assert [len(line) for line in drawn.geometry] == [5]


def test_a_solution_without_routes_has_no_lines(tmp_path: Path) -> None:
    drawn = sr.with_geometry(line(3), sr.Solution(()), "osrm:http://127.0.0.1:9", cache=tmp_path)
    assert drawn.geometry == ()


def test_a_solution_on_roads_is_not_converted_to_straight_lines(
    fake_osrm: Fake, tmp_path: Path, run: Callable[..., Any]
) -> None:
    server, address = fake_osrm
    table, out, copy = (tmp_path / name for name in ("c.csv", "out.json", "copy.json"))
    sr.write(line(3), table)
    roads = ("--roads", address, "--roads-cache", tmp_path / "cache")
    assert run("solve", table, *roads, "--iterations", 50, "--out", out).exit_code == 0
    refused = run("convert", out, copy, "--instance", table)
    assert refused.exit_code == 2
    assert "give the same --roads or --matrix" in refused.stderr
    assert not copy.exists()
    server.requests.clear()
    assert run("convert", out, copy, "--instance", table, *roads).exit_code == 0
    saved, copied = (json.loads(path.read_text()) for path in (out, copy))
    assert (copied["cost"], copied["distances"]) == (saved["cost"], "roads (osrm)")
    assert not server.requests  # all answers are in the cache


def test_a_server_that_stops_after_the_table_costs_only_the_lines(
    fake_osrm: Fake, tmp_path: Path, run: Callable[..., Any]
) -> None:
    server, address = fake_osrm
    sr.write(line(3), tmp_path / "c.csv")
    roads = ("--roads", address, "--roads-cache", tmp_path / "cache")
    assert run("convert", tmp_path / "c.csv", tmp_path / "c.json", *roads).exit_code == 0
    server.failures = [(503, {})] * 20
    out = tmp_path / "out.json"
    result = run("solve", tmp_path / "c.csv", *roads, "--iterations", 50, "--out", out)
    assert result.exit_code == 0
    assert "routes are drawn as straight lines: the road server" in result.stderr
    assert "geometry" not in out.read_text()
    # The matrix in the JSON needs no server.
    again = sr.read(tmp_path / "c.json")
    assert (again.roads, again.is_globe, again.distance(0, 3)) == ("osrm", True, 3.0)
