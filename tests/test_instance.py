import math
import pickle

import numpy as np
import pytest

import splitroute as sr
from splitroute.instance import Depot, VehicleType
from splitroute.solution import cost, route_costs

TRIANGLE = [(0, 0), (3, 4), (3, 0)]


def test_an_instance_survives_pickling_and_stays_equal(square: sr.Instance) -> None:
    assert square.table.shape == (5, 5)  # something cached, which must not travel along
    again = pickle.loads(pickle.dumps(square))
    assert again == square
    assert hash(again) == hash(square)
    assert "table" not in vars(again)


def test_instances_differ_when_only_their_matrices_do() -> None:
    one = sr.Instance.create(1, [1], matrix=[[0, 1], [1, 0]])
    two = sr.Instance.create(1, [1], matrix=[[0, 2], [1, 0]])
    assert one != two


def test_instances_are_frozen(square: sr.Instance) -> None:
    with pytest.raises(AttributeError):
        square.capacity = 1  # type: ignore[misc]
    matrix = sr.Instance.create(1, [1], matrix=[[0, 1], [1, 0]]).matrix
    assert matrix is not None
    with pytest.raises(ValueError, match="read-only"):
        matrix[0, 1] = 5


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("exact", 5 + 4 + 3), ("dimacs", 5 + 4 + 3)],
)
def test_cost_of_a_triangle(metric: str, expected: float) -> None:
    instance = sr.Instance.create(2, [1, 1], TRIANGLE, metric=metric)  # type: ignore[arg-type]
    tour = sr.Solution((sr.Route((sr.Visit(1, 1), sr.Visit(2, 1))),))
    assert cost(instance, tour) == expected


def test_dimacs_rounds_to_the_nearest_whole_number() -> None:
    diagonal = sr.Instance.create(1, [1], [(0, 0), (1, 1)], metric="dimacs")
    assert diagonal.table[0, 1] == 1
    longer = sr.Instance.create(1, [1], [(0, 0), (1.5, 0)], metric="dimacs")
    assert longer.table[0, 1] == 2


def test_haversine_is_in_kilometres() -> None:
    instance = sr.Instance.create(1, [1], lat=[48.8566, 51.5072], lon=[2.3522, -0.1276])
    assert instance.metric == "haversine"
    assert instance.table[0, 1] == pytest.approx(343.6, abs=0.5)
    quarter = sr.Instance.create(1, [1], lat=[0, 90], lon=[0, 0])
    assert quarter.table[0, 1] == pytest.approx(6371.0088 * math.pi / 2)


def test_a_matrix_need_not_be_symmetric() -> None:
    instance = sr.Instance.create(2, [1, 1], matrix=[[0, 1, 10], [10, 0, 1], [1, 10, 0]])
    there = sr.Solution((sr.Route((sr.Visit(1, 1), sr.Visit(2, 1))),))
    back = sr.Solution((sr.Route((sr.Visit(2, 1), sr.Visit(1, 1))),))
    assert not instance.symmetric
    assert route_costs(instance, there) == [3]
    assert route_costs(instance, back) == [30]


