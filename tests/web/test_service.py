"""The service over HTTP, against the real program."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from serving import SMALL, TEXT, Service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("service"), "--most-customers", "300")
    yield running
    running.close()


def events(service: Service, job: str, after: str | None = None) -> list[tuple[str, str, Any]]:
    headers = {"Last-Event-ID": after} if after else {}
    with service.client.stream("GET", f"/api/jobs/{job}/events", headers=headers) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        text = "".join(stream.iter_text())
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if lines:
            found.append((lines["id"], lines["event"], json.loads(lines["data"])))
    return found


def test_a_job_is_carried_out(service: Service) -> None:
    state = service.wait(service.post())
    assert state["status"] == "done"
    visits = [[tuple(v.values()) for v in r["visits"]] for r in state["solution"]["routes"]]
    solution = sr.Solution(tuple(sr.Route(tuple(sr.Visit(*v) for v in r)) for r in visits))
    instance = sr.Instance.create(10, [6, 8, 6], [(0, 0), (1, 2), (3, 1), (2, -2)])
    assert sr.validate(instance, solution) == []
    assert state["cost"] == pytest.approx(state["solution"]["cost"])
    assert state["outcome"]["trace"]
    assert "text" not in state["request"]["instance"]


def test_events_tell_the_story_and_go_on_after_a_break(service: Service) -> None:
    job = service.post(seconds=1.0)
    told = events(service, job)
    assert [data["status"] for _, kind, data in told if kind == "status"] == [
        "queued", "running", "done",
    ]  # fmt: skip
    assert any(kind == "progress" and data["cost"] for _, kind, data in told)
    numbers = [int(number) for number, _, _ in told]
    assert numbers == sorted(set(numbers))
    assert events(service, job, after=told[1][0]) == told[2:]


def test_a_running_job_is_cancelled_and_keeps_its_best(service: Service) -> None:
    job = service.post(seconds=60.0, instance={"customers": 60})
    service.wait(job, "running")
    time.sleep(1.5)
    assert service.client.delete(f"/api/jobs/{job}").status_code == 202
    state = service.wait(job, seconds=30)
    assert state["status"] == "cancelled"
    assert state["solution"]["routes"]
    service.client.delete(f"/api/jobs/{job}")  # once more, as after a lost answer
    assert service.state(job)["status"] == "cancelled"
    service.client.delete(f"/api/jobs/{job}?forget=true")
    assert service.client.get(f"/api/jobs/{job}").status_code == 404


def test_files_of_every_kind(service: Service) -> None:
    text = "# capacity: 10\nid,lat,lon,demand\ndepot,50,10,0\n=cmd(),50.1,10,6\nB,50,10.2,8\n"
    job = service.post(instance={"format": "csv", "text": text, "name": "day"}, metric=None)
    service.wait(job)
    kinds = {
        "json": "{",
        "csv": "\ufeffroute,visit",
        "txt": "Route",
        "geojson": "{",
        "sheets": "<!doc",
    }
    for kind, start in kinds.items():
        answer = service.client.get(f"/api/jobs/{job}/files/{kind}")
        assert answer.status_code == 200, answer.text
        assert answer.text.startswith(start)
    picture = service.client.get(f"/api/jobs/{job}/files/png")
    assert picture.content.startswith(b"\x89PNG")
    sheet = service.client.get(f"/api/jobs/{job}/files/csv").text
    assert ",'=cmd()," in sheet, "a spreadsheet must not take a name for a formula"
    assert service.client.get(f"/api/jobs/{job}/files/exe").status_code == 422


@pytest.mark.parametrize(
    ("job", "status", "field", "words"),
    [
        ({"instance": {"format": "csv", "text": "a,b\n1,2\n"}}, 400, "instance", "no column"),
        ({"instance": {"format": "coordlist", "text": "1 5\n3\n0 0\n"}}, 400, "instance", "need 5"),
        ({"engine": "vrph"}, 400, "engine", "unknown engine 'vrph'"),
        ({"engine": "os.system"}, 400, "engine", "unknown engine"),
        ({"rule": "coin"}, 400, "rule", "unknown rule 'coin'; known: coins, free"),
        ({"rule": "none", "levels": 2}, 400, "levels", "has no option 'levels'"),
        ({"seconds": 4000}, 400, "seconds", "at most 3600 s"),
        ({"seconds": -1}, 422, "seconds", "greater than 0"),
        ({"instance": {"customers": 301}}, 400, "instance", "at most 300"),
        ({"vehicles": 1}, 400, "vehicles", "which needs at least 2"),
        ({"program": "rm"}, 422, "program", "program: unknown field"),
        ({"instance": {"format": "../../etc", "text": "x"}}, 422, None, "coordlist"),
    ],
)
def test_what_cannot_be_done_is_refused(
    service: Service, job: dict[str, Any], status: int, field: str | None, words: str
) -> None:
    answer = service.client.post("/api/jobs", json={**SMALL, **job})
    assert answer.status_code == status, answer.text
    problem = answer.json()
    assert words in problem["detail"]
    assert field is None or field in problem["field"]


ROWS = "id,x,y,demand\ndepot,0,0,0\na,1,1,3\n"


@pytest.mark.parametrize(
    ("job", "parts"),
    [
        (
            {"instance": {"format": "csv", "text": ROWS, "name": "monday"}},
            ("capacity", "no_capacity", None, None),
        ),
        (
            {"instance": {"format": "csv", "text": f"# capacity: 3\n{ROWS}b,1,1,lots\n"}},
            ("instance", "invalid_input", 5, "lots"),
        ),
        (
            {"instance": {"format": "csv", "text": ROWS, "capacity": 10, "unit": 1e-300}},
            ("unit", "invalid_input", None, "1e-300"),
        ),
        ({"metric": "haversine"}, ("metric", "invalid_input", None, "haversine")),
        ({"instance": {"customers": 9}, "metric": "matrix"}, ("metric", "invalid_input")),
        ({"vehicles": 1}, ("vehicles", "invalid_input", None, "1")),
        ({"vehicles": 3, "rule": "pasa"}, ("vehicles", "invalid_input")),
        ({"rule": "coin"}, ("rule", "invalid_input", None, "coin")),
        ({"instance": {"customers": 301}}, ("instance", "too_large", None, "301")),
        ({"seconds": "soon"}, ("seconds", "invalid_request", None, None)),
    ],
)
def test_errors_are_for_programs_too(
    service: Service, job: dict[str, Any], parts: tuple[Any, ...]
) -> None:
    problem = service.client.post("/api/jobs", json={**SMALL, **job}).json()
    found = [problem[name] for name in ("field", "code", "line", "value")]
    assert found[: len(parts)] == list(parts)


def test_messages_about_a_file_name_its_lines_but_not_the_file(service: Service) -> None:
    for name in ("monday", ""):
        given = {"format": "csv", "name": name, "text": f"# capacity: 3\n{ROWS}b,1,1,lots\n"}
        answer = service.client.post("/api/instances", json={"instance": given}).json()
        assert answer["detail"].startswith("line 5: demand of 'b' is lots")
        given["text"] += "c,1,1,few\n"
        answer = service.client.post("/api/instances", json={"instance": given}).json()
        first, *errors = answer["detail"].splitlines()
        assert first == "2 errors:"
        assert [error[:8] for error in errors] == ["line 5: ", "line 6: "]


def test_strangers_and_giants_are_refused(service: Service) -> None:
    assert service.client.get("/api/jobs/nobody").status_code == 422
    assert service.client.get(f"/api/jobs/{'0' * 32}").status_code == 404
    assert service.client.get(f"/api/jobs/{'0' * 32}/events").status_code == 404
    giant = {**SMALL, "instance": {"format": "csv", "text": "x" * 9_000_000}}
    assert service.client.post("/api/jobs", json=giant).status_code == 413
    unstated = service.client.post("/api/jobs", content=iter([b"{}"]))
    assert unstated.status_code == 411
    other = service.client.get("/health", headers={"Host": "elsewhere.example"})
    assert other.status_code == 403


def test_errors_of_the_framework_are_answered_in_the_same_way(service: Service) -> None:
    nowhere = service.client.get("/api/nowhere")
    nothing = {"detail": "Not Found", "field": None, "code": None, "line": None, "value": None}
    assert (nowhere.status_code, nowhere.json()) == (404, nothing)
    put = service.client.put(f"/api/jobs/{'0' * 32}")
    assert (put.status_code, put.headers["allow"]) == (405, "DELETE, GET, HEAD, PATCH")


def test_answers_are_safe_to_show(service: Service) -> None:
    headers = service.client.get("/health").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_health_and_metrics(service: Service) -> None:
    service.wait(service.post())
    assert service.client.get("/health").json()["status"] == "ok"
    assert 'splitroute_jobs{status="done"}' in service.client.get("/metrics").text
    assert service.client.get("/api/openapi.json").json()["paths"]


def test_a_worker_that_is_killed_fails_its_job_alone(service: Service) -> None:
    job = service.post(seconds=30.0, instance={"customers": 40})
    service.wait(job, "running")
    time.sleep(1.0)
    for child in _children(service.process.pid):
        os.kill(child, signal.SIGKILL)
    state = service.wait(job, seconds=30)
    assert state["status"] == "failed"
    assert "signal 9" in state["error"]
    assert service.wait(service.post())["status"] == "done"


def _children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def test_a_service_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    service = Service(tmp_path)
    done = service.post()
    service.wait(done)
    jobs = [service.post(seconds=3.0, instance={"customers": 30}, seed=k) for k in range(5)]
    service.wait(jobs[0], "running")
    time.sleep(2.0)
    service.kill()
    service.start()
    try:
        assert service.state(done)["status"] == "done"
        for job in jobs:
            state = service.wait(job)
            assert state["status"] == "done", state
            assert state["solution"]["routes"]
        told = events(service, jobs[0])
        assert [d["status"] for _, k, d in told if k == "status"].count("done") == 1
    finally:
        service.close()


def test_a_token_is_asked_for(tmp_path: Path) -> None:
    service = Service(tmp_path, "--token", "sesame")
    try:
        assert service.client.get("/api/jobs").status_code == 401
        wrong = service.client.get("/api/jobs", headers={"Authorization": "Bearer x"})
        assert (wrong.status_code, wrong.headers["www-authenticate"]) == (401, "Bearer")
        right = service.client.get("/api/jobs", headers={"Authorization": "Bearer sesame"})
        assert right.status_code == 200
    finally:
        service.close()


def test_open_jobs_are_limited(tmp_path: Path) -> None:
    service = Service(tmp_path, "--workers", "1", "--most-open-jobs", "2")
    try:
        running, queued = (service.post(seconds=60.0, instance={"customers": 20}) for _ in "ab")
        third = service.client.post("/api/jobs", json=SMALL)
        assert third.status_code == 429
        assert third.json()["detail"] == "you have 2 jobs open; wait for some"
        service.client.delete(f"/api/jobs/{queued}")
        service.post()
        assert service.state(running)["status"] in ("queued", "running")
    finally:
        service.close()


def test_no_door_stands_open_without_a_token(run: Any) -> None:
    done = run("serve", "--host", "0.0.0.0")
    assert done.exit_code == 2
    assert "takes a token" in done.stderr


def test_jobs_are_listed_newest_first(service: Service) -> None:
    service.post()
    mine = [service.post(instance={"format": "coordlist", "text": TEXT, "name": n}) for n in "ab"]
    listed = service.client.get("/api/jobs", params={"limit": 2}).json()
    assert [job["id"] for job in listed["jobs"]] == mine[::-1]
    older = service.client.get("/api/jobs", params={"limit": 1, "before": listed["next"]}).json()
    assert older["jobs"][0]["id"] not in mine


def test_pages_of_other_sites_may_not_hand_in_jobs(service: Service) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = service.client.post("/api/jobs", json=SMALL, headers=headers)
        assert answer.status_code == 403
    own = {"Origin": f"http://127.0.0.1:{service.port}", "Sec-Fetch-Site": "same-origin"}
    assert service.client.post("/api/jobs", json=SMALL, headers=own).status_code == 202


def test_no_token_is_not_an_empty_token(run: Any) -> None:
    done = run("serve", "--token", "")
    assert done.exit_code == 2
    assert "the token is empty" in done.stderr


def test_without_places_there_is_no_picture_but_a_plan(service: Service) -> None:
    rows = [[0, 3, 4], [3, 0, 5], [4, 5, 0]]
    model = {"capacity": 10, "customers": [{"demand": 6}, {"demand": 8}], "matrix": rows}
    job = service.post(instance={"format": "json", "text": json.dumps(model)}, metric=None)
    service.wait(job)
    for kind in ("png", "geojson"):
        answer = service.client.get(f"/api/jobs/{job}/files/{kind}")
        assert (answer.status_code, "no coordinates" in answer.json()["detail"]) == (409, True)
    assert service.client.get(f"/api/jobs/{job}/files/sheets").status_code == 200
    assert "matrix" not in service.client.get(f"/api/jobs/{job}/instance").json()


def test_a_stream_behind_the_end_says_that_there_is_no_more(service: Service) -> None:
    job = service.post()
    service.wait(job)
    told = events(service, job)
    headers = {"Last-Event-ID": told[-1][0]}
    assert service.client.get(f"/api/jobs/{job}/events", headers=headers).status_code == 204
    odd = service.client.get(f"/api/jobs/{job}/events", headers={"Last-Event-ID": "9" * 5000})
    assert odd.status_code == 200


def test_a_job_beyond_its_memory_fails_alone(tmp_path: Path) -> None:
    # Enough for a small job with all its threads, which take address space too.
    limits = ["--workers", "1", "--memory", "450", "--most-customers", "100000"]
    service = Service(tmp_path, *limits)
    try:
        state = service.wait(service.post(instance={"customers": 100_000}, seconds=5))
        assert (state["status"], bool(state["error"])) == ("failed", True)
        assert service.wait(service.post())["status"] == "done"
    finally:
        service.close()
