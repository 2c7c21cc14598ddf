"""Tiny instances that cover what rules, engines and formats have to cope with."""

from __future__ import annotations

from decimal import Decimal

from splitroute.generate import random_instance
from splitroute.instance import Instance

ONE_WAY = [[0, 1, 9, 9], [9, 0, 1, 9], [9, 9, 0, 1], [1, 9, 9, 0]]
COORDINATES = [(10.0, 50.0), (10.2, 50.1), (9.9, 50.3), (10.4, 49.9), (10.1, 50.4)]

PLANE = random_instance(8, capacity=20, low=0.1, high=0.9, seed=1)
MANY_PER_ROUTE = random_instance(12, capacity=100, low=0.01, high=0.02, seed=3)
ASYMMETRIC = Instance.create(30, [5, 15, 25], matrix=ONE_WAY, name="asymmetric matrix")
LARGE_DEMANDS = random_instance(4, capacity=6, low=0.5, high=3, seed=2)
GLOBE = Instance.create(
    10,
    [6, 7, 8, 9],
    lat=[y for _, y in COORDINATES],
    lon=[x for x, _ in COORDINATES],
    name="haversine",
)

INSTANCES = (
    PLANE,
    MANY_PER_ROUTE,
    LARGE_DEMANDS,
    GLOBE,
    ASYMMETRIC,
    Instance.create(10, [6, 7, 8, 9], COORDINATES, metric="dimacs", name="rounded distances"),
    Instance.create(5, [3, 0, 12], [(1, 1)] * 4, name="customers at the depot"),
    Instance.create(5, [5], [(0, 0), (3, 4)], name="one customer"),
    Instance.create(
        35, [15, 20, 5], [(0, 0), (3, 4), (6, 8), (3, 4)], unit=Decimal("0.5"), name="halves"
    ),
)
