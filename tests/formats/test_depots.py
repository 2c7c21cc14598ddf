"""Which row is the depot, and which place is an outlier."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from conftest import FOLDER
from splitroute.formats import parse
from splitroute.generate import LAYOUTS, random_instance, set1

TOWNS = "# capacity: 9\nid,lat,lon,demand\n"


@pytest.mark.parametrize(
    "name",
    ["Warehouse", "HUB", "Base 1", "Lager Nord", "Zentrallager", "Dépôt", "Entrepôt", "Almacén",
     "Depósito", "Magazzino", "Magazijn", "Armazém"],
)  # fmt: skip
def test_a_first_row_named_like_a_depot_is_used_with_a_warning(name: str) -> None:
    text = f"{TOWNS}{name},53,10,0\na,54,10,5\n"
    with pytest.warns(sr.InputWarning, match=r"it.csv:3: using .* as the depot") as caught:
        instance = parse(text, "it.csv")
    assert instance.places[0] == (10, 53)
    assert [c.id for c in instance.customers] == ["a"]
    message = caught[0].message
    assert isinstance(message, sr.InputWarning)
    assert (message.line, message.field) == (3, "depot")


@pytest.mark.parametrize("rows", ["Lager,53,10,5\na,54,10,5\n", "a,54,10,5\nLager,53,10,0\n"])
def test_no_other_row_is_used_as_the_depot(rows: str) -> None:
    with pytest.raises(sr.InputError, match="no depot"):
        parse(TOWNS + rows, "it.csv")


def test_the_depot_can_be_given_by_id(tmp_path: Path, run: Callable[..., Any]) -> None:
    text = f"{TOWNS}a,54,10,5\nKiel,54.3,10.1,0\n"
    assert parse(text, "it.csv", depot="kiel").places[0] == (10.1, 54.3)
    with pytest.raises(sr.InputError, match="no row has the id 'Bonn'") as bad:
        parse(text, "it.csv", depot="Bonn")
    assert bad.value.field == "depot"
    (path := tmp_path / "it.csv").write_text(text)
    (out := tmp_path / "it.json").write_text("")
    assert run("convert", path, out, "--depot", "Kiel").exit_code == 0
    assert sr.read(out).places[0] == (10.1, 54.3)
    assert run("convert", path, out, "--depot", "50,7").exit_code == 0
    assert sr.read(out).places[0] == (7, 50)
    assert run("convert", path, out, "--depot", "1e999,7").exit_code == 2
    named = run("convert", path, out, "--depot", "Bonn")
    assert named.exit_code == 2
    assert "no row has the id 'Bonn'" in named.stderr


def test_a_given_depot_overrides_a_row_called_depot() -> None:
    text = f"{TOWNS}depot,50,10,\nKiel,54.3,10.1,\na,54,10,5\n"
    instance = parse(text, "it.csv", depot="Kiel")
    assert instance.places[0] == (10.1, 54.3)
    assert [c.id for c in instance.customers] == ["a"]


GERMANY = [(53.55, 10.0), (52.52, 13.4), (48.14, 11.58), (50.94, 6.96), (51.05, 13.74)]


def towns(*more: tuple[float, float]) -> str:
    rows = [f"t{k},{lat},{lon},1" for k, (lat, lon) in enumerate([*GERMANY, *more])]
    return f"{TOWNS}depot,52.37,9.73,\n" + "\n".join(rows) + "\n"


def test_an_outlier_gets_a_warning() -> None:
    for wrong in ([(0, 0)], [(0, 0), (0, 0)], [(9.99, 53.55)]):
        with pytest.warns(sr.InputWarning, match=r"it.csv:9: 't5' at lat .* is far from all other"):
            parse(towns(*wrong), "it.csv")
    with pytest.warns(sr.InputWarning, match=r"it.csv:3: the depot at lat 0, lon 0 is far"):
        parse(towns().replace("52.37,9.73", "0,0"), "it.csv")


def test_distant_towns_are_no_outliers() -> None:
    for distant in ([(48.86, 2.35)], [(59.33, 18.07)], [(0, 0), (1, 1)]):
        parse(towns(*distant), "it.csv")
    local = "".join(f"c{k},53.5{k},10.0{k},1\n" for k in range(8))
    parse(f"{TOWNS}depot,52.5,9.7,\n{local}", "it.csv")  # outside the city: 120 km away


@pytest.mark.parametrize("layout", LAYOUTS)
def test_generated_instances_have_no_outliers(layout: str, tmp_path: Path) -> None:
    for seed in range(30):
        instance = random_instance(40, layout=layout, seed=seed)
        sr.write(instance, tmp_path / "it.csv")
        sr.read(tmp_path / "it.csv")  # a warning would be an error here


def test_benchmark_instances_have_no_outliers(tmp_path: Path) -> None:
    files = sorted(FOLDER.glob("SET-*/*"))
    instances = [set1(k) for k in range(1, 22)] + [sr.read(path) for path in files]
    for instance in instances:
        sr.write(instance, tmp_path / "it.csv")
        sr.read(tmp_path / "it.csv")


def test_the_command_line_prints_warnings_to_stderr(
    tmp_path: Path, run: Callable[..., Any]
) -> None:
    (path := tmp_path / "it.csv").write_text(f"{TOWNS}Lager,53,10,0\na,54,10,5\n")
    done = run("solve", path, "--iterations", 10, "--json")
    assert done.exit_code == 0
    assert done.stderr.count("warning: ") == 1
    assert "it.csv:3: using 'Lager' as the depot" in done.stderr
    assert done.stdout.startswith("{")


def test_a_row_called_depot_is_a_customer_if_another_row_is_the_depot() -> None:
    text = "# capacity: 9\nid,x,y,demand\nhub,0,0,\ndepot,1,1,5\nA,2,2,4\n"
    instance = parse(text, "it.csv", depot="hub")
    assert [(c.id, c.demand) for c in instance.customers] == [("depot", 5), ("A", 4)]
