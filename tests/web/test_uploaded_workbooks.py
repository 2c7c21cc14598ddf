"""Workbooks over HTTP: uploaded in Base64, previewed and mapped."""

from __future__ import annotations

import base64
import io
import tomllib
from collections.abc import Iterator
from typing import Any

import openpyxl
import pytest

from conftest import ROOT
from serving import Service, running
from spreadsheets import Book, Rows, xlsx

ROWS: Rows = [
    ["Ref", "lat", "lon", "weight_kg"],
    ["depot", 53.55, 10.0],
    ["a", 53.54, 9.97, 54],
    ["b", 53.6, 10.14, 210],
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("service")) as service:
        yield service


def source(rows: Any = ROWS, **more: Any) -> dict[str, Any]:
    text = base64.b64encode(xlsx(rows)).decode()
    return {"instance": {"format": "workbook", "text": text, "capacity": 80, **more}}


def test_the_extra_of_the_service_includes_workbooks() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (ours,) = (r for r in project["optional-dependencies"]["web"] if r.startswith("splitroute["))
    assert "xlsx" in ours.removeprefix("splitroute[").removesuffix("]").split(",")


def test_a_workbook_is_solved_and_downloaded(service: Service) -> None:
    body = source(columns={"demand": "weight_kg"}, name="Monday")
    job = service.post(metric=None, **body)
    assert service.wait(job)["status"] == "done"
    file = service.client.get(f"/api/jobs/{job}/files/xlsx")
    assert file.headers["content-type"].startswith("application/vnd.openxml")
    assert openpyxl.load_workbook(io.BytesIO(file.content))["stops"]["D2"].value in ("a", "b")


def test_columns_are_previewed(service: Service) -> None:
    found = service.client.post("/api/columns", json=source(Book({"A": ROWS, "B": [["x"]]}))).json()
    assert (found["sheets"], found["sheet"], found["missing"]) == (["A", "B"], "A", ["demand"])
    assert found["columns"] == {"id": "Ref", "lat": "lat", "lon": "lon"}
    assert found["rows"][1] == ["a", "53.54", "9.97", "54"]
    refused = service.client.post("/api/columns", json={"instance": {"customers": 5}})
    assert (refused.status_code, refused.json()["field"]) == (400, "instance")


def test_an_extension_is_a_name_of_the_format(service: Service) -> None:
    body = source(columns={"demand": "weight_kg"}, format="xlsx")
    read = service.client.post("/api/instances", json=body)
    assert (read.status_code, len(read.json()["customers"])) == (200, 2)


def test_errors_name_the_cell(service: Service) -> None:
    rows = [*ROWS[:3], ["b", 53.6, 10.14, "much"]]
    body = source(rows, columns={"demand": "weight_kg"})
    problem = service.client.post("/api/instances", json=body).json()
    assert (problem["cell"], problem["line"]) == ("Sheet1!D4", 4)
    assert problem["detail"].startswith("Sheet1!D4: demand of 'b' is much")
    body = {"instance": {"format": "workbook", "text": "no base64!"}}
    refused = service.client.post("/api/instances", json=body)
    assert (refused.status_code, "Base64" in refused.json()["detail"]) == (400, True)
