"""Hostile and unlucky clients against the real program: it stays up, small and quick to answer."""

from __future__ import annotations

import contextlib
import os
import resource
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from serving import SMALL, TEXT, Service

MEGABYTE = 2**20


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    limits = ["--max-request-seconds", "2", "--max-streams-per-client", "3", "--workers", "1"]
    running = Service(tmp_path_factory.mktemp("hostile"), *limits)
    yield running
    running.close()


@contextlib.contextmanager
def other(folder: Path, *words: str) -> Iterator[Service]:
    running = Service(folder, *words)
    try:
        yield running
    finally:
        running.close()


def peak(service: Service) -> int:
    """Bytes of memory that the service's own process had at most."""
    try:
        status = Path(f"/proc/{service.process.pid}/status").read_text()
    except OSError:
        pytest.skip("the memory of a process is known from /proc, which is not here")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def processor_seconds(service: Service) -> float:
    """That the service's own process has taken; not those of its children."""
    fields = Path(f"/proc/{service.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def vrplib(size: int, stated: int | None = None) -> dict[str, str]:
    nodes = "".join(f"{k} {k} {k % 7}\n" for k in range(1, size + 1))
    demands = "".join(f"{k} {int(k > 1)}\n" for k in range(1, size + 1))
    text = (
        f"NAME: large\nTYPE: CVRP\nDIMENSION: {stated or size}\nEDGE_WEIGHT_TYPE: CEIL_2D\n"
        f"CAPACITY: 10\nNODE_COORD_SECTION\n{nodes}DEMAND_SECTION\n{demands}"
        "DEPOT_SECTION\n1\n-1\nEOF\n"
    )
    return {"format": "vrplib", "text": text}


@pytest.mark.parametrize("path", ["/api/instances", "/api/jobs"])
@pytest.mark.parametrize("stated", [5_101, 10**12])
def test_a_number_in_a_file_takes_no_memory(service: Service, path: str, stated: int) -> None:
    before = peak(service)
    answer = service.client.post(path, json={"instance": vrplib(3, stated)})
    assert (answer.status_code, answer.json()["field"]) == (400, "instance")
    assert peak(service) < before + 50 * MEGABYTE


def test_a_large_instance_is_looked_at_by_many_in_little_memory(service: Service) -> None:
    job = service.post(instance=vrplib(2_500), seconds=0.1)
    before = peak(service)
    paths = [f"/api/jobs/{job}/{what}" for what in ("instance", "plan", "instance") * 4]
    with ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(service.client.get, paths))
    assert [answer.status_code for answer in answers] == [200] * 12
    assert len(answers[0].json()["customers"]) == 2_499
    assert answers[0].headers["content-encoding"] == "gzip"
    # One parsed instance has a matrix of 50 MB; 12 of them were 12 times that and more.
    assert peak(service) < before + 60 * MEGABYTE


def test_files_too_large_for_their_metric_are_refused(service: Service) -> None:
    answer = service.client.post("/api/instances", json={"instance": vrplib(5_101)})
    assert (answer.status_code, answer.json()["field"]) == (400, "instance")
    assert "for at most 5000" in answer.json()["detail"]


def test_a_few_bytes_do_not_ask_for_a_solution_of_many_megabytes(service: Service) -> None:
    text = "# capacity: 40\nid,x,y,demand\ndepot,0,0,\nA,1,1,20000000\n"
    answer = service.client.post(
        "/api/jobs", json={"instance": {"format": "csv", "text": text}, "seconds": 1}
    )
    assert answer.status_code == 400
    assert "fill 500,000 vehicles; at most 20,000 are allowed here" in answer.json()["detail"]


