"""Invalid requests: refused with a message, a field and a code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from serving import SMALL, TEXT, Service, running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("invalid"), "--max-customers", "300") as service:
        yield service


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
        ({"instance": {"format": "coordlist", "text": " \n "}}, 400, "instance", "is empty"),
        ({"instance": {"format": "csv", "text": "\ufeff\n"}}, 400, "instance", "is empty"),
        ({"program": "rm"}, 422, "program", "unknown field"),
        ({"instance": {"format": "../../etc", "text": "x"}}, 422, None, "coordlist"),
    ],
)
def test_invalid_jobs_are_refused(
    service: Service, job: dict[str, Any], status: int, field: str | None, words: str
) -> None:
    response = service.client.post("/api/jobs", json={**SMALL, **job})
    assert response.status_code == status, response.text
    problem = response.json()
    assert words in problem["detail"]
    assert field is None or field in problem["field"]


@pytest.mark.parametrize("field", ["seconds", "seed", "vehicles", "bound", "levels"])
@pytest.mark.parametrize("value", ["5", True])
def test_texts_and_booleans_are_not_numbers(service: Service, field: str, value: object) -> None:
    response = service.client.post("/api/jobs", json={**SMALL, field: value})
    assert response.status_code == 422
    assert (response.json()["field"], response.json()["code"]) == (field, "invalid_request")


@pytest.mark.parametrize(
    ("instance", "field"),
    [
        ({"format": "coordlist", "text": TEXT, "capacity": "10"}, "instance.capacity"),
        ({"customers": "9"}, "instance.customers"),
        ({"customers": True}, "instance.customers"),
        ({"format": "coordlist", "text": 7}, "instance.text"),
    ],
)
def test_types_of_the_instance_are_strict(
    service: Service, instance: dict[str, object], field: str
) -> None:
    response = service.client.post("/api/instances", json={"instance": instance})
    assert (response.status_code, response.json()["field"]) == (422, field)


def test_integers_and_floats_of_the_same_value_are_equal(service: Service) -> None:
    service.post(seconds=1, bound=0, seed=2.0)


@pytest.mark.parametrize("name", ["\u200b", "\u200b\u2060 ", " ", "\u00a0", 7])
def test_an_invisible_name_is_refused(service: Service, name: object) -> None:
    job = service.post(instance={"benchmark": "SD1"})
    response = service.client.patch(f"/api/jobs/{job}", json={"name": name})
    assert (response.status_code, response.json()["field"]) == (422, "name")
    assert response.json()["code"] == "invalid_request"
    assert service.state(job)["name"] == "SD1"


@pytest.mark.parametrize(
    ("job", "field", "message"),
    [
        ({"engine": "rtr", "rule": "free"}, "rule", "rtr cannot split"),
        ({"vehicles": 5, "rule": "pasa"}, "vehicles", 'vehicles needs rule="free"'),
        (
            {"instance": {"customers": 5}, "metric": "haversine"},
            "metric",
            "does not apply",
        ),
    ],
)
def test_jobs_that_could_only_fail_are_refused(
    service: Service, job: dict[str, object], field: str, message: str
) -> None:
    response = service.client.post("/api/jobs", json={**SMALL, **job})
    assert (response.status_code, response.json()["field"]) == (400, field)
    assert message in response.json()["detail"]


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
def test_errors_have_field_code_line_and_value(
    service: Service, job: dict[str, Any], parts: tuple[Any, ...]
) -> None:
    problem = service.client.post("/api/jobs", json={**SMALL, **job}).json()
    found = [problem[name] for name in ("field", "code", "line", "value")]
    assert found[: len(parts)] == list(parts)


def test_messages_name_lines_but_not_the_file(service: Service) -> None:
    for name in ("monday", ""):
        given = {"format": "csv", "name": name, "text": f"# capacity: 3\n{ROWS}b,1,1,lots\n"}
        response = service.client.post("/api/instances", json={"instance": given}).json()
        assert response["detail"].startswith("line 5: demand of 'b' is lots")
        given["text"] += "c,1,1,few\n"
        response = service.client.post("/api/instances", json={"instance": given}).json()
        first, *errors = response["detail"].splitlines()
        assert first == "2 errors:"
        assert [error[:8] for error in errors] == ["line 5: ", "line 6: "]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/api/jobs/nobody", "found 'nobody'; a job id has 32 digits"),
        (f"/api/jobs/{'0' * 31}", "is the link complete?"),
        (f"/api/jobs/{'x' * 5000}/instance", "xxx...'; a job id"),
    ],
)
def test_a_malformed_id_is_explained_in_plain_words(
    service: Service, path: str, words: str
) -> None:
    response = service.client.get(path)
    assert response.status_code == 422
    assert words in response.json()["detail"]
    assert "[0-9a-f]" not in response.text
    assert len(response.text) < 300


def test_malformed_names_are_explained_in_plain_words(service: Service) -> None:
    for instance in ({"benchmark": "SD99"}, {"format": "csv", "text": TEXT, "name": "a\nb"}):
        response = service.client.post("/api/jobs", json={"instance": instance})
        assert response.status_code == 422
        assert "^" not in response.text


def test_other_content_types_are_refused(service: Service) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        headers = {"Content-Type": kind}
        response = service.client.post("/api/jobs", content=b"{}", headers=headers)
        assert response.status_code == 415
        assert "must be application/json" in response.json()["detail"]


def test_unknown_jobs_and_large_requests_are_refused(service: Service) -> None:
    assert service.client.get("/api/jobs/nobody").status_code == 422
    assert service.client.get(f"/api/jobs/{'0' * 32}").status_code == 404
    assert service.client.get(f"/api/jobs/{'0' * 32}/events").status_code == 404
    giant = {**SMALL, "instance": {"format": "csv", "text": "x" * 9_000_000}}
    assert service.client.post("/api/jobs", json=giant).status_code == 413
    unstated = service.client.post("/api/jobs", content=iter([b"{}"]))
    assert unstated.status_code == 411
    other = service.client.get("/health", headers={"Host": "elsewhere.example"})
    assert other.status_code == 403


def test_a_large_change_is_refused(service: Service) -> None:
    job = service.post()
    long = {"name": "x" * 9_000_000}
    assert service.client.patch(f"/api/jobs/{job}", json=long).status_code == 413


def test_changes_have_a_smaller_limit(service: Service) -> None:
    path = f"/api/jobs/{service.post()}"
    large = service.client.patch(path, json={"name": "x" * 20_000})
    assert (large.status_code, "at most 16384 bytes" in large.text) == (413, True)
    assert service.client.patch(path, json={"name": "new"}).status_code == 200


def test_errors_of_fastapi_have_the_same_form(service: Service) -> None:
    nowhere = service.client.get("/api/nowhere")
    problem = {"detail": "Not Found", "field": None, "code": "not_found", "line": None}
    nothing = dict.fromkeys(("cell", "value", "path", "errors"))
    assert (nowhere.status_code, nowhere.json()) == (404, {**problem, **nothing})
    put = service.client.put(f"/api/jobs/{'0' * 32}")
    assert (put.status_code, put.headers["allow"]) == (405, "DELETE, GET, HEAD, PATCH")
    assert put.json()["code"] == "method_not_allowed"


def test_errors_of_http_have_codes(service: Service) -> None:
    client, job = service.client, f"/api/jobs/{'0' * 32}"
    as_text = {"Content-Type": "text/plain"}
    responses = {
        "job_not_found": client.get(job),
        "unsupported_media_type": client.post("/api/jobs", content="{}", headers=as_text),
        "host_not_allowed": client.get("/api/jobs", headers={"Host": "other.example"}),
        "cross_site": client.delete(job, headers={"Origin": "https://other.example"}),
        "length_required": client.post("/api/jobs", content=iter([b"{}"])),
        "too_large": client.patch(job, json={"name": "x" * 20_000}),
    }
    assert {code: r.json()["code"] for code, r in responses.items()} == {c: c for c in responses}


def test_details_do_not_repeat_the_field(service: Service) -> None:
    problem = service.client.post("/api/jobs", json={**SMALL, "seconds": -1}).json()
    assert problem["field"] == "seconds"
    assert problem["detail"] == "Input should be greater than 0"
