"""What road servers may do: fail, refuse, and know no way."""

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from splitroute.roads import RoadServer, _cache, _http

Response = tuple[int, Any]


class FakeServer:
    """An OSRM that responds as told, and remembers the requests."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.failures: list[Response] = []  # given first
        self.metres: Callable[[tuple[float, float], tuple[float, float]], float | None] = (
            lambda a, b: abs(a[0] - b[0]) * 1e5 + abs(a[1] - b[1]) * 1e5
        )
        self.max_entries = 10_000
        self.snapped = 1.0

    def respond(self, path: str) -> Response:
        self.requests.append(path)
        if self.failures:
            return self.failures.pop(0)
        places, _, query = path.rpartition("/")[2].partition("?")
        points = [tuple(map(float, place.split(","))) for place in places.split(";")]
        options = dict(option.split("=", 1) for option in query.split("&"))
        sides = [
            [points[int(k)] for k in options[side].split(";")] if side in options else points
            for side in ("sources", "destinations")
        ]
        if len(sides[0]) * len(sides[1]) > self.max_entries:
            return 400, {"code": "TooBig", "message": "Too many table coordinates"}
        table = [[self.metres(a, b) for b in sides[1]] for a in sides[0]]  # type: ignore[arg-type]
        near = [{"distance": self.snapped} for _ in sides[0]]
        seconds = [[None if m is None else m / 10 for m in row] for row in table]
        return 200, {"code": "Ok", "distances": table, "durations": seconds, "sources": near}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[FakeServer, str]]:
    monkeypatch.setattr(_http, "FIRST_WAIT_SECONDS", 0.001)
    server = FakeServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, data = server.respond(self.path)
            body = data if isinstance(data, bytes) else json.dumps(data).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        yield server, f"osrm:http://127.0.0.1:{listener.server_port}"
        listener.shutdown()
        thread.join()


def line(count: int, **arguments: Any) -> sr.Instance:
    """Customers c1, c2, ... eastwards of the depot, 0.01 degrees apart."""
    lon = [0.01 * k for k in range(count + 1)]
    ids = [f"c{k}" for k in range(1, count + 1)]
    lat = [50.0] * (count + 1)
    return sr.Instance.create(10, [1] * count, lat=lat, lon=lon, ids=ids, **arguments)


def test_distances_are_km_and_durations_minutes(
    fake: tuple[FakeServer, str], tmp_path: Path
) -> None:
    instance = sr.with_roads(line(3, speed=30), fake[1], cache=tmp_path)
    assert instance.distance(0, 3) == pytest.approx(3)
    assert instance.duration(0, 3) == pytest.approx(5)
    assert instance.speed is None
    assert instance.places == line(3).places
    assert instance.clock


def test_equal_places_are_requested_once(fake: tuple[FakeServer, str], tmp_path: Path) -> None:
    server, address = fake
    twice = sr.Instance.create(10, [1, 1, 1], lat=[50] * 4, lon=[0, 0.01, 0.01, 0])
    instance = sr.with_roads(twice, address, cache=tmp_path)
    assert server.requests[0].count(";") == 1
    assert instance.distance(1, 2) == instance.distance(0, 3) == 0
    assert instance.distance(0, 2) == instance.distance(3, 1) == pytest.approx(1)


@pytest.mark.parametrize("failure", [(503, {}), (429, {}), (200, b'{"code": "Ok", "dist')])
def test_errors_that_pass_are_survived(
    fake: tuple[FakeServer, str], tmp_path: Path, failure: Response
) -> None:
    server, address = fake
    server.failures = [failure] * (_http.MAX_ATTEMPTS - 1)
    sr.with_roads(line(2), address, cache=tmp_path)
    assert len(server.requests) == _http.MAX_ATTEMPTS


def test_a_slow_server_and_each_retry_are_logged(
    fake: tuple[FakeServer, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The command line shows these warnings."""
    server, address = fake
    server.failures = [(503, {})]
    monkeypatch.setattr(_http, "SILENT_SECONDS", 0.01)
    respond = server.respond

    def respond_late(path: str) -> Response:
        end = time.monotonic() + 10
        while not caplog.messages and time.monotonic() < end:
            time.sleep(0.01)
        return respond(path)

    monkeypatch.setattr(server, "respond", respond_late)
    sr.with_roads(line(2), address, cache=tmp_path)
    name = address.removeprefix("osrm:")
    assert f"waiting for {name}, attempt 1 of 4" in caplog.messages
    retry = f"waiting for {name}, attempt 2 of 4: it responded with status 503"
    assert retry in caplog.messages


