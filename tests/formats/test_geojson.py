"""GeoJSON: routes as lines and customers as points."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from conftest import routes
from splitroute.errors import InputError
from splitroute.formats import check_output_format, geojson
from splitroute.solution import cost

GLOBE = sr.Instance.create(
    7, [5, 9], lat=[53.6, 53.5, 53.4], lon=[10.5, 9.25, 9.5], ids=["Anna", "Bert"], name="tour"
)
SOLUTION = routes([(1, 5), (2, 2)], [(2, 7)])
MATRIX = sr.Instance.create(9, [5, 3], matrix=[[0, 1, 2.5], [1.5, 0, 1], [2, 1, 0]])


def test_routes_are_lines_from_depot_to_depot_with_longitude_first() -> None:
    collection = json.loads(geojson.dump_solution(GLOBE, SOLUTION))
    assert collection["type"] == "FeatureCollection"
    first, second, anna, bert = collection["features"]
    assert first["geometry"] == {
        "type": "LineString",
        "coordinates": [[10.5, 53.6], [9.25, 53.5], [9.5, 53.4], [10.5, 53.6]],
    }
    assert [first["properties"]["route"], second["properties"]["route"]] == [1, 2]
    assert [first["properties"]["load"], second["properties"]["load"]] == [7, 7]
    total = sum(line["properties"]["cost"] for line in (first, second))
    assert total == pytest.approx(cost(GLOBE, SOLUTION))
    assert anna["geometry"] == {"type": "Point", "coordinates": [9.25, 53.5]}
    assert bert["properties"] == {"customer": 2, "id": "Bert", "demand": 9}


def test_an_instance_without_coordinates_is_refused() -> None:
    with pytest.raises(InputError, match="no coordinates"):
        geojson.dump_solution(MATRIX, routes([(1, 5), (2, 3)]))
    with pytest.raises(InputError, match="needs coordinates"):
        check_output_format("solution", Path("routes.geojson"), instance=MATRIX)
    check_output_format("solution", Path("routes.geojson"))


@pytest.mark.parametrize(("suffix", "start"), [("geojson", "{"), ("html", "<!doctype html>")])
def test_the_command_line_writes_it(
    run: Callable[..., Any], tmp_path: Path, suffix: str, start: str
) -> None:
    instance, solution = tmp_path / "tour.json", tmp_path / "routes.json"
    sr.write(GLOBE, instance)
    solved = tmp_path / f"solved.{suffix}"
    assert run("solve", instance, "--iterations", 10, "--out", solved).exit_code == 0
    assert solved.read_text().startswith(start)
    sr.write(SOLUTION, solution, instance=GLOBE)
    converted = tmp_path / f"converted.{suffix}"
    assert run("convert", solution, converted, "--instance", instance).exit_code == 0
    assert converted.read_text().startswith(start)


def test_it_cannot_be_read(run: Callable[..., Any], tmp_path: Path) -> None:
    sr.write(GLOBE, tmp_path / "tour.json")
    (tmp_path / "routes.geojson").write_text("{}")
    done = run("check", tmp_path / "tour.json", tmp_path / "routes.geojson")
    assert done.exit_code == 2
    assert "'.geojson'" in done.stderr


def test_vehicles_times_and_depots(two_depots: tuple[sr.Instance, sr.Solution]) -> None:
    features = json.loads(geojson.dump_solution(*two_depots))["features"]
    truck = features[1]
    assert truck["geometry"]["coordinates"][0] == [9.9, 53.5]
    assert truck["geometry"]["coordinates"][-1] == [10.0, 53.6]
    expected = {"route": 2, "vehicle_type": "truck", "trip": 1, "start": "06:35", "end": "08:08"}
    assert expected.items() <= truck["properties"].items()
    assert features[2]["properties"]["vehicle"] == 1
    assert features[4]["properties"]["arrivals"] == ["08:33", "07:31", "09:52"]
    bert = features[4]["properties"]
    assert (bert["undelivered"], bert["reason"][:20]) == (1, "the penalty of 3 per")
    assert "undelivered" not in features[3]["properties"]
    assert [f["properties"]["depot"] for f in features[-2:]] == ["north", "south"]
