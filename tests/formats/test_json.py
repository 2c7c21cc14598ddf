"""JSON is as strict as its schema, with readable errors."""

import json
from typing import Any

import jsonschema
import pytest

import splitroute as sr
from splitroute.formats import min_customers, parse
from splitroute.formats.json import parse_solution, schemas
from splitroute.generate import set1

GOOD: dict[str, Any] = {
    "capacity": 10,
    "depot": {"x": 0, "y": 0},
    "customers": [{"id": "a", "x": 1, "y": 1, "demand": 5}],
    "matrix": [[0, 20], [20, 0]],
}


def changed(**changes: Any) -> dict[str, Any]:
    return {**GOOD, **changes}


def customer(**changes: Any) -> dict[str, Any]:
    return changed(customers=[{**GOOD["customers"][0], **changes}])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            changed(matrix=[[0, "20"], [20, 0]]),
            r"matrix\[0\]\[1\]: expected a number; found '20'",
        ),
        (
            changed(matrix=[[0, True], [20, 0]]),
            r"matrix\[0\]\[1\]: expected a number; found true",
        ),
        (
            changed(matrix=[[0, None], [20, 0]]),
            r"matrix\[0\]\[1\]: expected a number; found null",
        ),
        (changed(matrix=[5]), r"matrix\[0\]: expected a list; found 5"),
        (changed(capacity="10"), "capacity: expected a number; found '10'"),
        (changed(capacity=True), "capacity: expected a number; found true"),
        (changed(unit="0.1"), "unit: expected a number"),
        (changed(vehicles=2.5), "vehicles: expected a whole number; found 2.5"),
        (changed(vehicles="2"), "vehicles: expected a whole number"),
        (changed(splittable="yes"), "splittable: expected true or false; found 'yes'"),
        (changed(metric="taxi"), "metric: expected one of 'exact', .*; found 'taxi'"),
        (changed(name=5), "name: expected a string; found 5"),
        (changed(depot=[0, 0]), "depot: expected an object"),
        (changed(depot={"x": "0", "y": 0}), "depot.x: expected a number"),
        (changed(capcity=5), "unknown field 'capcity'"),
        (changed(customers={}), "customers: expected a list"),
        (customer(demand="5"), r"customers\[0\].demand: expected a number; found '5'"),
        (customer(x=True), r"customers\[0\].x: expected a number; found true"),
        (customer(id=7), r"customers\[0\].id: expected a string; found 7"),
        (customer(colour="red"), r"customers\[0\]: unknown field 'colour'"),
    ],
)
def test_what_the_schema_rejects_gets_a_readable_error(data: dict[str, Any], message: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, schemas()["instance"])
    with pytest.raises(sr.InputError, match=f"^it.json: {message}") as caught:
        parse(json.dumps(data), "it.json")
    for phrase in ("Input should", "valid dictionary", "Field required", "validation error"):
        assert phrase not in str(caught.value)


def test_a_missing_field_names_a_similar_one() -> None:
    data = changed(customers=[{"x": 1, "y": 1, "demnd": 5}])
    with pytest.raises(sr.InputError, match="demand: missing; found the unknown field 'demnd'"):
        parse(json.dumps(data), "it.json")


def test_an_unknown_field_names_a_similar_one() -> None:
    data = {"capcity": 5, "customers": [], "depot": {"x": 0, "y": 0}}
    with pytest.raises(sr.InputError, match="field 'capcity'; did you mean 'capacity'"):
        parse(json.dumps(data), "it.json")


def test_roads_are_those_of_a_known_program() -> None:
    assert parse(json.dumps({**GOOD, "roads": "osrm"}), "it.json")
    with pytest.raises(sr.InputError, match="roads: expected one of 'osrm', 'valhalla'; found '<s"):
        parse(json.dumps({**GOOD, "roads": "<script>"}), "it.json")


def test_invalid_json_is_located() -> None:
    with pytest.raises(sr.InputError, match=r"it.json:2: not valid JSON at column 16") as caught:
        parse('{"capacity": 9,\n "customers": [}', "it.json")
    assert caught.value.line == 2


def test_solutions_get_readable_errors() -> None:
    data = {"routes": [{"visits": [{"customer": "1", "quantity": 2}, {"customer": 2}]}, 5]}
    with pytest.raises(sr.InputError) as caught:
        parse_solution(json.dumps(data), set1(1), "it.json")
    assert [str(error) for error in caught.value.errors] == [
        "it.json: routes[0].visits[0].customer: expected a whole number; found '1'",
        "it.json: routes[1]: expected an object; found 5",
    ]


def test_lines_of_routes_are_numbers() -> None:
    route = {"visits": [{"customer": 1, "quantity": 2}], "geometry": [["1", 2]]}
    message = r"routes\[0\].geometry\[0\]\[0\]: expected a number; found '1'"
    with pytest.raises(sr.InputError, match=message):
        parse_solution(json.dumps({"routes": [route]}), set1(1), "it.json")
    route["geometry"] = [[1, 2.5]]
    parsed = parse_solution(json.dumps({"routes": [route]}), set1(1), "it.json")
    assert parsed.solution.geometry[0].tolist() == [[1, 2.5]]


def test_customers_are_counted_by_their_demands() -> None:
    assert min_customers(json.dumps(customer(id="demand", note='"demand":')), "json") == 1


def test_the_unchanged_instance_is_valid() -> None:
    jsonschema.validate(GOOD, schemas()["instance"])
    assert parse(json.dumps(GOOD), "it.json").table[0, 1] == 20