@pytest.mark.parametrize(
    ("failure", "message", "attempts"),
    [
        ((503, {}), "status 503; gave up after 4 attempts", 4),
        ((200, b"<html>"), "its response is not JSON; gave up", 4),
        ((200, {"code": "Ok"}), "not a table of OSRM", 1),
        ((200, []), "status 200", 1),
        ((404, b"nothing here"), "status 404", 1),
        ((400, {"code": "NoSegment", "message": "no street"}), "NoSegment: no street", 1),
        (
            (200, {"code": "Ok", "distances": [[0]], "durations": [[0]], "sources": []}),
            r"a table of \(1, 1\) instead of \(3, 3\)",
            1,
        ),
    ],
)
def test_other_errors_are_reported(
    fake: tuple[FakeServer, str], tmp_path: Path, failure: Response, message: str, attempts: int
) -> None:
    server, address = fake
    server.failures = [failure] * attempts
    with pytest.raises(sr.RoadServerError, match=message):
        sr.with_roads(line(2), address, cache=tmp_path)
    assert len(server.requests) == attempts
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_server_with_a_lower_limit_gets_smaller_blocks(
    fake: tuple[FakeServer, str], tmp_path: Path
) -> None:
    server, address = fake
    server.max_entries = 200
    instance = sr.with_roads(line(40), address, cache=tmp_path)
    assert instance.distance(0, 40) == pytest.approx(40)
    server.max_entries = 0
    with pytest.raises(sr.RoadServerError, match="refuses tables of any size"):
        sr.with_roads(line(3), address, cache=tmp_path)


def test_isolated_customers_are_named(fake: tuple[FakeServer, str], tmp_path: Path) -> None:
    server, address = fake
    islands = (0.02, 0.04)
    server.metres = lambda a, b: None if (a[0] in islands) != (b[0] in islands) else 100.0
    with pytest.raises(
        sr.InputError, match="no road between most places and customer 'c2', customer 'c4'; all"
    ) as caught:
        sr.with_roads(line(6), address, cache=tmp_path)
    assert (caught.value.code, caught.value.field) == ("unreachable", "roads")


def test_a_place_that_cannot_be_left_is_named(fake: tuple[FakeServer, str], tmp_path: Path) -> None:
    server, address = fake
    server.metres = lambda a, b: None if a[0] == 0.01 != b[0] else 100.0
    with pytest.raises(sr.InputError, match="no road from customer 'c1' to the depot"):
        sr.with_roads(line(1), address, cache=tmp_path)


def test_far_places_are_listed_up_to_a_limit(fake: tuple[FakeServer, str], tmp_path: Path) -> None:
    server, address = fake
    server.snapped = 400.0
    with pytest.warns(sr.InputWarning) as caught:
        sr.with_roads(line(12), address, cache=tmp_path)
    messages = [str(warning.message) for warning in caught]
    assert messages[0] == "the depot is 400 m from the nearest road; is that right?"
    assert messages[-1] == "3 more places are over 300 m from the nearest road"
    assert len(messages) == 11


