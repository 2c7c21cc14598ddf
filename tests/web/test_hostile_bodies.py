"""Hostile requests on the real program: it stays small and responsive."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from serving import SMALL, Service, running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("bodies"), "--workers", "1") as service:
        yield service


MEGABYTE = 2**20


def peak(service: Service) -> int:
    """Return the peak memory of the service's own process in bytes."""
    try:
        status = Path(f"/proc/{service.process.pid}/status").read_text()
    except OSError:
        pytest.skip("the memory of a process is known from /proc, which is not here")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def processor_seconds(service: Service) -> float:
    """Return the CPU time of the service's own process, without its children."""
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
def test_a_stated_size_takes_no_memory(service: Service, path: str, stated: int) -> None:
    before = peak(service)
    response = service.client.post(path, json={"instance": vrplib(3, stated)})
    assert (response.status_code, response.json()["field"]) == (400, "instance")
    assert peak(service) < before + 50 * MEGABYTE


def test_many_clients_view_a_large_instance_in_little_memory(service: Service) -> None:
    job = service.post(instance=vrplib(2_500), seconds=0.1)
    before = peak(service)
    paths = [f"/api/jobs/{job}/{what}" for what in ("instance", "split-plan", "instance") * 4]
    with ThreadPoolExecutor(12) as threads:
        responses = list(threads.map(service.client.get, paths))
    assert [response.status_code for response in responses] == [200] * 12
    assert len(responses[0].json()["customers"]) == 2_499
    assert responses[0].headers["content-encoding"] == "gzip"
    # A parsed instance has a matrix of 50 MB.
    assert peak(service) < before + 60 * MEGABYTE


def test_instances_too_large_for_a_matrix_are_refused(service: Service) -> None:
    response = service.client.post("/api/instances", json={"instance": vrplib(5_101)})
    assert (response.status_code, response.json()["field"]) == (400, "instance")
    assert "at most 5000" in response.json()["detail"]


def test_huge_solutions_are_refused_in_advance(service: Service) -> None:
    text = "# capacity: 40\nid,x,y,demand\ndepot,0,0,\nA,1,1,20000000\n"
    response = service.client.post(
        "/api/jobs", json={"instance": {"format": "csv", "text": text}, "seconds": 1}
    )
    assert response.status_code == 400
    assert "fill 500,000 vehicles; at most 20,000 are allowed here" in response.json()["detail"]


def table(size: int) -> dict[str, str]:
    rows = "".join(f"{k},{k % 99},{k % 77},1\n" for k in range(size))
    return {"format": "csv", "text": f"# capacity: 100\nid,x,y,demand\ndepot,0,0,0\n{rows}"}


def test_health_responds_during_uploads(service: Service) -> None:
    job = {"instance": table(8_000)}
    responses = 0
    with ThreadPoolExecutor(8) as threads:
        uploads = [
            threads.submit(service.client.post, "/api/instances", json=job, timeout=120)
            for _ in range(8)
        ]
        while not all(upload.done() for upload in uploads):
            assert service.client.get("/health").status_code == 200
            responses += 1
            time.sleep(0.05)
    assert {upload.result().status_code for upload in uploads} <= {200, 503}
    assert sum(upload.result().status_code == 200 for upload in uploads) >= 2
    assert responses >= 5, "health does not wait for a parser"


def many_keys() -> str:
    return ",".join(f'"{k:06}":1' for k in range(640_000))


def many_lists() -> str:
    return "[]," * 2_600_000


# Just below the size limit, and expensive to parse.
STRANGE_BODIES = {
    "unknown keys": ("{%s}", many_keys),
    "unknown keys of the instance": ('{"instance":{%s}}', many_keys),
    "lists": ('{"instance":[%s[]]}', many_lists),
    "unterminated lists": ('{"instance":[%s', many_lists),
}


@pytest.mark.parametrize("path", ["/api/instances", "/api/jobs"])
@pytest.mark.parametrize("body", STRANGE_BODIES)
def test_a_strange_body_takes_little_memory_and_time(
    service: Service, path: str, body: str
) -> None:
    service.client.get("/health")
    before, used = peak(service), processor_seconds(service)
    text, items = STRANGE_BODIES[body]
    content = (text % items()).encode()
    headers = {"Content-Type": "application/json"}
    response = service.client.post(path, content=content, headers=headers, timeout=120)
    assert response.status_code in (400, 422), response.text
    assert set(response.json()) == {
        "detail",
        "field",
        "code",
        "line",
        "cell",
        "value",
        "path",
        "errors",
    }
    assert len(response.text) < 300
    assert peak(service) < before + 60 * MEGABYTE
    assert processor_seconds(service) < used + 1.0, "parsing takes seconds"


HEAD = b"POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def upload_all_but_last_byte(service: Service, client: str, size: int) -> bytes:
    """Return the status if the service responds before the last byte."""
    head = HEAD + b"X-Forwarded-For: %s\r\nContent-Length: %d\r\n\r\n" % (client.encode(), size)
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(head + b" " * (size - 1))
        with contextlib.suppress(OSError):
            return connection.recv(65_536)[9:12]
    return b""  # closed while sending


@pytest.fixture(scope="module")
def behind_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    options = ["--trusted-proxy", "127.0.0.1", "--max-request-seconds", "5", "--workers", "1"]
    with running(tmp_path_factory.mktemp("proxy"), *options) as service:
        yield service


def test_bodies_in_memory_are_limited(behind_proxy: Service) -> None:
    """280 MB are sent; the limits are 16 MB per client and 64 MB in total."""
    service = behind_proxy
    assert service.client.post("/api/instances", json=SMALL).status_code == 200
    before = peak(service)
    # The peak never falls, so the lower limit is first.
    for clients, limit, refused in ((1, 16, b"429"), (40, 64, b"503")):
        with ThreadPoolExecutor(40) as threads:
            names = [f"192.0.2.{k % clients}" for k in range(40)]
            sizes = [7 * MEGABYTE] * 40
            statuses = set(threads.map(upload_all_but_last_byte, [service] * 40, names, sizes))
        assert refused in statuses
        # Freed memory is not reused at once, and each connection has buffers.
        assert peak(service) < before + (2 * limit + 30) * MEGABYTE
        assert service.client.get("/health").status_code == 200
        assert service.client.post("/api/instances", json=SMALL).status_code == 200


def test_one_client_cannot_lock_out_the_others(behind_proxy: Service) -> None:
    service = behind_proxy
    slow = table(8_000)
    with ThreadPoolExecutor(60) as threads:

        def post(client: str, instance: dict[str, str]) -> int:
            headers = {"X-Forwarded-For": client}
            body = {"instance": instance}
            return service.client.post(
                "/api/instances", json=body, headers=headers, timeout=120
            ).status_code

        greedy = [
            threads.submit(upload_all_but_last_byte, service, "192.0.2.1", 7 * MEGABYTE)
            for _ in range(20)
        ]
        crowd = [threads.submit(post, "192.0.2.1", slow) for _ in range(40)]
        time.sleep(1.0)
        large = {"format": "csv", "text": "id,x,y,demand\n" + " " * 7 * MEGABYTE}
        assert post("192.0.2.2", large) == 400, "it was read"
        assert b"429" in {upload.result() for upload in greedy}
        assert 429 in {request.result() for request in crowd}
