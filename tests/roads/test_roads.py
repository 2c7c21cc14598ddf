"""What road servers may do: fail, refuse, and know no way."""

import io
import os
import ssl
import time
import urllib.error
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from fake_roads import FakeServer, Response, line
from splitroute.roads import RoadServer, _cache, _http

Fake = tuple[FakeServer, str]
ROWS = [[0] * 3] * 3


def test_distances_are_km_and_durations_minutes(fake_osrm: Fake, tmp_path: Path) -> None:
    instance = sr.with_roads(line(3, speed=30), fake_osrm[1], cache=tmp_path)
    assert instance.distance(0, 3) == pytest.approx(3)
    assert instance.duration(0, 3) == pytest.approx(5)
    assert instance.speed is None
    assert instance.places == line(3).places
    assert instance.clock


def test_equal_places_are_requested_once(fake_osrm: Fake, tmp_path: Path) -> None:
    server, address = fake_osrm
    twice = sr.Instance.create(10, [1, 1, 1], lat=[50] * 4, lon=[0, 0.01, 0.01, 0])
    instance = sr.with_roads(twice, address, cache=tmp_path)
    assert server.requests[0].count(";") == 1
    assert instance.distance(1, 2) == instance.distance(0, 3) == 0
    assert instance.distance(0, 2) == instance.distance(3, 1) == pytest.approx(1)


@pytest.mark.parametrize("failure", [(503, {}), (429, {}), (200, b'{"code": "Ok", "dist')])
def test_errors_that_pass_are_survived(fake_osrm: Fake, tmp_path: Path, failure: Response) -> None:
    server, address = fake_osrm
    server.failures = [failure] * (_http.MAX_ATTEMPTS - 1)
    sr.with_roads(line(2), address, cache=tmp_path)
    assert len(server.requests) == _http.MAX_ATTEMPTS


