"""Reading what was written returns the same value."""

import json
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest

import splitroute as sr
from conftest import routes
from splitroute.formats import read_solution
from splitroute.formats.json import schemas
from splitroute.generate import set1
from splitroute.solution import cost
from splitroute.validation import validate

PLANE = sr.Instance.create(100, [60, 0, 250], [(0, 0), (1.1, -2.7), (0.3, 5), (1e6, 7)], name="it")
ROUNDED = sr.Instance.create(100, [60, 90], [(0, 0), (1, -2), (3, 5)], name="it", metric="dimacs")
GLOBE = sr.Instance.create(
    7, [5, 3], lat=[53.6, 53.5, -10], lon=[10.5, 9.25, -179.9], name="it",
    ids=["A, Ltd", "ünï"],
)  # fmt: skip
TENTHS = sr.Instance.create(100, [15, 3], [(0, 0), (1, 1), (2, 2)], unit=Decimal("0.1"), name="it")
MATRIX = sr.Instance.create(9, [5, 3], matrix=[[0, 1, 2.5], [1.5, 0, 1], [2, 1, 0]], name="it")
DRAWN_MATRIX = sr.Instance.create(
    9, [5], [(0, 0), (3, 4)], matrix=[[0, 7], [8, 0]], metric="matrix", name="it"
)
FIXED_IDS = {"csv": [PLANE, ROUNDED, GLOBE, TENTHS], "json": [GLOBE]}
FIXED_IDS["json"] += [PLANE, ROUNDED, TENTHS, MATRIX, DRAWN_MATRIX]


@pytest.mark.parametrize("instance", FIXED_IDS["json"], ids=lambda i: i.metric)
def test_json_instances(instance: sr.Instance, tmp_path: Path) -> None:
    sr.write(instance, tmp_path / "file.json")
    assert sr.read(tmp_path / "file.json") == instance
    jsonschema.validate(json.loads((tmp_path / "file.json").read_text()), schemas()["instance"])


@pytest.mark.parametrize("instance", FIXED_IDS["csv"], ids=lambda i: i.metric)
def test_csv_instances(instance: sr.Instance, tmp_path: Path) -> None:
    sr.write(instance, tmp_path / "file.csv")
    assert sr.read(tmp_path / "file.csv") == instance


@pytest.mark.parametrize("suffix", [".tsv", ".geojson", ".xlsx"])
@pytest.mark.parametrize("instance", FIXED_IDS["csv"], ids=lambda i: i.metric)
def test_other_tables(instance: sr.Instance, suffix: str, tmp_path: Path) -> None:
    sr.write(instance, tmp_path / f"file{suffix}")
    assert sr.read(tmp_path / f"file{suffix}") == instance


