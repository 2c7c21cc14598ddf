"""Jobs over HTTP, on the real program."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import splitroute as sr
from serving import SMALL, TEXT, Service, running, wait_until
from splitroute.generate import set1


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("service")) as service:
        yield service


def test_a_job_is_solved(service: Service) -> None:
    state = service.wait(service.post())
    assert state["status"] == "done"
    visits = [[tuple(v.values()) for v in r["visits"]] for r in state["solution"]["routes"]]
    solution = sr.Solution(tuple(sr.Route(tuple(sr.Visit(*v) for v in r)) for r in visits))
    instance = sr.Instance.create(10, [6, 8, 6], [(0, 0), (1, 2), (3, 1), (2, -2)])
    assert sr.validate(instance, solution) == []
    assert state["cost"] == pytest.approx(state["solution"]["cost"])
    assert state["outcome"]["trace"]
    assert "text" not in state["request"]["instance"]


def test_events_resume_after_the_last_one_received(service: Service) -> None:
    job = service.post(seconds=1.0)
    events = service.events(job)
    assert [data["status"] for _, kind, data in events if kind == "status"] == [
        "queued", "running", "done",
    ]  # fmt: skip
    assert any(kind == "progress" and data["cost"] for _, kind, data in events)
    numbers = [int(number) for number, _, _ in events]
    assert numbers == sorted(set(numbers))
    assert service.events(job, after=events[1][0]) == events[2:]


def test_a_stream_after_the_last_event_is_empty(service: Service) -> None:
    job = service.post()
    service.wait(job)
    events = service.events(job)
    headers = {"Last-Event-ID": events[-1][0]}
    assert service.client.get(f"/api/jobs/{job}/events", headers=headers).status_code == 204
    odd = service.client.get(f"/api/jobs/{job}/events", headers={"Last-Event-ID": "9" * 5000})
    assert odd.status_code == 200


def test_a_cancelled_job_keeps_its_best_solution(service: Service) -> None:
    job = service.post(seconds=60.0, instance={"customers": 60})
    wait_until(lambda: "cost" in service.state(job))
    assert service.client.delete(f"/api/jobs/{job}").status_code == 202
    state = service.wait(job, seconds=30)
    assert state["status"] == "cancelled"
    assert state["solution"]["routes"]
    service.client.delete(f"/api/jobs/{job}")  # once more, as after a lost response
    assert service.state(job)["status"] == "cancelled"
    service.client.delete(f"/api/jobs/{job}?forget=true")
    assert service.client.get(f"/api/jobs/{job}").status_code == 404


def test_jobs_are_listed_newest_first(service: Service) -> None:
    service.post()
    mine = [service.post(instance={"format": "coordlist", "text": TEXT, "name": n}) for n in "ab"]
    listed = service.client.get("/api/jobs", params={"limit": 2}).json()
    assert [job["id"] for job in listed["jobs"]] == mine[::-1]
    older = service.client.get("/api/jobs", params={"limit": 1, "before": listed["next"]}).json()
    assert older["jobs"][0]["id"] not in mine


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


def test_an_instance_is_parsed_without_a_job(service: Service) -> None:
    before = service.client.get("/health").json()["jobs"]
    response = service.client.post("/api/instances", json=SMALL)
    assert response.status_code == 200
    assert [c["demand"] for c in response.json()["customers"]] == [6, 8, 6]
    assert service.client.get("/health").json()["jobs"] == before
    wrong = {"instance": {"format": "coordlist", "text": TEXT.replace("6 8 6", "6 8")}}
    refused = service.client.post("/api/instances", json=wrong)
    assert (refused.status_code, refused.json()["field"]) == (400, "instance")


def test_likely_mistakes_are_warned_about(service: Service) -> None:
    text = "# capacity: 80\nid,x,y,demand\nWarehouse,0,0,\nA,1,1,10000000\n"
    response = service.client.post(
        "/api/instances", json={"instance": {"format": "csv", "text": text, "name": "it"}}
    )
    first, second = response.json()["warnings"]
    assert "using 'Warehouse' as the depot" in first
    assert "'A' needs 125,000 full vehicles; are demand and capacity in the same unit?" in second


def test_a_job_keeps_the_warnings_about_its_instance(service: Service) -> None:
    text = "# capacity: 80\nid,x,y,demand\nWarehouse,0,0,\nA,1,1,10\n"
    job = service.post(instance={"format": "csv", "text": text}, metric=None, seconds=0.1)
    state = service.client.get(f"/api/jobs/{job}").json()
    assert "using 'Warehouse' as the depot" in state["warnings"][0]
    assert state["name"] == "1 customer"
    assert "warnings" not in service.client.get("/api/jobs").json()["jobs"][0]


def test_the_split_plan_is_that_of_pasa(service: Service) -> None:
    job = service.post(instance={"benchmark": "SD6"}, seconds=0.1)
    plan = service.client.get(f"/api/jobs/{job}/split-plan?levels=3").json()
    expected = sr.split(set1(6), levels=3)
    assert plan["pieces"] == [list(sizes) for sizes in expected.pieces]
    assert [level["reach"] for level in plan["levels"]] == [
        level.max_distance for level in expected.levels
    ]
    instance = service.client.get(f"/api/jobs/{job}/instance").json()
    assert len(instance["customers"]) == len(expected.instance.customers)


def test_the_baseline_is_included(service: Service) -> None:
    job = service.post(instance={"benchmark": "SD2"}, seconds=0.3, baseline=True)
    outcome = service.wait(job)["outcome"]
    assert outcome["unsplit"]["cost"] == pytest.approx(outcome["unsplit_cost"])
    served = [v["customer"] for r in outcome["unsplit"]["routes"] for v in r["visits"]]
    assert sorted(served) == list(range(1, 17))


def test_downloads(service: Service) -> None:
    text = "# capacity: 10\nid,lat,lon,demand\ndepot,50,10,0\n=cmd(),50.1,10,6\nB,50,10.2,8\n"
    job = service.post(instance={"format": "csv", "text": text, "name": "day"}, metric=None)
    service.wait(job)
    kinds = {
        "json": "{",
        "csv": "\ufeffroute,visit",
        "txt": "Route",
        "geojson": "{",
        "html": "<!doc",
        "sheets": "<!doc",
    }
    for kind, start in kinds.items():
        response = service.client.get(f"/api/jobs/{job}/files/{kind}")
        assert response.status_code == 200, response.text
        assert response.text.startswith(start)
    picture = service.client.get(f"/api/jobs/{job}/files/png")
    assert picture.content.startswith(b"\x89PNG")
    sheet = service.client.get(f"/api/jobs/{job}/files/csv").text
    assert ",'=cmd()," in sheet, "a spreadsheet must not take a name for a formula"
    assert service.client.get(f"/api/jobs/{job}/files/exe").status_code == 422


def test_downloads_without_coordinates(service: Service) -> None:
    rows = [[0, 3, 4], [3, 0, 5], [4, 5, 0]]
    model = {"capacity": 10, "customers": [{"demand": 6}, {"demand": 8}], "matrix": rows}
    job = service.post(instance={"format": "json", "text": json.dumps(model)}, metric=None)
    service.wait(job)
    for kind in ("png", "geojson"):
        response = service.client.get(f"/api/jobs/{job}/files/{kind}")
        assert (response.status_code, "coordinates" in response.json()["detail"]) == (409, True)
    assert service.client.get(f"/api/jobs/{job}/files/sheets").status_code == 200
    assert "matrix" not in service.client.get(f"/api/jobs/{job}/instance").json()