def test_health_is_quick_while_many_upload(service: Service) -> None:
    rows = "".join(f"{k},{k % 99},{k % 77},1\n" for k in range(19_000))
    text = f"# capacity: 100\nid,x,y,demand\ndepot,0,0,0\n{rows}"
    job = {"instance": {"format": "csv", "text": text}}
    took = []
    with ThreadPoolExecutor(20) as threads:
        uploads = [
            threads.submit(service.client.post, "/api/instances", json=job, timeout=120)
            for _ in range(20)
        ]
        while not all(upload.done() for upload in uploads):
            began = time.perf_counter()
            assert service.client.get("/health").status_code == 200
            took.append(time.perf_counter() - began)
            time.sleep(0.05)
    assert {upload.result().status_code for upload in uploads} <= {200, 503}
    assert sum(upload.result().status_code == 200 for upload in uploads) >= 2
    assert sorted(took)[len(took) // 2] < 2.0, "the slowest machine answers meanwhile"
    assert max(took) < 5.0, "and nobody waits for a parser"


def _strange_bodies() -> dict[str, bytes]:
    """Just within the largest request, and worst for whoever reads them."""
    keys = ",".join(f'"{k:06}":1' for k in range(640_000))
    return {
        "unknown keys": f"{{{keys}}}".encode(),
        "unknown keys of the instance": f'{{"instance":{{{keys}}}}}'.encode(),
        "lists": b'{"instance":[' + b"[]," * 2_600_000 + b"[]]}",
        "no JSON": b'{"instance":' + b"[" * 7_000_000,
    }


@pytest.mark.parametrize("path", ["/api/instances", "/api/jobs"])
@pytest.mark.parametrize("body", _strange_bodies())
def test_a_strange_body_takes_neither_memory_nor_time_of_the_service(
    service: Service, path: str, body: str
) -> None:
    service.client.get("/health")
    before, used = peak(service), processor_seconds(service)
    content = _strange_bodies()[body]
    headers = {"Content-Type": "application/json"}
    answer = service.client.post(path, content=content, headers=headers, timeout=120)
    assert answer.status_code in (400, 422), answer.text
    assert set(answer.json()) == {"detail", "field", "code", "line", "value"}
    assert len(answer.text) < 300
    assert peak(service) < before + 60 * MEGABYTE
    assert processor_seconds(service) < used + 1.0, "reading it took 3 to 7 s"


def test_a_change_is_small(service: Service) -> None:
    path = f"/api/jobs/{service.post()}"
    large = service.client.patch(path, json={"name": "x" * 20_000})
    assert (large.status_code, "at most 16384 bytes" in large.text) == (413, True)
    assert service.client.patch(path, json={"name": "new"}).status_code == 200


def test_bodies_that_are_not_json_are_refused(service: Service) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        headers = {"Content-Type": kind}
        answer = service.client.post("/api/jobs", content=b"{}", headers=headers)
        assert answer.status_code == 415
        assert "must be application/json" in answer.json()["detail"]


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
    _until(lambda: "splitroute_streams 0" in service.client.get("/metrics").text)
    with service.client.stream("GET", path) as again:
        assert again.status_code == 200
    service.client.delete(f"/api/jobs/{job}")


def test_streams_are_limited_in_all(tmp_path: Path) -> None:
    with other(tmp_path, "--max-streams", "1", "--workers", "1") as service:
        job = service.post(seconds=60.0, instance={"customers": 20})
        path = f"/api/jobs/{job}/events"
        with service.client.stream("GET", path) as first:
            assert first.status_code == 200
            assert service.client.get(path).status_code == 429
            assert service.client.head(path).status_code == 429
        _until(lambda: "splitroute_streams 0" in service.client.get("/metrics").text)
        assert service.client.head(path).status_code == 200
        _until(lambda: "splitroute_streams 0" in service.client.get("/metrics").text)


HEAD = b"POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("sent", "answered"),
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
def test_half_a_request_is_not_waited_for_for_ever(
    service: Service, sent: bytes, answered: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as client:
        client.sendall(sent)
        received = b"".join(iter(lambda: client.recv(65_536), b""))  # until it is closed
    assert received.startswith(answered) if answered else received == b""
    if b" 408 " in received:
        assert b'{"detail":"the request was not complete after 2 s","field":null,' in received


def test_a_request_that_trickles_in_is_not_waited_for_for_ever(service: Service) -> None:
    for head in (b"GET / HTTP/1.1\r\nX: ", HEAD + b"Content-Length: 100000\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", service.port), timeout=30) as client:
            client.sendall(head)
            closed = False
            for _ in range(300):
                time.sleep(0.1)
                try:
                    client.sendall(b"x")
                except OSError:
                    closed = True
                    break
            assert closed


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
def test_the_head_behind_an_open_stream_is_cut_off(service: Service, pause: float) -> None:
    job = service.post(seconds=60.0, instance={"customers": 100})
    request = f"GET /api/jobs/{job}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    line = b"X: " + b"y" * (10_000 if not pause else 1) + b"\r\n"
    sent, most = 0, 200 * MEGABYTE if not pause else 300 * len(line)
    with (
        socket.create_connection(("127.0.0.1", service.port), timeout=30) as client,
        contextlib.suppress(ConnectionError, TimeoutError),
    ):
        client.sendall(request)
        assert client.recv(65_536).startswith(b"HTTP/1.1 200 ")
        client.sendall(b"GET / HTTP/1.1\r\n")
        while sent < most:
            client.sendall(line)
            sent += len(line)
            time.sleep(pause)
    service.client.delete(f"/api/jobs/{job}")
    assert sent < most


def test_requests_may_follow_each_other_without_waiting(service: Service) -> None:
    body = b'{"name": "x"}' + b" " * 100_000
    post = b"POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    get = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as client:
        client.sendall(post + body + get)
        time.sleep(0.5)
        client.sendall(b"Connection: close\r\n\r\n")
        received = b"".join(iter(lambda: client.recv(65_536), b""))
    assert received.count(b"HTTP/1.1 405 ") == received.count(b"HTTP/1.1 200 ") == 1


def _upload_all_but_the_end(service: Service, client: str, size: int) -> bytes:
    """The status, if the service does not wait for the last byte."""
    head = HEAD + b"X-Forwarded-For: %s\r\nContent-Length: %d\r\n\r\n" % (client.encode(), size)
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(head + b" " * (size - 1))
        with contextlib.suppress(OSError):
            return connection.recv(65_536)[9:12]
    return b""  # it was closed before all was sent


@pytest.mark.parametrize("clients", [1, 40])
def test_bodies_held_at_once_are_limited(tmp_path: Path, clients: int) -> None:
    """280 MB are sent; 16 MB of one client are held, and 64 MB of all."""
    options = ["--trusted-proxy", "127.0.0.1", "--max-request-seconds", "5", "--workers", "1"]
    with other(tmp_path, *options) as service, ThreadPoolExecutor(40) as threads:
        assert service.client.post("/api/instances", json=SMALL).status_code == 200
        before = peak(service)
        names = [f"192.0.2.{k % clients}" for k in range(40)]
        uploads = [
            threads.submit(_upload_all_but_the_end, service, name, 7 * MEGABYTE) for name in names
        ]
        statuses = {upload.result() for upload in uploads}
        assert (b"429" if clients == 1 else b"503") in statuses
        held = 16 if clients == 1 else 64
        # What is freed is not at once of use to others, and each connection has buffers.
        assert peak(service) < before + (2 * held + 30) * MEGABYTE
        assert service.client.get("/health").status_code == 200
        assert service.client.post("/api/instances", json=SMALL).status_code == 200


def test_one_client_cannot_lock_out_the_others(tmp_path: Path) -> None:
    options = ["--trusted-proxy", "127.0.0.1", "--max-request-seconds", "10", "--workers", "1"]
    rows = "".join(f"{k},{k % 99},{k % 77},1\n" for k in range(19_000))
    slow = {"format": "csv", "text": f"# capacity: 100\nid,x,y,demand\ndepot,0,0,0\n{rows}"}
    with other(tmp_path, *options) as service, ThreadPoolExecutor(60) as threads:

        def post(client: str, instance: dict[str, str]) -> int:
            headers = {"X-Forwarded-For": client}
            body = {"instance": instance}
            return service.client.post(
                "/api/instances", json=body, headers=headers, timeout=120
            ).status_code

        greedy = [
            threads.submit(_upload_all_but_the_end, service, "192.0.2.1", 7 * MEGABYTE)
            for _ in range(20)
        ]
        crowd = [threads.submit(post, "192.0.2.1", slow) for _ in range(40)]
        time.sleep(1.0)
        large = {"format": "csv", "text": "id,x,y,demand\n" + " " * 7 * MEGABYTE}
        assert post("192.0.2.2", large) == 400, "it was read"
        assert b"429" in {upload.result() for upload in greedy}
        assert 429 in {request.result() for request in crowd}


def test_clients_behind_a_proxy_are_told_apart(tmp_path: Path) -> None:
    limit = ["--most-open-jobs", "1", "--workers", "1"]
    long = {**SMALL, "seconds": 60.0, "instance": {"customers": 20}}

    def post(service: Service, client: str) -> int:
        headers = {"X-Forwarded-For": client}
        return service.client.post("/api/jobs", json=long, headers=headers).status_code

    with other(tmp_path, *limit, "--trusted-proxy", "127.0.0.1") as service:
        clients = ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.9, 192.0.2.2"]
        assert [post(service, client) for client in clients] == [202, 202, 429, 429]
    (tmp_path / "jobs.db").unlink()
    with other(tmp_path, *limit) as service:
        assert [post(service, client) for client in clients[:2]] == [202, 429]


@pytest.mark.parametrize("proxy", ["*", "localhost", "10.0.0.1/8", "0.0.0.0/0"])
def test_only_addresses_are_trusted(run: Any, proxy: str) -> None:
    done = run("serve", "--trusted-proxy", proxy)
    assert done.exit_code == 2
    assert "the trusted proxy is" in done.stderr


def test_ended_jobs_are_deleted_after_some_days(tmp_path: Path) -> None:
    with other(tmp_path, "--workers", "1") as service:
        job = service.post()
        service.wait(job)
    with other(tmp_path, "--workers", "1", "--keep-days", "1") as service:
        time.sleep(1.0)
        assert service.client.get(f"/api/jobs/{job}").status_code == 200
    with other(tmp_path, "--workers", "1", "--keep-days", "0") as service:
        _until(lambda: service.client.get(f"/api/jobs/{job}").status_code == 404)
        assert service.client.get("/health").json()["jobs"] == {}


def test_a_disk_that_is_full_is_said(tmp_path: Path) -> None:
    if not hasattr(resource, "prlimit"):
        pytest.skip("the limits of another process cannot be set here")
    with other(tmp_path, "--workers", "2") as service:
        job = service.post()
        service.wait(job)
        usual = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
        room = 20_000  # for the log, but not for the database
        assert (tmp_path / "jobs.db-wal").stat().st_size > room
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (room, usual[1]))
        for _ in range(20):
            answer = service.client.post("/api/jobs", json=SMALL)
            assert answer.status_code == 503, answer.text
            assert answer.json()["detail"].startswith("the database cannot be used")
            assert answer.headers["retry-after"]
        _until(lambda: service.client.get("/health").status_code == 503)
        health = service.client.get("/health").json()
        assert health["status"] == "unavailable"
        assert "disk" in health["reason"]
        time.sleep(2.0)
        said = [line for line in service.log.read_text().splitlines() if "cannot be used" in line]
        assert len(said) == 1, "however often it is noticed"
        assert "disk" in said[0]
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, usual)
        _until(lambda: service.client.get("/health").status_code == 200)
        assert service.wait(service.post())["status"] == "done"


