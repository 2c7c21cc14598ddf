"""Every failure has a response in our error JSON."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from anyio import to_thread
from fastapi import FastAPI
from sqlalchemy.exc import OperationalError

from splitroute.web.app import create_app
from splitroute.web.parsing import Bug
from splitroute.web.settings import Settings


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FastAPI]:
    app = create_app(Settings(store=f"sqlite:///{tmp_path / 'jobs.db'}"))
    yield app
    app.state.service.parsers.close()
    app.state.service.store.close()


def send(app: FastAPI, method: str, path: str, **options: Any) -> httpx.Response:
    async def request() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, **options)

    return asyncio.run(request())


def get(app: FastAPI, path: str, **options: Any) -> httpx.Response:
    return send(app, "GET", path, **options)


@pytest.mark.parametrize("host", ["localhost", "localhost:8765", "[::1]", "[::1]:8765"])
def test_this_machine_has_several_names(app: FastAPI, host: str) -> None:
    assert get(app, "/health", headers={"Host": host}).status_code == 200


def test_a_bug_is_reported_in_json_and_logged_once(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(app.state.service.store, "newest", fail)
    response = get(app, "/api/jobs")
    assert response.status_code == 500
    assert response.json()["detail"] == "internal error; the service has logged it"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert ["no idea" in (record.exc_text or "") for record in caplog.records] == [True]


def test_a_file_that_triggers_a_bug_is_refused(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any) -> Bug:
        return Bug("Traceback ... Overflow")

    monkeypatch.setattr(app.state.service.parsers, "run", fail)
    for path in ("/api/instances", "/api/jobs"):
        response = send(
            app, "POST", path, json={"instance": {"format": "csv", "text": "1e9999999"}}
        )
        assert (response.status_code, response.json()["field"]) == (400, "instance")
        assert "Overflow" not in response.text


def test_a_job_is_renamed_without_reading_its_request(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = app.state.service.store
    job = store.add("me", "old", 3, "{}")
    monkeypatch.setattr(store, "get", None)
    assert send(app, "PATCH", f"/api/jobs/{job}", json={"name": "new"}).status_code == 200
    assert store.summary(job)["name"] == "new"


def test_a_database_outage_is_reported_in_json_and_logged_once(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise OperationalError("select secrets", {}, Exception("connection refused"))

    for method in ("newest", "get", "state", "summary", "probe", "counts"):
        monkeypatch.setattr(app.state.service.store, method, fail)
    job = f"/api/jobs/{'0' * 32}"
    for path in ("/api/jobs", job, f"{job}/events", f"{job}/instance", "/metrics"):
        response = get(app, path)
        assert response.status_code == 503
        assert response.json()["detail"].startswith("the database is unavailable")
        assert response.headers["retry-after"]
        assert "select" not in response.text
    health = get(app, "/health")
    assert health.status_code == 503
    assert health.json()["status"] == "unavailable"
    assert health.json()["reason"] == "database unavailable: connection refused"
    logged = [record.getMessage() for record in caplog.records]
    assert logged == ["database unavailable: connection refused"]


def test_health_needs_none_of_the_request_threads(app: FastAPI) -> None:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        threads = to_thread.current_default_thread_limiter()
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for k in range(int(threads.total_tokens)):  # all of them are busy
                await threads.acquire_on_behalf_of(k)
            return await asyncio.wait_for(client.get("/health"), 10)

    assert asyncio.run(ask()).status_code == 200


def test_a_hanging_database_is_unavailable(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("splitroute.web.service.PROBE_SECONDS", 0.1)
    monkeypatch.setattr(app.state.service.store, "probe", lambda: time.sleep(1))
    health = get(app, "/health")
    assert health.status_code == 503
    assert "timeout" in health.json()["reason"]
