"""Who may use the service, and how much of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from serving import SMALL, Service, running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("access")) as service:
        yield service


def test_a_token_is_required(tmp_path: Path) -> None:
    service = Service(tmp_path, "--token", "sesame")
    try:
        assert service.client.get("/api/jobs").status_code == 401
        wrong = service.client.get("/api/jobs", headers={"Authorization": "Bearer x"})
        assert (wrong.status_code, wrong.headers["www-authenticate"]) == (401, "Bearer")
        right = service.client.get("/api/jobs", headers={"Authorization": "Bearer sesame"})
        assert right.status_code == 200
    finally:
        service.close()


def test_pages_of_other_sites_cannot_post_jobs(service: Service) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        response = service.client.post("/api/jobs", json=SMALL, headers=headers)
        assert response.status_code == 403
    own = {"Origin": f"http://127.0.0.1:{service.port}", "Sec-Fetch-Site": "same-origin"}
    assert service.client.post("/api/jobs", json=SMALL, headers=own).status_code == 202


def test_responses_have_security_headers(service: Service) -> None:
    headers = service.client.get("/health").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


LONG = {**SMALL, "seconds": 60.0, "instance": {"customers": 20}}


def post_as(service: Service, client: str) -> httpx.Response:
    """Post a long job with the address that a proxy would state."""
    return service.client.post("/api/jobs", json=LONG, headers={"X-Forwarded-For": client})


def test_open_jobs_are_limited_whatever_address_a_client_states(tmp_path: Path) -> None:
    with running(tmp_path, "--workers", "1", "--max-open-jobs", "2") as service:
        first, queued = (post_as(service, client).json()["id"] for client in ("192.0.2.1", "::1"))
        third = post_as(service, "192.0.2.2")
        assert third.status_code == 429
        assert third.json()["detail"] == "you have 2 open jobs; wait until one ends"
        service.client.delete(f"/api/jobs/{queued}")
        service.post()
        assert service.state(first)["status"] in ("queued", "running")


def test_clients_behind_a_proxy_are_distinguished(tmp_path: Path) -> None:
    limit = ["--max-open-jobs", "1", "--workers", "1"]
    with running(tmp_path, *limit, "--trusted-proxy", "127.0.0.1") as service:
        clients = ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.9, 192.0.2.2"]
        statuses = [post_as(service, client).status_code for client in clients]
        assert statuses == [202, 202, 429, 429]