def test_a_slow_server_and_each_retry_are_logged(
    fake_osrm: Fake,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The command line shows these warnings."""
    server, address = fake_osrm
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
        ((400, {"code": "InvalidUrl", "message": "no"}), "InvalidUrl: no", 1),
        (
            (200, {"code": "Ok", "distances": [[0]], "durations": [[0]], "sources": []}),
            "its response is not a table of 3 x 3 entries",
            1,
        ),
        (
            (200, {"code": "Ok", "distances": ROWS, "durations": ROWS, "sources": []}),
            "its response is not a table of 3 x 3 entries",
            1,
        ),
    ],
)
def test_other_errors_are_reported(
    fake_osrm: Fake, tmp_path: Path, failure: Response, message: str, attempts: int
) -> None:
    server, address = fake_osrm
    server.failures = [failure] * attempts
    with pytest.raises(sr.RoadServerError, match=message):
        sr.with_roads(line(2), address, cache=tmp_path)
    assert len(server.requests) == attempts
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_errors_of_the_secure_connection_are_named_and_final(
    fake_osrm: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = fake_osrm[1].replace("http:", "https:")  # which the server does not speak
    with pytest.raises(sr.RoadServerError, match="no secure connection") as caught:
        sr.with_roads(line(2), address, cache=tmp_path)
    assert "gave up" not in str(caught.value)
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.reason = "CERTIFICATE_VERIFY_FAILED"
    error.verify_message = "self-signed certificate"
    attempts: list[str] = []

    def refuse(url: str, body: object) -> Any:
        attempts.append(url)
        raise urllib.error.URLError(error)

    monkeypatch.setattr(_http, "_fetch_once", refuse)
    message = "certificate verify failed: self-signed certificate$"
    with pytest.raises(sr.RoadServerError, match=message):
        sr.with_roads(line(2), address, cache=tmp_path)
    assert len(attempts) == 1


def test_a_server_with_a_lower_limit_gets_smaller_blocks(fake_osrm: Fake, tmp_path: Path) -> None:
    server, address = fake_osrm
    server.max_entries = 200
    instance = sr.with_roads(line(40), address, cache=tmp_path)
    assert instance.distance(0, 40) == pytest.approx(40)
    server.max_entries = 0
    with pytest.raises(sr.RoadServerError, match="refuses tables of any size"):
        sr.with_roads(line(3), address, cache=tmp_path)


def test_isolated_customers_are_named(fake_osrm: Fake, tmp_path: Path) -> None:
    server, address = fake_osrm
    islands = (0.02, 0.04)
    server.metres = lambda a, b: None if (a[0] in islands) != (b[0] in islands) else 100.0
    with pytest.raises(
        sr.InputError, match="no road between most places and customer 'c2', customer 'c4'; all"
    ) as caught:
        sr.with_roads(line(6), address, cache=tmp_path)
    assert (caught.value.code, caught.value.field) == ("unreachable", "roads")


def test_places_without_a_road_are_named(fake_osrm: Fake, tmp_path: Path) -> None:
    server, address = fake_osrm
    server.without_road = {0.02, 0.04}
    with pytest.raises(sr.InputError, match="no road near customer 'c2', customer 'c4'; is") as e:
        sr.with_roads(line(6), address, cache=tmp_path)
    assert (e.value.code, e.value.field) == ("unreachable", "roads")


def test_valhalla_says_only_that_some_place_has_no_road(fake_osrm: Fake, tmp_path: Path) -> None:
    server, address = fake_osrm
    error = {"error_code": 171, "error": "No suitable edges near location"}
    table = {"sources_to_targets": {"distances": [[0]], "durations": [[0]]}}
    server.failures = [(400, error), (200, table), (200, [{"edges": None}]), (400, error)]
    with pytest.raises(sr.InputError, match="no road near customer 'c1'; is that on the map"):
        sr.with_roads(line(1), address.replace("osrm:", "valhalla:"), cache=tmp_path)


@pytest.mark.parametrize("located", [(404, b""), (200, {"error": "x"}), (200, [1, 2]), (200, [])])
def test_valhalla_need_not_locate(fake_osrm: Fake, tmp_path: Path, located: Response) -> None:
    server, address = fake_osrm
    table = {"sources_to_targets": {"distances": [[0, 3], [3, 0]], "durations": [[0, 60]] * 2}}
    server.failures = [(200, table), located]
    instance = sr.with_roads(line(1), address.replace("osrm:", "valhalla:"), cache=tmp_path)
    assert instance.distance(0, 1) == 3


def test_a_place_that_cannot_be_left_is_named(fake_osrm: Fake, tmp_path: Path) -> None:
    server, address = fake_osrm
    server.metres = lambda a, b: None if a[0] == 0.01 != b[0] else 100.0
    with pytest.raises(sr.InputError, match="no road from customer 'c1' to the depot"):
        sr.with_roads(line(1), address, cache=tmp_path)


def test_far_places_are_listed_up_to_a_limit(fake_osrm: Fake, tmp_path: Path) -> None:
    server, address = fake_osrm
    server.snapped = 400.0
    with pytest.warns(sr.InputWarning) as caught:
        sr.with_roads(line(12), address, cache=tmp_path)
    messages = [str(warning.message) for warning in caught]
    assert messages[0] == "the depot is 400 m from the nearest road; is that right?"
    assert messages[-1] == "3 more places are over 300 m from the nearest road"
    assert len(messages) == 11


def test_damaged_and_old_entries_are_fetched_again(fake_osrm: Fake, tmp_path: Path) -> None:
    server, address = fake_osrm
    first = sr.with_roads(line(3), address, cache=tmp_path)
    (entry,) = tmp_path.rglob("*.npz")
    contents = entry.read_bytes()
    old = time.time() - (_cache.MAX_AGE_DAYS + 1) * _cache.SECONDS_PER_DAY
    array = io.BytesIO()
    np.save(array, np.zeros(3))
    # The first array looks encrypted, or has a method of compression that does not exist.
    encrypted, compressed = bytearray(contents), bytearray(contents)
    start = contents.index(b"PK\x01\x02")
    encrypted[start + 8] |= 1
    compressed[start + 10] = 99
    damages = (
        b"",
        b"PK\x03\x04 no archive",
        contents[:-30],
        array.getvalue(),
        encrypted,
        compressed,
    )
    for damage in (*damages, None):
        if damage is None:
            os.utime(entry, (old, old))
        else:
            entry.write_bytes(damage)
        assert sr.with_roads(line(3), address, cache=tmp_path) == first
    np.savez(entry, distances=np.zeros((1, 1)))  # an array of another shape
    assert sr.with_roads(line(3), address, cache=tmp_path) == first
    assert len(server.requests) == 9
    assert sr.with_roads(line(3), address, cache=tmp_path) == first
    assert len(server.requests) == 9


def test_the_cache_is_per_address_and_profile(fake_osrm: Fake, tmp_path: Path) -> None:
    server, address = fake_osrm
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


def test_roads_and_other_distances_exclude_each_other(fake_osrm: Fake, tmp_path: Path) -> None:
    sr.write(line(3), tmp_path / "c.csv")
    with pytest.raises(sr.InputError, match="omit roads or speed") as caught:
        sr.read(tmp_path / "c.csv", roads=fake_osrm[1], speed=30)
    assert caught.value.field == "speed"
    with pytest.raises(sr.InputError, match="omit roads or metric"):
        sr.read(tmp_path / "c.csv", roads=fake_osrm[1], metric="haversine")
    with pytest.raises(sr.InputError, match="omit matrix or metric"):
        sr.read(tmp_path / "c.csv", matrix=np.zeros((4, 4)), metric="haversine")
    read = sr.read(tmp_path / "c.csv", roads=fake_osrm[1], roads_cache=tmp_path / "cache")
    assert read.roads == "osrm"


def test_a_speed_in_the_file_is_ignored_with_a_warning(fake_osrm: Fake, tmp_path: Path) -> None:
    sr.write(line(3, speed=30), tmp_path / "c.csv")
    with pytest.warns(sr.InputWarning, match="the speed 30 is ignored") as caught:
        read = sr.read(tmp_path / "c.csv", roads=fake_osrm[1], roads_cache=tmp_path / "cache")
    assert [str(w.message).count("speed") for w in caught] == [1]
    assert read.speed is None


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


def test_the_hint_to_try_again_is_for_errors_that_may_pass(
    fake_osrm: Fake, tmp_path: Path, run: Callable[..., Any]
) -> None:
    server, address = fake_osrm
    server.failures = [(404, b"")]
    sr.write(line(3), tmp_path / "c.csv")
    roads = ("--roads", address, "--roads-cache", tmp_path / "cache")
    result = run("convert", tmp_path / "c.csv", tmp_path / "c.json", *roads)
    assert result.exit_code == 5
    assert "status 404" in result.stderr
    assert "again" not in result.stderr
