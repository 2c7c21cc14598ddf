"""Slow, endless and malformed connections to the real program."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving import Service, running, wait_until


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    limits = ["--max-request-seconds", "2", "--max-streams-per-client", "3"]
    with running(tmp_path_factory.mktemp("connections"), *limits, "--workers", "1") as service:
        yield service


HEAD = b"POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
MEGABYTE = 2**20


@pytest.mark.parametrize(
    ("sent", "response"),
    [
        (b"", b""),
        (b"GET /health HTT", b""),
        (HEAD, b""),
        (HEAD + b"Content-Length: 1000\r\n\r\n", b"HTTP/1.1 408 "),
        (HEAD.replace(b"POST", b"PATCH") + b"Content-Length: 9\r\n\r\n{", b"HTTP/1.1 408 "),
        (HEAD + b'Content-Length: 1000\r\n\r\n{"instance": ', b"HTTP/1.1 408 "),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /hea", b"HTTP/1.1 200 "),
        (
            b"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n1",
            b"HTTP/1.1 200 ",
        ),
    ],
)
def test_incomplete_requests_time_out(service: Service, sent: bytes, response: bytes) -> None:
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as client:
        client.sendall(sent)
        received = b"".join(iter(lambda: client.recv(65_536), b""))  # until it closes
    assert received.startswith(response) if response else received == b""
    if b" 408 " in received:
        assert b'{"detail":"the request was not complete after 2 s","field":null,' in received


@pytest.mark.parametrize("line", [b"GET / HTTP/9.9", b"\x16\x03\x01", b"G\x00T / HTTP/1.1"])
def test_malformed_http_gets_our_error_json(service: Service, line: bytes) -> None:
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as client:
        client.sendall(line + b"\r\nHost: localhost\r\n\r\n")
        received = b"".join(iter(lambda: client.recv(65_536), b""))
    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: application/json" in head
    assert json.loads(body)["detail"] == "malformed HTTP request"


def test_slow_requests_time_out(service: Service) -> None:
    for head in (b"GET / HTTP/1.1\r\nX: ", HEAD + b"Content-Length: 100000\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", service.port), timeout=30) as client:
            client.sendall(head)
            is_closed = False
            for _ in range(300):
                time.sleep(0.1)
                try:
                    client.sendall(b"x")
                except OSError:
                    is_closed = True
                    break
            assert is_closed


def test_an_endless_head_is_cut_off(service: Service) -> None:
    sent = 0
    with (
        socket.create_connection(("127.0.0.1", service.port), timeout=30) as client,
        contextlib.suppress(ConnectionError),
    ):
        client.sendall(b"GET / HTTP/1.1\r\n")
        while sent < 200 * MEGABYTE:
            client.sendall(b"X: " + b"y" * 10_000 + b"\r\n")
            sent += 10_000
    assert sent < 200 * MEGABYTE


@pytest.mark.parametrize("pause", [0.0, 0.1], ids=["too large", "too slow"])
def test_a_head_after_an_open_stream_is_cut_off(service: Service, pause: float) -> None:
    job = service.post(seconds=60.0, instance={"customers": 100})
    request = f"GET /api/jobs/{job}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    line = b"X: " + b"y" * (10_000 if not pause else 1) + b"\r\n"
    sent, limit = 0, 200 * MEGABYTE if not pause else 300 * len(line)
    with (
        socket.create_connection(("127.0.0.1", service.port), timeout=30) as client,
        contextlib.suppress(ConnectionError, TimeoutError),
    ):
        client.sendall(request)
        assert client.recv(65_536).startswith(b"HTTP/1.1 200 ")
        client.sendall(b"GET / HTTP/1.1\r\n")
        while sent < limit:
            client.sendall(line)
            sent += len(line)
            time.sleep(pause)
    service.client.delete(f"/api/jobs/{job}")
    assert sent < limit


def test_pipelined_requests(service: Service) -> None:
    body = b'{"name": "x"}' + b" " * 100_000
    post = b"POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    get = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as client:
        client.sendall(post + body + get)
        time.sleep(0.5)
        client.sendall(b"Connection: close\r\n\r\n")
        received = b"".join(iter(lambda: client.recv(65_536), b""))
    assert received.count(b"HTTP/1.1 405 ") == received.count(b"HTTP/1.1 200 ") == 1


def test_streams_are_limited_per_client(service: Service) -> None:
    job = service.post(seconds=60.0, instance={"customers": 20})
    path = f"/api/jobs/{job}/events"
    with contextlib.ExitStack() as streams:
        for _ in range(3):
            stream = streams.enter_context(service.client.stream("GET", path))
            assert stream.status_code == 200
        fourth = service.client.get(path)
        assert fourth.status_code == 429
        assert fourth.json()["detail"] == "you have 3 event streams open; close some"
        assert fourth.headers["retry-after"]
        assert "splitroute_streams 3" in service.client.get("/metrics").text
    wait_until(lambda: "splitroute_streams 0" in service.client.get("/metrics").text)
    with service.client.stream("GET", path) as again:
        assert again.status_code == 200
    service.client.delete(f"/api/jobs/{job}")


def test_streams_are_limited_in_total(tmp_path: Path) -> None:
    with running(tmp_path, "--max-streams", "1", "--workers", "1") as service:
        job = service.post(seconds=60.0, instance={"customers": 20})
        path = f"/api/jobs/{job}/events"
        with service.client.stream("GET", path) as first:
            assert first.status_code == 200
            assert service.client.get(path).status_code == 429
            assert service.client.head(path).status_code == 429
        wait_until(lambda: "splitroute_streams 0" in service.client.get("/metrics").text)
        assert service.client.head(path).status_code == 200
        wait_until(lambda: "splitroute_streams 0" in service.client.get("/metrics").text)