def test_damaged_and_old_entries_are_fetched_again(
    fake: tuple[FakeServer, str], tmp_path: Path
) -> None:
    server, address = fake
    first = sr.with_roads(line(3), address, cache=tmp_path)
    (entry,) = tmp_path.rglob("*.npz")
    contents = entry.read_bytes()
    old = time.time() - (_cache.MAX_AGE_DAYS + 1) * _cache.SECONDS_PER_DAY
    for damage in (b"", b"PK\x03\x04 no archive", contents[:-30], None):
        if damage is None:
            os.utime(entry, (old, old))
        else:
            entry.write_bytes(damage)
        assert sr.with_roads(line(3), address, cache=tmp_path) == first
    np.savez(entry, distances=np.zeros((1, 1)))  # an array of another shape
    assert sr.with_roads(line(3), address, cache=tmp_path) == first
    assert len(server.requests) == 6
    assert sr.with_roads(line(3), address, cache=tmp_path) == first
    assert len(server.requests) == 6


def test_the_cache_is_per_address_and_profile(fake: tuple[FakeServer, str], tmp_path: Path) -> None:
    server, address = fake
    sr.with_roads(line(3), address, cache=tmp_path)
    sr.with_roads(line(3), address.replace("osrm:", "osrm:profile=bike:"), cache=tmp_path)
    assert len(server.requests) == 2
    assert "/table/v1/driving/" in server.requests[0]
    assert "/table/v1/bike/" in server.requests[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("osrm", "it must be a program and an address, such as osrm:http://localhost:5000"),
        ("ors:http://localhost", "unknown road server 'ors'; known: osrm, valhalla"),
        ("osrm:localhost:5000", "must begin with http:// or https://"),
        ("osrm:file:///etc/passwd", "must begin with http:// or https://"),
        ("osrm:http://", "must begin with http:// or https://"),
        ("osrm:http://host:port", "must begin with http:// or https://"),
        ("osrm:profile=../x:http://host", "a profile has letters, digits, - and _ only"),
        (5, "roads is int 5, not a string"),
    ],
)
def test_wrong_servers_are_rejected(text: Any, message: str) -> None:
    with pytest.raises(sr.InputError, match=message) as caught:
        RoadServer.parse(text)
    assert caught.value.field == "roads"


def test_secrets_are_sent_but_not_shown() -> None:
    server = RoadServer.parse("valhalla:https://user:word@host:1/base?api_key=secret")
    assert server.address == "https://host:1/base"
    assert server.request_url("/route", "a=1") == (
        "https://user:word@host:1/base/route?a=1&api_key=secret"
    )


def test_places_in_the_plane_have_no_roads(square: sr.Instance) -> None:
    with pytest.raises(sr.InputError, match="roads need places with lat and lon; the instance has"):
        sr.with_roads(square, "osrm:http://localhost:1")


def test_roads_and_other_distances_exclude_each_other(
    fake: tuple[FakeServer, str], tmp_path: Path
) -> None:
    sr.write(line(3), tmp_path / "c.csv")
    with pytest.raises(sr.InputError, match="omit roads or speed") as caught:
        sr.read(tmp_path / "c.csv", roads=fake[1], speed=30)
    assert caught.value.field == "speed"
    read = sr.read(tmp_path / "c.csv", roads=fake[1], roads_cache=tmp_path / "cache")
    assert read.roads == "osrm"


def test_the_command_line_names_the_server_that_is_not_there(
    tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_http, "FIRST_WAIT_SECONDS", 0.001)
    sr.write(line(3), tmp_path / "c.csv")
    out = tmp_path / "out.json"
    roads = ("--roads", "osrm:http://127.0.0.1:9", "--roads-cache", tmp_path / "cache")
    result = run("solve", tmp_path / "c.csv", *roads, "--out", out)
    assert result.exit_code == 5
    assert result.stderr.startswith(
        "error: the road server http://127.0.0.1:9 failed: connection refused; is it running?"
    )
    assert "run the same command again" in result.stderr
    assert not out.exists()


def test_a_server_that_stops_after_the_table_costs_only_the_lines(
    fake: tuple[FakeServer, str], tmp_path: Path, run: Callable[..., Any]
) -> None:
    server, address = fake
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