@pytest.mark.parametrize("path", ["/", "/health", "/metrics", "/api/info", "/api/jobs"])
def test_the_head_of_a_page_can_be_asked_for(service: Service, path: str) -> None:
    head, whole = service.client.head(path), service.client.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert service.client.head("/nowhere").status_code == 404


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/api/jobs/nobody", "id: found 'nobody'; a job's id has 32 digits"),
        (f"/api/jobs/{'0' * 31}", "is the link complete?"),
        (f"/api/jobs/{'x' * 5000}/instance", "xxx...'; a job's id"),
    ],
)
def test_a_malformed_link_is_explained_without_a_regular_expression(
    service: Service, path: str, words: str
) -> None:
    answer = service.client.get(path)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert "[0-9a-f]" not in answer.text
    assert len(answer.text) < 300


def test_names_and_benchmarks_are_explained_too(service: Service) -> None:
    for instance in ({"benchmark": "SD99"}, {"format": "csv", "text": TEXT, "name": "a\nb"}):
        answer = service.client.post("/api/jobs", json={"instance": instance})
        assert answer.status_code == 422
        assert "^" not in answer.text


def _until(condition: Any, seconds: float = 30) -> None:
    for _ in range(int(10 * seconds)):
        with contextlib.suppress(httpx.TransportError):
            if condition():
                return
        time.sleep(0.1)
    raise AssertionError("it does not come about")
