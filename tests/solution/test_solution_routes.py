import pytest

import splitroute as sr
from conftest import routes
from splitroute.solution import cost, route_costs


def test_an_unsplit_solution_delivers_whole_demands(square: sr.Instance) -> None:
    solution = sr.Solution.unsplit(square, [[1, 4], [], [2, 3]])
    assert solution == routes([(1, 6), (4, 4)], [(2, 6), (3, 4)])


def test_counts_and_loads() -> None:
    solution = routes([(1, 6), (4, 2)], [(4, 2), (3, 4), (1, 0)])
    assert [route.load for route in solution.routes] == [8, 6]
    assert solution.num_visits == 5
    assert solution.split_customers() == [4]  # a visit that delivers nothing does not split


def test_empty_visits_and_the_routes_they_leave_empty_are_removed() -> None:
    solution = routes([(1, 6), (2, 0)], [(3, 0)], [(2, 6)])
    assert solution.without_empty_visits() == routes([(1, 6)], [(2, 6)])


def test_costs_add_up(square: sr.Instance) -> None:
    solution = routes([(1, 6)], [(2, 6), (4, 4)], [(3, 4)])
    assert route_costs(square, solution) == [6, 16, 6]
    assert cost(square, solution) == 28
    assert cost(square, sr.Solution(())) == 0


@pytest.mark.parametrize(
    ("count", "text"),
    [(2, "<Solution: 1:1 2:1>"), (30, "<Solution: routes: 1, visits: 30>")],
)
def test_long_solutions_are_abbreviated(count: int, text: str) -> None:
    assert repr(routes([(k, 1) for k in range(1, count + 1)])) == text
