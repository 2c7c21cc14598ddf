"""Every failure is answered with our error JSON, whatever fails."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from anyio import to_thread
from fastapi import FastAPI
from sqlalchemy.exc import OperationalError

from serving import TEXT
from splitroute.web.app import create_app
from splitroute.web.parsing import Bug
from splitroute.web.settings import Settings


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FastAPI]:
    found = create_app(Settings(store=f"sqlite:///{tmp_path / 'jobs.db'}"))
    yield found
    found.state.service.parsers.close()
    found.state.service.store.close()


def get(app: FastAPI, *paths: str) -> list[httpx.Response]:
    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return [await client.get(path) for path in paths]

    return asyncio.run(ask())


def ask(app: FastAPI, method: str, path: str, body: object) -> httpx.Response:
    async def answer() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, json=body)

    return asyncio.run(answer())


def test_a_fault_of_ours_is_answered_in_json_and_logged_once(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(app.state.service.store, "newest", fail)
    (answer,) = get(app, "/api/jobs")
    assert answer.status_code == 500
    assert answer.json()["detail"] == "the request failed because of a fault of the service"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert ["no idea" in (record.exc_text or "") for record in caplog.records] == [True]


def test_a_file_that_nobody_expected_is_refused(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any) -> Bug:
        return Bug("Traceback ... Overflow")

    monkeypatch.setattr(app.state.service.parsers, "run", fail)
    for path in ("/api/instances", "/api/jobs"):
        answer = ask(app, "POST", path, {"instance": {"format": "csv", "text": "1e9999999"}})
        assert (answer.status_code, answer.json()["field"]) == (400, "instance")
        assert "Overflow" not in answer.text


def test_jobs_of_an_earlier_version_are_shown(app: FastAPI) -> None:
    request = {"instance": {"format": "coordlist", "text": TEXT}, "seconds": 3.0}
    job = app.state.service.store.add("me", "old", 3, json.dumps(request))
    state, instance = get(app, f"/api/jobs/{job}", f"/api/jobs/{job}/instance")
    assert state.json()["request"]["instance"] == {
        "format": "coordlist", "name": "", "capacity": None, "unit": None,
    }  # fmt: skip
    assert state.json()["request"]["seconds"] == 3.0
    assert [each["demand"] for each in instance.json()["customers"]] == [6, 8, 6]


def test_a_job_is_renamed_without_reading_its_request(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = app.state.service.store
    job = store.add("me", "old", 3, "{}")
    monkeypatch.setattr(store, "get", None)
    assert ask(app, "PATCH", f"/api/jobs/{job}", {"name": "new"}).status_code == 200
    assert store.summary(job)["name"] == "new"


def test_a_database_that_is_away_is_answered_in_json_and_logged_once(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise OperationalError("select secrets", {}, Exception("connection refused"))

    for method in ("newest", "get", "state", "summary", "probe", "counts"):
        monkeypatch.setattr(app.state.service.store, method, fail)
    job = f"/api/jobs/{'0' * 32}"
    answers = get(app, "/api/jobs", job, f"{job}/events", f"{job}/instance", "/metrics")
    for answer in answers:
        assert answer.status_code == 503
        assert answer.json()["detail"].startswith("the database cannot be used")
        assert answer.headers["retry-after"]
        assert "select" not in answer.text
    (health,) = get(app, "/health")
    assert health.status_code == 503
    assert health.json()["status"] == "unavailable"
    assert health.json()["reason"] == "the database cannot be used: connection refused"
    said = [record.getMessage() for record in caplog.records]
    assert said == ["the database cannot be used: connection refused"]


def test_health_needs_no_thread_of_those_that_serve_requests(app: FastAPI) -> None:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        threads = to_thread.current_default_thread_limiter()
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for k in range(int(threads.total_tokens)):  # all of them are busy
                await threads.acquire_on_behalf_of(k)
            return await asyncio.wait_for(client.get("/health"), 10)

    assert asyncio.run(ask()).status_code == 200


def test_a_database_that_does_not_answer_is_not_waited_for(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("splitroute.web.service.PROBE_SECONDS", 0.1)
    monkeypatch.setattr(app.state.service.store, "probe", lambda: time.sleep(1))
    (health,) = get(app, "/health")
    assert health.status_code == 503
    assert "does not answer" in health.json()["reason"]
