"""One vehicle by itself breaks the limits that it breaks among all customers."""

import random
from dataclasses import replace

import numpy as np

from rich_instances import rich_instance
from splitroute.instance import Instance
from splitroute.repair._vehicle import TRIP_VIOLATIONS, VehicleCheck
from splitroute.solution import Route, Solution, Visit, trips_of_vehicles
from splitroute.validation import validate


def violations(instance: Instance, solution: Solution) -> list[str]:
    found = validate(replace(instance, partial=True), solution)
    return [violation.kind for violation in found if violation.kind in TRIP_VIOLATIONS]


def shuffled(instance: Instance, rng: random.Random) -> Solution:
    """Two trips of the first vehicle, with some of the customers in any order."""
    count = len(instance.customers)
    chosen = rng.sample(range(1, count + 1), rng.randint(1, count))
    visits = [Visit(c, max(1, instance.customers[c - 1].demand)) for c in chosen]
    half = rng.randint(0, len(visits) - 1)
    kind = rng.randrange(len(instance.vehicle_types))
    trips = [trip for trip in (visits[:half], visits[half:]) if trip]
    return Solution(tuple(Route(tuple(v), kind, 1, k) for k, v in enumerate(trips, 1)))


def test_the_same_limits_are_violated() -> None:
    rng = random.Random(5)
    found = []
    for seed in range(150):
        instance = rich_instance(seed)
        solution = shuffled(instance, rng)
        (indices,) = trips_of_vehicles(solution)
        routes = [solution.routes[k] for k in indices]
        customers = [visit.customer for route in routes for visit in route.visits]
        kinds = [v.kind for v in VehicleCheck(instance, customers).violations(routes)]
        assert kinds == violations(instance, solution)
        found += kinds
    assert len(set(found)) > 4


def test_only_the_customers_of_the_vehicle_are_looked_at() -> None:
    table = np.arange(25.0).reshape(5, 5)
    places = [(float(k), 0.0) for k in range(5)]
    instance = Instance.create(9, [1] * 4, places, matrix=table, durations=table)
    alone = VehicleCheck(instance, [4, 2])._instance
    assert [c.id for c in alone.customers] == ["2", "4"]
    assert alone.places == (places[0], places[2], places[4])
    assert alone.duration(1, 2) == instance.duration(2, 4) == alone.distance(1, 2)
