"""Tiny instances that cover what rules, engines and formats have to cope with."""

from __future__ import annotations

from decimal import Decimal

from splitroute.generate import random_instance
from splitroute.instance import Depot, Instance, VehicleType

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

WINDOWS = Instance.create(
    10,
    [6, 7, 8],
    [(0, 0), (3, 4), (6, 8), (5, 12)],
    name="windows",
    depots=[Depot(windows=((0.0, 99.5),))],
    windows=[((8.0, 20.0), (30.0, 40.25)), (), ((5.0, 60.0),)],
    service=[2.0, 0.0, 1.5],
    service_per_unit=0.25,
    speed=2.0,
)
SPLIT_RULES = Instance.create(
    20,
    [12, 9, 30],
    [(0, 0), (3, 4), (6, 8), (5, 12)],
    name="rules for splitting",
    unit=Decimal("0.5"),
    splittable=[True, False, True],
    min_drop=[3, 0, 2],
    max_visits=[None, 1, 4],
    lot=[1, 1, 2],
    extra_visit_cost=[0.0, 2.5, 1.0],
    penalty=[None, 0.0, 4.0],
    partial=True,
)
FLEET = Instance.create(
    None,
    [6, 4, 9],
    [(0, 0), (0, 9), (3, 4), (6, 8), (5, 12)],
    name="vehicle types and depots",
    depots=[Depot("north"), Depot("south", windows=((0.0, 500.0),))],
    vehicles=[
        VehicleType("van", 4, 3, "north", fixed_cost=5.0, max_trips=2, loading=1.5),
        VehicleType(
            "truck", 8, None, "south", "north", cost_per_distance=1.5, cost_per_time=0.25,
            shift=(10.0, 90.0), max_distance=80.0, max_duration=75.0, max_stops=4, min_load=2,
        ),
    ],
    vehicle_types=[None, ("truck",), ("van", "truck")],
)  # fmt: skip
# With rules that a format may be unable to hold.
RULE_INSTANCES = (WINDOWS, SPLIT_RULES, FLEET)
