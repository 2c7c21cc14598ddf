import pytest

from splitroute import Instance, Route, Solution, Visit
from splitroute.distances import Metric
from splitroute.instance import Depot, VehicleType
from splitroute.solution import (
    CostParts,
    cost,
    cost_parts,
    rank,
    route_costs,
    route_distances,
    undelivered,
)


@pytest.fixture
def rich() -> Instance:
    """Two depots and two customers on a line, two types, and a price for everything."""
    return Instance.create(
        None,
        [8, 6],
        [(0, 0), (10, 0), (3, 0), (5, 0)],
        unit="0.5",
        depots=[Depot("a"), Depot("b")],
        vehicles=[
            VehicleType("van", 10, fixed_cost=100, max_trips=2),
            VehicleType(
                "truck", 20, depot="a", end_depot="b", cost_per_distance=2.0, cost_per_time=3.0
            ),
        ],
        service=1,
        extra_visit_cost=[7, 9],
        penalty=[None, 4.0],
    )


SOLUTION = Solution(
    (
        Route((Visit(1, 4),), vehicle=1),
        Route((Visit(1, 2), Visit(2, 1)), vehicle=1, trip=2),
        Route((Visit(1, 1), Visit(2, 1)), vehicle_type=1, vehicle=1),
    )
)


def test_every_part_of_the_cost(rich: Instance) -> None:
    assert route_distances(rich, SOLUTION) == [6, 10, 10]
    assert cost_parts(rich, SOLUTION) == CostParts(
        fixed=100, distance=6 + 10 + 2 * 10, time=3 * 12, extra_visits=2 * 7 + 9, penalties=4 * 2
    )
    assert cost(rich, SOLUTION) == 100 + 36 + 36 + 23 + 8
    assert route_costs(rich, SOLUTION) == [106, 10, 56]


def test_waiting_costs_time(rich: Instance) -> None:
    routes = tuple(Route(r.visits, 1, k, start=0.0) for k, r in enumerate(SOLUTION.routes, 1))
    assert cost_parts(rich, Solution(routes)).time == 3 * (11 + 12 + 12)


def test_mandatory_quantities_are_compared_before_costs(rich: Instance) -> None:
    assert undelivered(rich, SOLUTION) == {1: 1, 2: 4}
    assert rank(rich, SOLUTION) == (1, cost(rich, SOLUTION))
    assert rank(rich, SOLUTION) < rank(rich, Solution(()))
    assert undelivered(rich, Solution(())) == {1: 8, 2: 6}


def test_no_routes_cost_the_penalties(rich: Instance) -> None:
    assert cost(rich, Solution(())) == 4 * 3
    assert route_costs(rich, Solution(())) == []


METRICS: tuple[Metric, ...] = ("exact", "dimacs")


@pytest.mark.parametrize("metric", METRICS)
def test_one_type_costs_as_much_as_equal_vehicles(metric: Metric) -> None:
    points = [(0.3, 7.7), (9.1, 2.6), (4.4, 4.9), (6.5, 8.2)]
    plain = Instance.create(10, [3, 4, 5], points, metric=metric)
    priced = Instance.create(10, [3, 4, 5], points, metric=metric, extra_visit_cost=1)
    solution = Solution((Route((Visit(1, 3), Visit(2, 4))), Route((Visit(3, 5),))))
    assert route_costs(priced, solution) == pytest.approx(route_costs(plain, solution), rel=1e-15)


def test_distances_on_the_globe_agree_with_the_core() -> None:
    lat, lon = [52.5, 48.1, -33.9, 50.9], [13.4, 11.6, 151.2, 6.9]
    plain = Instance.create(10, [3, 4, 5], lat=lat, lon=lon)
    priced = Instance.create(10, [3, 4, 5], lat=lat, lon=lon, extra_visit_cost=1)
    solution = Solution((Route((Visit(1, 3), Visit(2, 4))), Route((Visit(3, 5),))))
    assert route_costs(priced, solution) == pytest.approx(route_costs(plain, solution), rel=1e-13)
