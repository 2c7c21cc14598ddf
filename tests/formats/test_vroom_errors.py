"""What is wrong or not supported in requests of VROOM is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from splitroute import formats
from splitroute.cli._input import InputOptions
from splitroute.errors import InputError
from splitroute.instance import Instance
from vroom_requests import EXAMPLE_1, EXAMPLE_2, EXAMPLE_3, MATRIX, Request


def read(request: Request) -> Instance:
    return formats.parse(json.dumps(request), "request.json")


def test_the_documented_example_with_breaks_names_what_is_not_supported() -> None:
    with pytest.raises(InputError) as caught:
        read(EXAMPLE_1)
    fields = {error.field for error in caught.value.errors}
    assert fields == {"shipments", "vehicles[0].breaks", "jobs[1].pickup"}
    with pytest.raises(InputError, match=r"vehicles\[0\].steps is not supported"):
        read(EXAMPLE_3)


JOB = {"id": 1, "location_index": 1}
VEHICLE = {"id": 1, "start_index": 0}


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"jobs": []}, "jobs is empty"),
        ({"vehicles": []}, "vehicles is empty"),
        ({"jobs": [{**JOB, "id": "a"}]}, r"jobs\[0\].id: expected a whole number; found 'a'"),
        ({"jobs": [JOB, JOB]}, r"jobs\[1\].id is 1, as that of jobs\[0\]"),
        ({"jobs": [{"id": 1}]}, r"jobs\[0\].location_index is missing"),
        ({"jobs": [{**JOB, "location_index": 9}]}, "matrix has 4 rows; a location has the index 9"),
        ({"jobs": [{**JOB, "delivery": [1, 2]}]}, r"jobs\[0\].delivery has 2 dimensions; only one"),
        ({"jobs": [{**JOB, "priority": 101}]}, r"priority: expected a number of at most 100"),
        ({"jobs": [{**JOB, "service": 1.5}]}, r"service: expected a whole number; found 1.5"),
        ({"jobs": [{**JOB, "time_windows": [[5, 1]]}]}, "5 is after 1"),
        ({"jobs": [{**JOB, "time_windows": []}]}, r"jobs\[0\].time_windows is empty"),
        ({"jobs": [{**JOB, "service_per_type": {"a": 1}}]}, "service_per_type is not supported"),
        ({"vehicles": [{"id": 1}]}, r"vehicles\[0\] has neither a start nor an end"),
        ({"vehicles": [{**VEHICLE, "start": [1, 2], "start_index": None}]}, "start_index is missi"),
        ({"vehicles": [VEHICLE, {**VEHICLE, "profile": "bike"}]}, "profile is 'bike'"),
        ({"vehicles": [VEHICLE, {**VEHICLE, "speed_factor": 2}]}, "speed_factor is 2.0"),
        ({"vehicles": [{**VEHICLE, "costs": {"per_km": 1}}]}, "per_km needs matrices with dist"),
        ({"vehicles": [{**VEHICLE, "costs": {"per_task_hour": 9}}]}, "per_task_hour is not supp"),
        ({"vehicles": [{**VEHICLE, "max_distance": 9}]}, "max_distance needs matrices with dist"),
        ({"matrix": [[0, 1], [1]]}, r"matrix\[1\] has 1 entries; the matrix has 2 rows"),
        ({"matrix": [[0, -1], [1, 0]]}, "expected a number of at least 0"),
        ({"matrix": None}, "location_index is 1, but the request has no matrices|start_index is 0"),
        ({"matrix": None, "matrices": {"bike": {"durations": MATRIX}}}, "matrices.car.durations"),
        ({"vehicles": [{**VEHICLE, "id": k, "capacity": [k]} for k in range(65)]}, "at most 64"),
    ],
)
def test_errors_say_where_and_what(request_: Request, message: str) -> None:
    request = {"vehicles": [VEHICLE], "jobs": [JOB], "matrix": MATRIX, **request_}
    with pytest.raises(InputError, match=message):
        read({key: value for key, value in request.items() if value is not None})


def tables(**costs: Any) -> Request:
    matrices = {"car": {"durations": MATRIX, "distances": MATRIX}}
    return {"vehicles": [{**VEHICLE, **costs}], "jobs": [JOB], "matrices": matrices}


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({**tables(), "jobs": [{**JOB, "setup": 5, "time_windows": [[1, 9]]}, {**JOB, "id": 2}]},
         "jobs[0].setup"),
        (tables(max_distance=9, time_window=[0, 9]), "vehicles[0].max_distance"),
        ({**tables(), "vehicles": [VEHICLE, {**VEHICLE, "id": 2, "costs": {"per_km": 5}}]},
         "vehicles[1].costs.per_km"),
        (tables(max_distance=9, max_travel_time=9, costs={"per_hour": 9, "per_km": 9}),
         "vehicles[0].max_travel_time"),
    ],
)  # fmt: skip
def test_combinations_that_are_not_supported(request_: Request, field: str) -> None:
    with pytest.raises(InputError, match="not supported") as caught:
        read(request_)
    assert (caught.value.code, caught.value.field) == ("unsupported", field)


@pytest.mark.parametrize(
    ("field", "value"),
    [("scale", 2.0), ("capacity", 5), ("matrix", np.zeros((3, 3))), ("durations", "table.csv")],
)
def test_options_for_what_a_request_states(field: str, value: object, tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(EXAMPLE_2))
    with pytest.raises(InputError, match=r"requests .*; omit") as caught:
        sr.read(file, **{field: value})  # type: ignore[arg-type]
    assert caught.value.field == field


def test_a_number_of_vehicles_is_refused_before_the_search(tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(EXAMPLE_2))
    with pytest.raises(InputError, match="vehicles is 5, but requests have vehicles of their own"):
        InputOptions(vehicles=5).read(file)


def test_requests_are_recognized_by_their_own_keys() -> None:
    job = {**EXAMPLE_2["jobs"][0], "customer_name": "Smith"}
    with pytest.warns(sr.InputWarning, match=r"jobs\[0\].customer_name"):
        assert read({**EXAMPLE_2, "jobs": [job]}).origin is not None
    ours = {"capacity": 9, "depot": {"x": 0, "y": 0}, "customers": [{"jobs": 1, "demand": 5}]}
    with pytest.raises(InputError, match=r"customers\[0\]: unknown field 'jobs'"):
        read(ours)


def test_unknown_fields_are_named() -> None:
    request = {**EXAMPLE_2, "jobs": [{**EXAMPLE_2["jobs"][0], "prioritty": 5}]}
    with pytest.warns(sr.InputWarning, match=r"jobs\[0\].prioritty"):
        read(request)