def test_integer_distances_keep_integers_and_scale_fractions() -> None:
    whole = sr.Instance.create(1, [1], TRIANGLE[:2])
    assert whole.integer_distances()[1] == 1
    fraction = sr.Instance.create(1, [1], [(0, 0), (1, 1)])
    matrix, scale = fraction.integer_distances()
    assert scale == 10_000
    assert matrix[0, 1] == 14142
    nowhere = sr.Instance.create(1, [1], [(0, 0), (0, 0)])
    assert nowhere.integer_distances()[1] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"capacity": 0}, "capacity is 0"),
        ({"capacity": 1.5}, "capacity is 1.5"),
        ({"demands": [1, -1]}, "demand of customer 2 is -1"),
        ({"demands": [1, 1.5]}, "demand of customer 2 is 1.5"),
        ({"demands": [1, 10**13]}, "demand of customer 2"),
        ({"metric": "manhattan"}, "unknown metric 'manhattan'; known: exact, dimacs"),
        ({"metric": "matrix"}, "the metric 'matrix' needs a matrix"),
        ({"coordinates": TRIANGLE[:2]}, "2 places for 2 customers"),
        ({"coordinates": [(0, 0), (0, math.nan), (1, 1)]}, "place 1"),
        ({"lat": [0, 91, 1], "lon": [0, 0, 1]}, "not on the globe"),
        ({"matrix": [[0, 1, 2], [1, 0]]}, "2 rows for 2 customers and the depot"),
        ({"matrix": [[0, 1, 2], [1, 0], [1, 1, 0]]}, "3 rows of 2, 3 entries; it must be square"),
        ({"matrix": [[0, 1, 2], [1, 0, -1], [0, 0, 0]]}, "from 1 to 2 is -1"),
        ({"matrix": [1, 2, 3]}, "3 rows of 1 entries; it must be square"),
        ({"matrix": [[[0], [1]]] * 3}, "3 rows of 2 entries; it must be square"),
        ({"matrix": np.zeros((3, 3, 3))}, "the matrix must contain only numbers"),
        ({"ids": ["a"]}, "1 ids for 2 demands"),
        ({"coordinates": TRIANGLE[1:], "depots": []}, "there is no depot"),
    ],
)
def test_invalid_arguments_are_refused(change: dict[str, object], message: str) -> None:
    arguments: dict[str, object] = {"capacity": 5, "demands": [1, 1]}
    if not {"matrix", "lat"} & set(change):
        arguments["coordinates"] = TRIANGLE
    with pytest.raises(sr.InputError, match=message):
        sr.Instance.create(**{**arguments, **change})  # type: ignore[arg-type]


def test_ids_and_notes_may_be_numbers() -> None:
    instance = sr.Instance.create(5, [1, 1], TRIANGLE, ids=np.array([7, 12]), notes=[None, 3])  # type: ignore[arg-type, list-item]
    assert [(c.id, c.note) for c in instance.customers] == [("7", ""), ("12", "3")]
    with pytest.raises(sr.InputError, match="duplicate id '7'"):
        sr.Instance.create(5, [1, 1], TRIANGLE, ids=[7, "7"])  # type: ignore[list-item]


def test_a_table_of_too_many_places_is_refused() -> None:
    many = sr.Instance.create(1, [0] * 20_000, [(0, 0)] * 20_001)
    with pytest.raises(sr.LimitError, match="20001 places are too many"):
        _ = many.table


def test_haversine_needs_lat_and_lon() -> None:
    with pytest.raises(sr.InputError, match=r"takes lat=\[..\] and lon=\[..\], not coordinates"):
        sr.Instance.create(1, [1], [(48.9, 2.4), (51.5, -0.1)], metric="haversine")
    with pytest.raises(sr.InputError, match="lat and lon go together"):
        sr.Instance.create(1, [1], lat=[48.9, 51.5])
    with pytest.raises(sr.InputError, match="2 latitudes for 1 longitudes"):
        sr.Instance.create(1, [1], lat=[48.9, 51.5], lon=[1])
    with pytest.raises(sr.InputError, match="coordinates, or lat and lon; not both"):
        sr.Instance.create(1, [1], [(0, 0), (1, 1)], lat=[48.9, 51.5], lon=[1, 2])


def test_customers_are_as_far_as_their_nearest_depot() -> None:
    fleet = [VehicleType("west", 9), VehicleType("east", 9, depot="east")]
    depots = [Depot("west"), Depot("east"), Depot("unused")]
    places = [(0.0, 0.0), (100.0, 0.0), (89.0, 0.0), (10.0, 0.0), (90.0, 0.0)]
    instance = sr.Instance.create(None, [2, 2], places, vehicles=fleet, depots=depots)
    assert instance.distances_from_depot().tolist() == [10, 10]
    table = instance.table.tolist()
    matrix = sr.Instance.create(None, [2, 2], matrix=table, vehicles=fleet, depots=depots)
    assert matrix.distances_from_depot().tolist() == [10, 10]
