import math
from typing import Any

import numpy as np
import pytest

from splitroute.distances import (
    METRICS,
    between,
    from_depot,
    matrix,
    route_costs,
    shortest_from,
    shortest_paths,
)

XY = np.array([(0, 0), (3, 4), (1, 1)], dtype=np.float64)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("exact", [5, math.sqrt(2), math.sqrt(13)]), ("dimacs", [5, 1, 4])],
)
def test_the_matrix_is_symmetric(metric: Any, expected: list[float]) -> None:
    table = matrix(XY, metric)
    assert [table[0, 1], table[0, 2], table[1, 2]] == pytest.approx(expected)
    assert np.array_equal(table, table.T)
    assert not table.diagonal().any()


@pytest.mark.parametrize("metric", [metric for metric in METRICS if metric != "matrix"])
def test_all_kernels_agree(metric: Any) -> None:
    table = matrix(XY, metric)
    assert between((0, 0), (3, 4), metric) == table[0, 1]
    tours = np.array([1, 2, 2], dtype=np.int64)
    expected = [table[0, 1] + table[1, 2] + table[2, 0], 0, 2 * table[0, 2]]
    assert route_costs(XY, metric, None, tours, [2, 0, 1]) == pytest.approx(expected)
    assert route_costs(XY, metric, table, tours, [2, 0, 1]) == pytest.approx(expected)


def test_distances_from_the_depot_are_never_rounded() -> None:
    assert from_depot(XY) == pytest.approx([0, 5, math.sqrt(2)])


def test_shortest_paths_from_a_place_are_those_of_all_pairs() -> None:
    table = np.random.default_rng(3).uniform(1, 100, (12, 12))
    np.fill_diagonal(table, 0)
    lengths, _ = shortest_paths(table)
    for source in (0, 7):
        np.testing.assert_allclose(shortest_from(table, source), lengths[source])
        np.testing.assert_allclose(shortest_from(table.T, source), lengths[:, source])


def test_shortest_paths_may_avoid_the_depot() -> None:
    table = np.array([[0, 1, 1, 9], [1, 0, 9, 3], [1, 9, 0, 9], [9, 3, 9, 0]], dtype=np.float64)
    lengths, via = shortest_paths(table)
    assert (lengths[1, 2], via[1, 2]) == (2, 0)
    assert (lengths[0, 3], via[0, 3]) == (4, 1)
    avoiding, via = shortest_paths(table, via_depot=False)
    assert (avoiding[1, 2], via[1, 2]) == (9, -1)
    assert avoiding[0, 3] == 4
    assert table[1, 2] == 9, "the input is not changed"
