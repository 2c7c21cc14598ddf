"""GeoJSON: routes as lines and customers as points."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from conftest import routes
from splitroute.errors import InputError
from splitroute.formats import NamedText, ReadOptions, check_output_format, geojson
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


def test_a_solution_is_read_back(run: Callable[..., Any], tmp_path: Path) -> None:
    sr.write(GLOBE, tmp_path / "tour.geojson")
    sr.write(SOLUTION, tmp_path / "routes.geojson", instance=GLOBE)
    parsed = sr.read_solution(tmp_path / "routes.geojson", GLOBE)
    assert (parsed.solution, parsed.solution.geometry) == (SOLUTION, ())
    assert float(parsed.claims.cost or 0) == pytest.approx(cost(GLOBE, SOLUTION))
    done = run("check", tmp_path / "tour.geojson", tmp_path / "routes.geojson")
    assert (done.exit_code, done.stdout[:6]) == (0, "valid:")
    text = (tmp_path / "routes.geojson").read_text()
    (tmp_path / "routes.geojson").write_text(text.replace('"quantity": 7', '"quantity": 6'))
    assert run("check", tmp_path / "tour.geojson", tmp_path / "routes.geojson").exit_code == 1


def test_lines_along_roads_are_read_back() -> None:
    line = np.array([[10.5, 53.6], [10.0, 53.55], [9.25, 53.5], [10.5, 53.6]])
    drawn = sr.Solution((sr.Route((sr.Visit(1, 5),)),), (line,))
    parsed = geojson.parse_solution(geojson.dump_solution(GLOBE, drawn), GLOBE, "it")
    assert np.array_equal(parsed.solution.geometry[0], line)


def test_lines_without_visits_are_refused() -> None:
    text = json.dumps(collection(feature([10, 53], {}, "LineString")))
    with pytest.raises(InputError, match=r"features\[0\]: a line without visits"):
        geojson.parse_solution(text, GLOBE, "it")


def test_unknown_customers_are_refused(tmp_path: Path) -> None:
    text = geojson.dump_solution(GLOBE, SOLUTION)
    file = tmp_path / "routes.geojson"
    file.write_text(text.replace('"customer": 1, "id": "Anna", "q', '"customer": 7, "q'))
    with pytest.raises(InputError, match="route 1 visits customer 7; customers are 1 to 2"):
        sr.read_solution(file, GLOBE)


def feature(
    place: list[float], properties: dict[str, Any], kind: str = "Point", **members: Any
) -> dict[str, Any]:
    geometry = {"type": kind, "coordinates": place}
    return {"type": "Feature", "geometry": geometry, "properties": properties, **members}


def collection(*features: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"type": "FeatureCollection", **members, "features": [*features]}


DEPOT = feature([10.0, 53.5], {"name": "depot", "Menge": None})


def parse(*features: dict[str, Any], **members: Any) -> sr.Instance:
    text = json.dumps(collection(DEPOT, *features, **members))
    return geojson.parse_instance(text, ReadOptions(name="it.geojson"))


def test_properties_are_recognised_like_columns() -> None:
    shop = {"name": "Kiosk", "Menge": 7, "open": "8:00", "close": "9:30", "lat": 1, "tags": [1]}
    instance = parse(feature([9.9, 53.4, 12], shop), capacity=10, vehicles=3, crs={"a": 1})
    (kiosk,) = instance.customers
    assert (kiosk.id, kiosk.demand, kiosk.windows) == ("Kiosk", 7, ((480, 570),))
    assert instance.places == ((10.0, 53.5), (9.9, 53.4))
    assert (instance.metric, instance.capacity, instance.vehicles) == ("haversine", 10, 3)


def test_lists_of_texts_are_joined() -> None:
    text = json.dumps(
        collection(DEPOT, feature([9, 53], {"name": "a", "Menge": 1, "vehicle_types": ["A", "B"]}))
    )
    fleet = NamedText("f.csv", "type,capacity\nA,5\nB,6\nC,7\n")
    instance = geojson.parse_instance(text, ReadOptions(name="it", fleet=fleet))
    assert instance.customers[0].vehicle_types == ("A", "B")


@pytest.mark.parametrize(
    ("properties", "members", "message"),
    [
        ({"Menge": [7]}, {}, r"it.geojson:features\[1\].demand: Menge is a list; it must be a"),
        ({"Menge": {"kg": 7}}, {}, r"features\[1\].demand: Menge is an object; it must be a text"),
        ({"Menge": 7, "vehicle_types": []}, {}, r"features\[1\].vehicle_types: .* is a list"),
        ({"Menge": 7}, {"vehicles": [{"count": 2}]}, "it.geojson: vehicles is a list; it must be"),
    ],
)
def test_lists_and_objects_are_refused(
    properties: dict[str, Any], members: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        parse(feature([9, 53], {"name": "a", **properties}), capacity=9, **members)
    assert re.search(message, str(caught.value))


@pytest.mark.parametrize("value", [3, [{"count": 3}]])
def test_misspelt_members_are_warned_about(value: object) -> None:
    point = feature([9, 53], {"name": "a", "Menge": 1})
    with pytest.warns(sr.InputWarning, match="ignoring 'vehicels'; did you mean 'vehicles'?"):
        assert parse(point, capacity=9, vehicels=value).vehicles is None


def test_features_have_ids_of_their_own() -> None:
    points = [feature([10.0, 53.5], {}, id="depot"), feature([9, 53], {"demand": 1}, id=7)]
    text = json.dumps(collection(*points))
    options = ReadOptions(name="it", capacity=Decimal(5))
    assert geojson.parse_instance(text, options).customers[0].id == "7"


@pytest.mark.parametrize("points", [[feature([9, 53], {"name": "a"})], []])
def test_missing_properties_are_those_of_all_features(points: list[dict[str, Any]]) -> None:
    text = json.dumps(collection(*points, capacity=9))
    with pytest.raises(InputError) as caught:
        geojson.parse_instance(text, ReadOptions(name="it", depot=(53.0, 9.0)))
    assert str(caught.value).startswith("it:features: no column ")
    assert caught.value.line is None


def test_other_geometries_are_ignored_with_a_warning() -> None:
    polygon = feature([], {}, "Polygon")
    with pytest.warns(sr.InputWarning, match="ignoring 1 of 3 features: they are no points"):
        assert len(parse(polygon, feature([9, 53], {"name": "a", "Menge": 1}), capacity=2).places)


@pytest.mark.parametrize(
    ("place", "demand", "message"),
    [
        ([9, 53], "much", r"it.geojson:features\[1\].demand: demand of 'a' is much"),
        ([9], 1, r"features\[1\].geometry: expected two numbers"),
        ([9, 95], 1, r"it.geojson:features\[1\].lat: .*95"),
    ],
)
def test_errors_name_the_feature(place: list[float], demand: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(feature(place, {"name": "a", "Menge": demand}), capacity=5)
    assert re.search(message, str(caught.value))


def test_the_extension_json_will_do(tmp_path: Path) -> None:
    (path := tmp_path / "file.json").write_text(geojson.dump_instance(GLOBE))
    assert sr.read(path) == GLOBE
    (path := tmp_path / "routes.json").write_text(geojson.dump_solution(GLOBE, SOLUTION))
    assert sr.read_solution(path, GLOBE).solution == SOLUTION
    sr.write(GLOBE, path)
    assert "customers" in json.loads(path.read_text())


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
