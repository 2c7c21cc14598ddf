"""Timetables and costs agree with those of the validator, which computes them by itself."""

import random
from dataclasses import replace

import splitroute as sr
from rich_instances import rich_instance
from rich_oracle import optimum
from splitroute.instance.rules import TIME_RULES
from splitroute.solution import (
    cost_parts,
    route_costs,
    timetable,
    undelivered,
    with_departures,
)
from splitroute.validation import Claims, validate


def claims_of(instance: sr.Instance, solution: sr.Solution) -> Claims:
    """Everything that can be claimed."""
    times = timetable(instance, solution)
    return Claims(
        cost=cost_parts(instance, solution).total,
        route_costs=tuple(route_costs(instance, solution)),
        cost_parts=cost_parts(instance, solution)._asdict(),
        ends=tuple(t.end for t in times),
        visit_times=tuple(tuple(v[:] for v in t.visits) for t in times),
        undelivered=undelivered(instance, solution),
    )


def random_solution(instance: sr.Instance, draw: random.Random) -> sr.Solution:
    """Routes of any vehicles, which often break rules."""
    routes = []
    trips: dict[tuple[int, int], int] = {}
    for _ in range(draw.randint(0, 5)):
        kind, vehicle = draw.randrange(len(instance.vehicle_types)), draw.randint(0, 2)
        trip = trips[kind, vehicle] = trips.get((kind, vehicle), 0) + 1 if vehicle else 1
        numbers = range(1, len(instance.customers) + 1)
        customers = draw.sample(numbers, draw.randint(1, len(instance.customers)))
        visits = tuple(sr.Visit(c, draw.randint(1, 2)) for c in customers)
        start = draw.choice([None, None, float(draw.randint(0, 30))])
        routes.append(sr.Route(visits, kind, vehicle, trip, start))
    draw.shuffle(routes)
    return sr.Solution(tuple(routes))


def test_times_and_costs_of_any_solution_agree() -> None:
    draw = random.Random(1)
    for seed in range(300):
        instance = rich_instance(seed)
        solution = random_solution(instance, draw)
        found = validate(instance, solution, claims_of(instance, solution))
        claimed = [v for v in found if v.kind in ("cost", "time", "undelivered")]
        assert not claimed, (seed, claimed)
        if all(route.start is None for route in solution.routes):
            assert not [v for v in found if v.kind == "loading"], seed


def test_optimal_solutions_are_valid() -> None:
    for seed in range(40):
        instance = rich_instance(seed)
        best = optimum(instance)
        if best.undelivered:
            instance = replace(instance, partial=True)
        solution = best.solution
        if not instance.rules & TIME_RULES:  # the oracle then lets all trips start at 0
            solution = sr.Solution(tuple(replace(r, start=None) for r in solution.routes))
        claims = Claims(best.cost, undelivered=undelivered(instance, solution))
        assert validate(instance, solution, claims) == [], seed


def test_departures_of_optimal_routes_are_optimal() -> None:
    for seed in range(40):
        instance = rich_instance(seed)
        best = optimum(instance)
        routes = tuple(replace(route, start=None) for route in best.solution.routes)
        again = with_departures(instance, sr.Solution(routes))
        if best.undelivered:
            instance = replace(instance, partial=True)
        found = validate(instance, again)
        assert found == [], (seed, found)
        multiple = any(route.trip > 1 for route in routes)
        total = cost_parts(instance, again).total
        assert total >= best.cost - 1e-6, seed
        assert multiple or total <= best.cost + 1e-6, seed
