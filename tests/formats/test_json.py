"""JSON is as strict as its schema, and says what is wrong in our own words."""

import json
from typing import Any

import jsonschema
import pytest

import splitroute as sr
from splitroute.formats import parse
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
            r"matrix\[0\]\[1\]: a number is expected; found '20'",
        ),
        (
            changed(matrix=[[0, True], [20, 0]]),
            r"matrix\[0\]\[1\]: a number is expected; found true",
        ),
        (
            changed(matrix=[[0, None], [20, 0]]),
            r"matrix\[0\]\[1\]: a number is expected; found null",
        ),
        (changed(matrix=[5]), r"matrix\[0\]: a list is expected; found 5"),
        (changed(capacity="10"), "capacity: a number is expected; found '10'"),
        (changed(capacity=True), "capacity: a number is expected; found true"),
        (changed(unit="0.1"), "unit: a number is expected"),
        (changed(vehicles=2.5), "vehicles: a whole number is expected; found 2.5"),
        (changed(vehicles="2"), "vehicles: a whole number is expected"),
        (changed(splittable="yes"), "splittable: true or false is expected; found 'yes'"),
        (changed(metric="taxi"), "metric: one of 'exact', .* is expected; found 'taxi'"),
        (changed(name=5), "name: a text is expected; found 5"),
        (changed(depot=[0, 0]), "depot: an object is expected"),
        (changed(depot={"x": "0", "y": 0}), "depot.x: a number is expected"),
        (changed(capcity=5), "unknown field 'capcity'"),
        (changed(customers={}), "customers: a list is expected"),
        (customer(demand="5"), r"customers\[0\].demand: a number is expected; found '5'"),
        (customer(x=True), r"customers\[0\].x: a number is expected; found true"),
        (customer(id=7), r"customers\[0\].id: a text is expected; found 7"),
        (customer(colour="red"), r"customers\[0\]: unknown field 'colour'"),
    ],
)
def test_what_the_schema_refuses_is_refused_in_our_own_words(
    data: dict[str, Any], message: str
) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, schemas()["instance"])
    with pytest.raises(sr.InputError, match=f"^it.json: {message}") as caught:
        parse(json.dumps(data), "it.json")
    for theirs in ("Input should", "valid dictionary", "Field required", "validation error"):
        assert theirs not in str(caught.value)


def test_a_misspelt_field_is_named_where_the_right_one_is_missing() -> None:
    data = {"capcity": 5, "customers": [], "depot": {"x": 0, "y": 0}}
    with pytest.raises(sr.InputError, match="capacity: missing; 'capcity' is not known"):
        parse(json.dumps(data), "it.json")


def test_where_the_text_is_no_json() -> None:
    with pytest.raises(sr.InputError, match=r"it.json:2: not valid JSON at column 16") as caught:
        parse('{"capacity": 9,\n "customers": [}', "it.json")
    assert caught.value.line == 2


def test_solutions_too() -> None:
    data = {"routes": [{"visits": [{"customer": "1", "quantity": 2}, {"customer": 2}]}, 5]}
    with pytest.raises(sr.InputError) as caught:
        parse_solution(json.dumps(data), set1(1), "it.json")
    assert [str(fault) for fault in caught.value.faults] == [
        "it.json: routes[0].visits[0].customer: a whole number is expected; found '1'",
        "it.json: routes[1]: an object is expected; found 5",
    ]


def test_the_good_one_is_good() -> None:
    jsonschema.validate(GOOD, schemas()["instance"])
    assert parse(json.dumps(GOOD), "it.json").table[0, 1] == 20
