"""What the page is given by the service, and what there is where it was not built."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

import splitroute as sr
from serving import SMALL, TEXT, Service
from splitroute.errors import InputError
from splitroute.generate import set1
from splitroute.web.page import add_page
from splitroute.web.settings import Settings


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(
        tmp_path_factory.mktemp("service"), "--tiles", "https://tiles.example.org/{z}/{x}/{y}.png"
    )
    yield running
    running.close()


def get(app: FastAPI, path: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.get(path)

    return asyncio.run(ask())


def test_without_the_page_it_says_how_to_build_it(tmp_path: Path) -> None:
    add_page(app := FastAPI(), tmp_path)
    answer = get(app, "/")
    assert answer.status_code == 200
    assert "make web" in answer.text


def test_the_page_is_served_with_files_that_may_be_kept(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-1a2b.js").write_text("1")
    (tmp_path / "index.html").write_text("the page")
    add_page(app := FastAPI(), tmp_path)
    assert get(app, "/").text == "the page"
    kept = get(app, "/assets/index-1a2b.js")
    assert (kept.text, "immutable" in kept.headers["cache-control"]) == ("1", True)
    assert get(app, "/assets/%2e%2e/index.html").status_code == 404


def test_info_says_what_may_be_asked_for(service: Service) -> None:
    info = service.client.get("/api/info").json()
    assert {"native", "rtr"} <= set(info["engines"])
    assert "vrph" not in info["engines"]
    assert info["rules"] == ["coins", "free", "none", "pasa"]
    assert info["tiles"] == "https://tiles.example.org/{z}/{x}/{y}.png"


def test_the_policy_lets_in_the_host_of_the_tiles_alone(service: Service) -> None:
    policy = service.client.get("/health").headers["content-security-policy"]
    assert "connect-src 'self' https://tiles.example.org;" in policy
    assert "script-src 'self';" in policy


@pytest.mark.parametrize(
    "tiles", ["file:///{z}/{x}/{y}", "https://a/{z}/{x}", "https://a;b/{z}{x}{y}"]
)
def test_odd_addresses_of_tiles_are_refused(tiles: str) -> None:
    with pytest.raises(InputError, match="the address of tiles"):
        Settings(tiles=tiles)


def test_an_instance_is_read_without_a_job(service: Service) -> None:
    before = service.client.get("/health").json()["jobs"]
    answer = service.client.post("/api/instances", json=SMALL)
    assert answer.status_code == 200
    assert [c["demand"] for c in answer.json()["customers"]] == [6, 8, 6]
    assert service.client.get("/health").json()["jobs"] == before
    wrong = {"instance": {"format": "coordlist", "text": TEXT.replace("6 8 6", "6 8")}}
    refused = service.client.post("/api/instances", json=wrong)
    assert (refused.status_code, refused.json()["field"]) == (400, "instance")


def test_the_plan_of_a_job_is_that_of_pasa(service: Service) -> None:
    job = service.post(instance={"benchmark": "SD6"}, seconds=0.1)
    plan = service.client.get(f"/api/jobs/{job}/plan?levels=3").json()
    expected = sr.split(set1(6), levels=3)
    assert plan["pieces"] == [list(sizes) for sizes in expected.pieces]
    assert [level["reach"] for level in plan["levels"]] == [
        each.max_distance for each in expected.levels
    ]
    instance = service.client.get(f"/api/jobs/{job}/instance").json()
    assert len(instance["customers"]) == len(expected.instance.customers)


def test_the_routes_without_splitting_come_along(service: Service) -> None:
    job = service.post(instance={"benchmark": "SD2"}, seconds=0.3, baseline=True)
    outcome = service.wait(job)["outcome"]
    assert outcome["unsplit"]["cost"] == pytest.approx(outcome["unsplit_cost"])
    served = [v["customer"] for r in outcome["unsplit"]["routes"] for v in r["visits"]]
    assert sorted(served) == list(range(1, 17))


@pytest.mark.parametrize(
    ("job", "field", "message"),
    [
        ({"engine": "rtr", "rule": "free"}, "rule", "rtr cannot split"),
        ({"vehicles": 5, "rule": "pasa"}, "vehicles", 'vehicles needs rule="free"'),
        ({"instance": {"customers": 5}, "metric": "haversine"}, "metric", "does not go with x"),
    ],
)
def test_what_could_only_fail_is_refused_at_once(
    service: Service, job: dict[str, object], field: str, message: str
) -> None:
    answer = service.client.post("/api/jobs", json={**SMALL, **job})
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert message in answer.json()["detail"]


def test_a_job_is_renamed(service: Service) -> None:
    job = service.post()
    service.wait(job)
    address = f"/api/jobs/{job}"
    assert service.client.patch(address, json={"name": "monday, north\u200b"}).status_code == 200
    assert service.state(job)["name"] == "monday, north"
    assert service.client.get("/api/jobs").json()["jobs"][0]["name"] == "monday, north"
    assert "monday, north: vehicle 1" in service.client.get(f"{address}/files/sheets").text
    for wrong in ("", "a\nb", "x" * 101):
        refused = service.client.patch(address, json={"name": wrong})
        assert (refused.status_code, refused.json()["field"]) == (422, "name")
    assert service.state(job)["name"] == "monday, north"
    unknown = service.client.patch(f"/api/jobs/{'0' * 32}", json={"name": "x"})
    assert unknown.status_code == 404


def test_a_change_is_no_way_around_the_limit_of_requests(service: Service) -> None:
    job = service.post()
    long = {"name": "x" * 9_000_000}
    assert service.client.patch(f"/api/jobs/{job}", json=long).status_code == 413


def test_what_is_probably_not_meant_is_said(service: Service) -> None:
    text = "# capacity: 80\nid,x,y,demand\nWarehouse,0,0,\nA,1,1,10000000\n"
    answer = service.client.post(
        "/api/instances", json={"instance": {"format": "csv", "text": text, "name": "it"}}
    )
    first, second = answer.json()["warnings"]
    assert "using 'Warehouse' as the depot" in first
    assert "'A' needs 125,000 full vehicles; are demand and capacity in the same unit?" in second