@pytest.mark.parametrize("suffix", [".txt", ".sd", ".cri"])
@pytest.mark.parametrize("instance", [PLANE, TENTHS, ROUNDED], ids=lambda i: i.metric)
def test_coordinate_lists(instance: sr.Instance, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"it{suffix}"
    sr.write(instance, path)
    assert sr.read(path, metric=instance.metric, unit=instance.unit) == instance


@pytest.mark.parametrize("instance", [PLANE, ROUNDED, MATRIX, DRAWN_MATRIX])
def test_vrplib_instances(instance: sr.Instance, tmp_path: Path) -> None:
    sr.write(instance, tmp_path / "file.vrp")
    assert sr.read(tmp_path / "file.vrp") == instance


@pytest.mark.parametrize(
    ("instance", "name", "message"),
    [
        (GLOBE, "it.vrp", "no haversine"),
        (MATRIX, "it.txt", "not the metric 'matrix'"),
        (GLOBE, "it.txt", "not the metric 'haversine'"),
        (MATRIX, "it.csv", "cannot hold a matrix"),
        (PLANE, "it.docx", r"unknown instance file extension '.docx'; known: .cri, .csv"),
    ],
)
def test_what_a_format_cannot_hold_is_rejected(
    instance: sr.Instance, name: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(sr.InputError, match=message):
        sr.write(instance, tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".geojson", ".xlsx"])
@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["Total", "total"], "the id 'total' besides 'Total'; write .json"),
        (["a", "Depot"], "the id 'Depot' besides 'depot'; write .json"),
        (["a", "depot"], "the id 'depot'; write .json"),
        (["a", "# unit: 3"], "the id '# unit: 3'; write .json"),
        (["a", " b"], "the id ' b'; write .json"),
    ],
)
def test_ids_that_a_table_cannot_hold_are_rejected(
    ids: list[str], message: str, suffix: str, tmp_path: Path
) -> None:
    instance = sr.Instance.create(9, [5, 3], [(0, 0), (1, 1), (2, 2)], ids=ids)
    with pytest.raises(sr.InputError, match=f"a table cannot hold {message}"):
        sr.write(instance, tmp_path / f"it{suffix}")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_notes_of_several_lines_are_read_back(end: str, tmp_path: Path) -> None:
    notes = [f"ring twice{end}or call", "quay 5"]
    instance = sr.Instance.create(9, [5, 3], [(0, 0), (1, 1), (2, 2)], notes=notes)
    sr.write(instance, tmp_path / "it.csv")
    read = sr.read(tmp_path / "it.csv")
    assert [customer.note for customer in read.customers] == ["ring twice\nor call", "quay 5"]
    sr.write(routes([(1, 5), (2, 3)]), tmp_path / "visits.csv", instance=instance)
    assert read_solution(tmp_path / "visits.csv", read).solution.num_visits == 2


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx", ".json", ".geojson"])
def test_solutions_name_customers_whose_ids_no_table_holds(suffix: str, tmp_path: Path) -> None:
    ids = ["depot ", "ring\r\ntwice", "\xa0quay"]
    instance = sr.Instance.create(9, [5, 3, 2], [(0, 0), (1, 1), (2, 2), (3, 3)], ids=ids)
    path = tmp_path / f"it{suffix}"
    sr.write(routes([(1, 5), (2, 3)], [(3, 2)]), path, instance=instance)
    assert read_solution(path, instance).violations(instance) == []


SPLIT = routes([(1, 60)], [(3, 100)], [(3, 100)], [(3, 50)])


@pytest.mark.parametrize("name", ["it.json", "it.txt", "it.csv"])
@pytest.mark.parametrize(
    ("instance", "solution"),
    [(PLANE, SPLIT), (TENTHS, routes([(2, 1), (1, 15)], [(2, 2)])), (GLOBE, routes([(1, 5)]))],
)
def test_solutions(instance: sr.Instance, solution: sr.Solution, name: str, tmp_path: Path) -> None:
    sr.write(solution, tmp_path / name, instance=instance)
    stated = read_solution(tmp_path / name, instance)
    assert stated.solution == solution
    if stated.claims.cost is not None:
        assert float(stated.claims.cost) == cost(instance, solution)
    assert not [v for v in validate(instance, solution, stated.claims) if v.kind != "demand"]


def test_the_shape_of_a_json_solution(tmp_path: Path) -> None:
    sr.write(SPLIT, tmp_path / "it.json", instance=PLANE, about={"seed": 3})
    data = json.loads((tmp_path / "it.json").read_text())
    jsonschema.validate(data, schemas()["solution"])
    assert (data["instance"], data["metric"], data["about"]) == ("it", "exact", {"seed": 3})
    assert data["routes"][1]["visits"] == [{"customer": 3, "quantity": 100}]
    assert data["routes"][1]["load"] == 100
    assert data["routes"][1]["cost"] == pytest.approx(2e6)


def test_solutions_keep_the_ids_of_customers(tmp_path: Path) -> None:
    sr.write(routes([(2, 3)]), tmp_path / "it.json", instance=GLOBE)
    data = json.loads((tmp_path / "it.json").read_text())
    assert data["routes"][0]["visits"] == [{"customer": 2, "id": "ünï", "quantity": 3}]


def test_vrplib_solutions_cannot_hold_splits(tmp_path: Path) -> None:
    instance = set1(1)
    whole = sr.Solution.unsplit(instance, [[k] for k in range(1, 9)])
    sr.write(whole, tmp_path / "it.sol", instance=instance)
    assert read_solution(tmp_path / "it.sol", instance).solution == whole
    with pytest.raises(sr.InputError, match="1 customers are split"):
        sr.write(SPLIT, tmp_path / "split.sol", instance=PLANE)


def test_a_solution_needs_its_instance(tmp_path: Path) -> None:
    with pytest.raises(sr.InputError, match="not the Instance of the solution"):
        sr.write(SPLIT, tmp_path / "it.json")
