"""What the readers accept beyond what the writers write."""

from decimal import Decimal
from pathlib import Path

import pytest

import splitroute as sr
from conftest import routes
from splitroute.formats import csv, read_solution
from splitroute.generate import set1


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_white_space_of_coordinate_lists_may_vary(tmp_path: Path) -> None:
    text = "\n 2   100\r\n60\t90 \r\n0 0\r\n  1 0 0\n1\n\n"
    instance = sr.read(file(tmp_path, "odd.txt", text))
    assert [c.demand for c in instance.customers] == [60, 90]
    assert instance.places == ((0, 0), (1, 0), (0, 1))
    assert instance.name == "odd"


def test_scale_divides_coordinates(tmp_path: Path) -> None:
    sr.write(set1(6), tmp_path / "SD6.txt")
    true = sr.read(tmp_path / "SD6.txt", scale=100)
    assert true.places[1] == (10, 0)
    assert [c.demand for c in true.customers] == [c.demand for c in set1(6).customers]


def test_a_unit_makes_fractions_whole(tmp_path: Path) -> None:
    path = file(tmp_path, "it.txt", "1 10\n1.5\n0 0\n1 1\n")
    instance = sr.read(path, unit="0.1")
    assert (instance.capacity, instance.customers[0].demand) == (100, 15)
    assert instance.unit == Decimal("0.1")


VRP = """NAME : tiny
COMMENT : two customers
TYPE : CVRP
DIMENSION : 3
EDGE_WEIGHT_TYPE : {kind}
CAPACITY : 10
NODE_COORD_SECTION
1 0 0
2 1 1
3 5 5
DEMAND_SECTION
1 4
2 0
3 7
DEPOT_SECTION
 2
 -1
EOF
"""


def test_vrplib_with_the_depot_in_the_middle(tmp_path: Path) -> None:
    instance = sr.read(file(tmp_path, "it.vrp", VRP.format(kind="EUC_2D")))
    assert instance.places == ((1, 1), (0, 0), (5, 5))
    assert [c.demand for c in instance.customers] == [4, 7]
    assert (instance.name, instance.metric) == ("tiny", "dimacs")
    assert instance.table[0, 1] == 1


@pytest.mark.parametrize(("kind", "expected"), [("CEIL_2D", 2), ("FLOOR_2D", 1)])
def test_vrplib_with_other_rounding_becomes_a_matrix(
    kind: str, expected: int, tmp_path: Path
) -> None:
    instance = sr.read(file(tmp_path, "it.vrp", VRP.format(kind=kind)))
    assert instance.metric == "matrix"
    assert instance.table[0, 1] == expected


def test_a_given_metric_overrides_the_file(tmp_path: Path) -> None:
    path = file(tmp_path, "it.vrp", VRP.format(kind="EUC_2D"))
    assert sr.read(path, metric="exact").table[0, 1] == pytest.approx(2**0.5)


def test_a_spreadsheet_from_europe(tmp_path: Path) -> None:
    text = (
        "\ufeffTour;Name;Latitude;Longitude;Demand;Note\nx;depot;53,5;10,0;;\ny;A;53,6;9,9;1,5;!\n"
    )
    instance = sr.read(file(tmp_path, "it.csv", text), capacity=10, unit=0.5)
    assert instance.places == ((10.0, 53.5), (9.9, 53.6))
    assert (instance.customers[0].id, instance.customers[0].demand) == ("A", 3)
    assert instance.metric == "haversine"


def test_options_override_the_settings_of_a_csv(tmp_path: Path) -> None:
    text = "# name: shops\n# capacity: 5\nid,x,y,demand\na,1,2,3\n"
    instance = sr.read(file(tmp_path, "it.csv", text), capacity="7", depot=(9, 9))
    assert (instance.name, instance.capacity, instance.places[0]) == ("shops", 7, (9, 9))


def test_other_comments_of_a_csv_are_ignored(tmp_path: Path) -> None:
    text = "# city: Kiel\n# Note: 3 vans\n#\n# by hand\n# capacity: 5\nid,x,y,demand\na,1,2,3\n"
    assert sr.read(file(tmp_path, "it.csv", text), depot=(0, 0)).capacity == 5


def test_the_format_can_be_given(tmp_path: Path) -> None:
    path = file(tmp_path, "data.xyz", "1 10\n5\n0 0\n1 1\n")
    assert sr.read(path, format="coordlist").capacity == 10


def test_dimacs_solutions(tmp_path: Path) -> None:
    text = "Route 1: 0 - 3 ( 60 ) - 7 ( 40 ) - 0\nRoute #2: 0-1(60)-0\n\nCost 1234.5\n"
    stated = read_solution(file(tmp_path, "it.txt", text), set1(1))
    assert stated.solution == routes([(3, 60), (7, 40)], [(1, 60)])
    assert stated.claims.cost == Decimal("1234.5")


def test_a_bare_number_is_the_cost(tmp_path: Path) -> None:
    stated = read_solution(file(tmp_path, "it.txt", "Route 1: 0 - 1 ( 60 ) - 0\n20\n"), set1(1))
    assert stated.claims.cost == 20


def test_other_columns_of_a_csv_are_notes(tmp_path: Path) -> None:
    text = (
        "# capacity: 10\nid,name,x,y,demand,street\ndepot,us,0,0,0,\n"
        "7,Müller,1,2,3,Hauptstr. 3\n8,=Meier,2,2,3\n"
    )
    (path := tmp_path / "a.csv").write_text(text)
    instance = sr.read(path)
    assert [c.note for c in instance.customers] == ["Müller, Hauptstr. 3", "=Meier"]
    for name in ("b.json", "b.csv"):
        sr.write(instance, tmp_path / name)
        assert sr.read(tmp_path / name).customers[0].note == "Müller, Hauptstr. 3"
    visits = csv.dump_solution(instance, sr.Solution.unsplit(instance, [[1, 2]]))
    assert visits.splitlines()[0].endswith("remaining,note")
    assert "'=Meier" in visits
