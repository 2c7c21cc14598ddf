"""Workbooks that are written: cells have types, and what is written is read back."""

import datetime
import io
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

import splitroute as sr
from conftest import ROOT
from splitroute.formats import suffixes, workbook
from splitroute.formats._values import Clock, Value
from splitroute.formats._write_workbook import Table, write_workbook
from splitroute.instance import Depot

FLEET = ROOT / "examples" / "drinks.csv"


@pytest.fixture(scope="module")
def drinks() -> sr.Instance:
    folder = ROOT / "examples"
    return sr.read(FLEET, fleet=folder / "drinks-fleet.csv", depots=folder / "drinks-depots.csv")


@pytest.fixture(scope="module")
def result(drinks: sr.Instance) -> sr.Result:
    return sr.solve(drinks, stop=sr.Stop(iterations=500), bound=0)


def test_times_are_whole_seconds_in_one_format_per_column() -> None:
    rows: list[list[Value]] = [
        ["name", "time", "late"],
        ["a", Clock(480.0, "08:00:00"), Clock(1500.0, "25:00:00")],
        ["b", Clock(470.1312, "07:50:08"), Clock(60.0, "01:00:00")],
    ]
    data = write_workbook({"stops": Table(rows)})
    sheet = openpyxl.load_workbook(io.BytesIO(data))["stops"]
    assert [cell.number_format for cell in sheet["B"][1:]] == ["hh:mm:ss"] * 2
    assert [cell.number_format for cell in sheet["C"][1:]] == ["[h]:mm:ss"] * 2
    assert sheet["B3"].value == datetime.time(7, 50, 8)
    assert sheet.auto_filter.ref == "A1:C3"


def test_a_solution_has_three_sheets(result: sr.Result, tmp_path: Path) -> None:
    path = tmp_path / "plan.xlsx"
    sr.write(result.solution, path, instance=result.instance, about=result.metadata())
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["stops", "routes", "summary"]
    stops = book["stops"]
    titles = [cell.value for cell in stops[1]]
    first = dict(zip(titles, stops[2], strict=True))
    assert first["quantity"].data_type == "n"
    assert first["arrival"].is_date
    assert first["arrival"].number_format.startswith("hh:mm")
    assert all(cell.font.bold for cell in stops[1])
    assert (stops.freeze_panes, stops.max_row) == ("A2", 1 + result.solution.num_visits)
    assert book["routes"].max_row == 1 + len(result.solution.routes)
    summary = {row[0].value: row[1].value for row in book["summary"]}
    assert summary["cost"] == pytest.approx(result.cost, abs=1e-3)
    assert summary["distances"] == "km, straight lines"
    assert summary["engine"] == "native"


def test_a_written_solution_is_valid(result: sr.Result, tmp_path: Path) -> None:
    path = tmp_path / "plan.xlsx"
    sr.write(result.solution, path, instance=result.instance)
    parsed = sr.read_solution(path, result.instance)
    assert parsed.violations(result.instance) == []
    assert parsed.solution.num_visits == result.solution.num_visits


def test_an_instance_with_vehicles_and_depots_is_read_back(
    drinks: sr.Instance, tmp_path: Path
) -> None:
    path = tmp_path / "drinks.xlsx"
    sr.write(drinks, path)
    read = sr.read(path)
    assert (read.customers, read.fleet, read.depots) == (
        drinks.customers,
        drinks.fleet,
        drinks.depots,
    )
    assert (read.unit, read.metric, read.places) == (drinks.unit, drinks.metric, drinks.places)
    assert openpyxl.load_workbook(path).sheetnames == ["customers", "vehicles", "depots"]


def test_names_are_never_formulas() -> None:
    instance = sr.Instance.create(9, [3], [(0, 0), (1, 1)], ids=["=1+1"], notes=["http://x"])
    data = workbook.dump_instance(instance)
    sheet = openpyxl.load_workbook(io.BytesIO(data))["customers"]
    cells = {cell.value: cell for row in sheet for cell in row}
    assert cells["=1+1"].data_type == "s"
    assert cells["http://x"].hyperlink is None
    assert workbook.parse_instance(data, _options()).customers[0].id == "=1+1"


@pytest.mark.parametrize("suffix", [".xlsx", ".csv", ".json", ".geojson"])
def test_vehicle_types_may_look_like_formulas(
    two_depots: tuple[sr.Instance, sr.Solution], suffix: str, tmp_path: Path
) -> None:
    instance, solution = two_depots
    fleet = [replace(kind, type=f"-{kind.type}") for kind in instance.fleet]
    customers = [replace(customer, vehicle_types=None) for customer in instance.customers]
    instance = replace(instance, fleet=tuple(fleet), customers=tuple(customers))
    sr.write(solution, tmp_path / f"plan{suffix}", instance=instance)
    assert sr.read_solution(tmp_path / f"plan{suffix}", instance).violations(instance) == []


@pytest.mark.parametrize(("kind", "depot"), [("Total", "a"), (" van", "a"), ("van", "a ")])
def test_names_that_a_sheet_cannot_hold_are_rejected(kind: str, depot: str) -> None:
    instance = sr.Instance.create(
        None, [3], [(0, 0), (9, 9), (1, 1)],
        vehicles=[sr.VehicleType(kind, 9)], depots=[Depot(depot, 0), Depot("b", 1)],
    )  # fmt: skip
    name = kind if kind != "van" else depot
    with pytest.raises(sr.InputError, match=f"a table cannot hold the name '{name}'; write .json"):
        workbook.dump_instance(instance)


def _options() -> sr.formats.ReadOptions:
    return sr.formats.ReadOptions(name="it.xlsx")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("splitroute.registry.is_installed", lambda module: False)
    for suffix in (".xlsx", ".ods"):
        (tmp_path / f"a{suffix}").write_bytes(b"PK")
        with pytest.raises(sr.MissingPackageError, match=r"pip install 'splitroute\[xlsx\]'"):
            sr.read(tmp_path / f"a{suffix}")
    instance = sr.Instance.create(9, [3], [(0, 0), (1, 1)])
    with pytest.raises(sr.MissingPackageError, match=r"pip install 'splitroute\[xlsx\]'"):
        sr.write(instance, tmp_path / "b.xlsx")
    assert not (tmp_path / "b.xlsx").exists()


def test_texts_too_long_for_a_cell_are_cut_with_a_warning() -> None:
    plane = sr.Instance.create(9, [5], [(0, 0), (1, 2)], notes=["x" * 40_000])
    with pytest.warns(sr.InputWarning, match=r"customers!E\d+: 40,000 characters are too many"):
        data = workbook.dump_instance(plane)
    rows = openpyxl.load_workbook(io.BytesIO(data))["customers"].values
    assert max(len(str(value)) for row in rows for value in row) == 32_767


@pytest.mark.parametrize("suffix", [".ods", ".xlsm"])
def test_other_workbooks_are_only_read(drinks: sr.Instance, suffix: str, tmp_path: Path) -> None:
    with pytest.raises(sr.InputError, match=f"unknown instance file extension '{suffix}'; known:"):
        sr.write(drinks, path := tmp_path / f"it{suffix}")
    assert not path.exists()
    assert suffix in suffixes("instance")
    assert suffix not in suffixes("instance", "dump")
