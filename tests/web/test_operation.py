"""Health, metrics, information and housekeeping."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from serving import Service, running, wait_until
from splitroute.web.store import Store

pytest_plugins = ["stores"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(
        tmp_path_factory.mktemp("operation"), "--tiles", "https://tiles.example.org/{z}/{x}/{y}.png"
    ) as service:
        yield service


def test_health_and_metrics(service: Service) -> None:
    service.wait(service.post())
    assert service.client.get("/health").json()["status"] == "ok"
    assert 'splitroute_jobs{status="done"}' in service.client.get("/metrics").text
    assert service.client.get("/api/openapi.json").json()["paths"]


def test_info_lists_engines_and_rules(service: Service) -> None:
    info = service.client.get("/api/info").json()
    assert {"native", "rtr"} <= set(info["engines"])
    assert "vrph" not in info["engines"]
    assert (info["max_customers"], info["max_seconds"]) == (20_000, 3600)
    assert info["rules"] == ["coins", "free", "none", "pasa"]
    assert info["tiles"] == "https://tiles.example.org/{z}/{x}/{y}.png"


def test_the_security_policy_allows_only_the_tile_server(service: Service) -> None:
    policy = service.client.get("/health").headers["content-security-policy"]
    assert "connect-src 'self' https://tiles.example.org;" in policy
    assert "script-src 'self';" in policy


@pytest.mark.parametrize("path", ["/", "/health", "/metrics", "/api/info", "/api/jobs"])
def test_head_requests(service: Service, path: str) -> None:
    head, whole = service.client.head(path), service.client.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert service.client.head("/nowhere").status_code == 404


@pytest.mark.parametrize(("days", "kept"), [("1", ["new"]), ("0", [])])
def test_old_jobs_are_deleted(
    sqlite_store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    days: str,
    kept: list[str],
) -> None:
    now = time.time()
    for name, age in (("old", 2 * 86_400), ("new", 0)):
        monkeypatch.setattr(time, "time", lambda age=age: now - age)
        sqlite_store.queue.cancel(sqlite_store.add("me", name, 1, "{}"))
    monkeypatch.undo()
    assert sqlite_store.counts() == {"cancelled": 2}
    with running(tmp_path, "--workers", "1", "--keep-days", days) as service:
        wait_until(lambda: len(service.client.get("/api/jobs").json()["jobs"]) == len(kept))
        assert [job["name"] for job in service.client.get("/api/jobs").json()["jobs"]] == kept
        assert sum(service.client.get("/health").json()["jobs"].values()) == len(kept)


def test_a_port_in_use_is_one_error(run: Callable[..., Any], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", port, "--store", f"sqlite:///{tmp_path}/jobs.db")
    assert done.exit_code == 2, done.output
    assert f"port {port}: Address already in use (--port)" in done.stderr


def test_an_unknown_host_is_one_error(run: Callable[..., Any], tmp_path: Path) -> None:
    host, store = "nowhere.invalid", f"sqlite:///{tmp_path}/jobs.db"
    done = run("serve", "--host", host, "--port", 0, "--token", "x", "--store", store)
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith(f"error: cannot listen on {host}, port 0: ")
    assert "Unknown error" not in done.stderr
    assert done.stderr.endswith(" (--host)\n")
