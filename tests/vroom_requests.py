"""Requests for VROOM: its documented examples, and random ones with fixed seeds."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Request = dict[str, Any]

# https://github.com/VROOM-Project/vroom/tree/master/docs
MATRIX = [[0, 2104, 197, 1299], [2103, 0, 2255, 3152], [197, 2256, 0, 1102], [1299, 3153, 1102, 0]]
EXAMPLE_2: Request = {
    "vehicles": [{"id": 0, "start_index": 0, "end_index": 3}],
    "jobs": [{"id": 1414, "location_index": 1}, {"id": 1515, "location_index": 2}],
    "matrix": MATRIX,
}
EXAMPLE_1: Request = {  # breaks and shipments
    "vehicles": [
        {
            "id": 1,
            "start": [2.35044, 48.71764],
            "end": [2.35044, 48.71764],
            "capacity": [4],
            "skills": [1, 14],
            "time_window": [28800, 43200],
            "breaks": [{"id": 1, "service": 300, "time_windows": [[32400, 34200]]}],
        },
    ],
    "jobs": [
        {"id": 1, "service": 300, "delivery": [1], "location": [1.98935, 48.701], "skills": [1]},
        {"id": 2, "service": 300, "pickup": [1], "location": [2.03655, 48.61128], "skills": [1]},
    ],
    "shipments": [
        {
            "amount": [1],
            "pickup": {"id": 4, "service": 300, "location": [2.41808, 49.22619]},
            "delivery": {"id": 3, "service": 300, "location": [2.39719, 49.07611]},
        }
    ],
}
EXAMPLE_3: Request = {  # a route to be followed
    "vehicles": [
        {
            "id": 1,
            "start": [2.35044, 48.71764],
            "end": [2.35044, 48.71764],
            "steps": [{"type": "start"}, {"type": "job", "id": 1}, {"type": "end"}],
        }
    ],
    "jobs": [{"id": 1, "location": [1.98935, 48.701]}],
}

SIDE = 10_000  # metres
DAY = (28_800, 61_200)  # 8:00 to 17:00
TODAY = 1_700_006_400  # midnight


class City:
    """Locations in a square, and the tables between them."""

    def __init__(self, seed: int, locations: int, *, is_asymmetric: bool = False) -> None:
        self.random = random.Random(seed)
        draw = self.random.randint
        self.points = [(draw(0, SIDE), draw(0, SIDE)) for _ in range(locations)]
        detour = {
            (a, b): self.random.uniform(1.0, 1.4 if is_asymmetric else 1.0)
            for a in range(locations)
            for b in range(locations)
        }
        self.distances = [
            [
                round(1.3 * detour[a, b] * ((x - u) ** 2 + (y - v) ** 2) ** 0.5)
                for b, (u, v) in enumerate(self.points)
            ]
            for a, (x, y) in enumerate(self.points)
        ]
        self.durations = [[round(d / 9) for d in row] for row in self.distances]

    def request(
        self, jobs: int, vehicles: int, *, capacity: int | None = None, depots: int = 1
    ) -> Request:
        """Jobs after the depots, and vehicles that take turns at the depots."""
        request: Request = {
            "vehicles": [
                {"id": k + 1, "start_index": k % depots, "end_index": k % depots}
                for k in range(vehicles)
            ],
            "jobs": [{"id": 100 + k, "location_index": depots + k} for k in range(jobs)],
            "matrices": {"car": {"durations": self.durations}},
        }
        if capacity is not None:
            for vehicle in request["vehicles"]:
                vehicle["capacity"] = [capacity]
            for job in request["jobs"]:
                job["delivery"] = [self.random.randint(1, 20)]
        return request

    def add_windows(self, request: Request, length: int, share: float = 1.0) -> None:
        """Give vehicles a day, and a share of the jobs windows."""
        opens, closes = DAY
        for vehicle in request["vehicles"]:
            vehicle["time_window"] = list(DAY)
        for job in request["jobs"]:
            job["service"] = 60 * self.random.randint(2, 8)
            if self.random.random() < share:
                start = self.random.randint(opens + 1800, closes - length - 3600)
                job["time_windows"] = [[start, start + length]]


def capacities(seed: int, jobs: int, vehicles: int, capacity: int) -> Request:
    return City(seed, jobs + 1).request(jobs, vehicles, capacity=capacity)


def without_amounts(seed: int) -> Request:
    request = City(seed, 41).request(40, 4)
    for vehicle in request["vehicles"]:
        vehicle["max_tasks"] = 12
    return request


def windows(seed: int, jobs: int, vehicles: int, length: int) -> Request:
    city = City(seed, jobs + 1)
    request = city.request(jobs, vehicles, capacity=200)
    city.add_windows(request, length)
    return request


def several_windows(seed: int) -> Request:
    city = City(seed, 61, is_asymmetric=True)
    request = city.request(60, 7, capacity=150)
    city.add_windows(request, 3600, 0.5)
    for job in request["jobs"]:
        if "time_windows" not in job and city.random.random() < 0.5:
            job["time_windows"] = [[30_000, 36_000], [46_000, 52_000]]
    return request


def skills(seed: int) -> Request:
    city = City(seed, 61)
    request = city.request(60, 8, capacity=110)
    for k, vehicle in enumerate(request["vehicles"]):
        vehicle["skills"] = [1, 2] if k % 4 == 0 else [1 + k % 2]
    for job in request["jobs"]:
        job["skills"] = city.random.choice([[], [], [1], [2], [1, 2]])
    return request


def depots(seed: int) -> Request:
    return City(seed, 83).request(80, 9, capacity=120, depots=3)


def open_routes(seed: int, side: str) -> Request:
    request = City(seed, 51).request(50, 6, capacity=110)
    for vehicle in request["vehicles"]:
        del vehicle[f"{side}_index"]
    return request


def mixed_fleet(seed: int) -> Request:
    request = City(seed, 61).request(60, 9)
    for k, vehicle in enumerate(request["vehicles"]):
        vehicle["capacity"] = [[50, 90, 160][k % 3]]
        vehicle["costs"] = {"fixed": [300, 600, 900][k % 3], "per_hour": [3000, 3600, 4200][k % 3]}
    generator = random.Random(seed)
    for job in request["jobs"]:
        job["delivery"] = [generator.randint(1, 20)]
    return request


def costs(seed: int, **stated: int) -> Request:
    city = City(seed, 61, is_asymmetric=True)
    request = city.request(60, 8, capacity=100)
    request["matrices"]["car"]["distances"] = city.distances
    for vehicle in request["vehicles"]:
        vehicle["costs"] = stated
    return request


def cost_matrix(seed: int) -> Request:
    city = City(seed, 51)
    request = city.request(50, 6, capacity=110)
    request["matrices"]["car"]["costs"] = [[round(d**0.5) for d in row] for row in city.distances]
    return request


def limits(seed: int, **stated: int) -> Request:
    city = City(seed, 61)
    request = city.request(60, 9, capacity=120)
    request["matrices"]["car"]["distances"] = city.distances
    for vehicle in request["vehicles"]:
        vehicle.update(stated)
    return request


def setups(seed: int) -> Request:
    city = City(seed, 31)
    request = city.request(30, 6, capacity=120)
    second = [
        {**job, "id": job["id"] + 100, "delivery": [city.random.randint(1, 20)]}
        for job in request["jobs"]
    ]
    request["jobs"] += second
    for job in request["jobs"]:
        job.update(setup=300, service=120)
    for vehicle in request["vehicles"]:
        vehicle["time_window"] = [0, 12_600]
    return request


def pickups(seed: int) -> Request:
    request = capacities(seed, 70, 8, 110)
    for job in request["jobs"]:
        job["pickup"] = job.pop("delivery")
    return request


def timestamps(seed: int) -> Request:
    request = windows(seed, 60, 7, 5400)
    for vehicle in request["vehicles"]:
        vehicle["time_window"] = [TODAY + time for time in vehicle["time_window"]]
    for job in request["jobs"]:
        job["time_windows"] = [[TODAY + time for time in w] for w in job["time_windows"]]
    return request


def some_without_amounts(seed: int) -> Request:
    request = capacities(seed, 60, 6, 100)
    for job in request["jobs"][::3]:
        job["delivery"] = [0]
    return request


def priorities(seed: int, request: Request) -> Request:
    generator = random.Random(seed)
    for job in request["jobs"]:
        job["priority"] = generator.choice([0, 0, 1, 5, 10, 100])
    return request


def oversized(seed: int, jobs: int = 40) -> Request:
    request = capacities(seed, jobs, 12 if jobs < 50 else 18, 80)
    for k, job in enumerate(request["jobs"][::10]):
        job["delivery"] = [90 + 10 * k]
    return request


# Every job can be served, and VROOM serves them all.
SERVED: dict[str, Callable[[], Request]] = {
    "capacities": lambda: capacities(1, 50, 7, 100),
    "capacities, 100 jobs": lambda: capacities(2, 100, 10, 130),
    "max_tasks": lambda: without_amounts(3),
    "windows of 2 h": lambda: windows(4, 60, 7, 7200),
    "windows of 1 h": lambda: windows(5, 80, 10, 3600),
    "several windows": lambda: several_windows(6),
    "skills": lambda: skills(7),
    "three depots": lambda: depots(8),
    "no end": lambda: open_routes(9, "end"),
    "no start": lambda: open_routes(10, "start"),
    "mixed fleet": lambda: mixed_fleet(11),
    "per_km": lambda: costs(12, per_hour=0, per_km=400),
    "per_hour and per_km": lambda: costs(13, fixed=500, per_hour=3600, per_km=100),
    "matrix of costs": lambda: cost_matrix(14),
    "max_travel_time": lambda: limits(15, max_travel_time=4500),
    "max_distance": lambda: limits(16, max_distance=42_000),
    "setups": lambda: setups(17),
    "pickups": lambda: pickups(18),
    "timestamps": lambda: timestamps(19),
    "some without amounts": lambda: some_without_amounts(20),
    "priorities": lambda: priorities(21, capacities(21, 60, 7, 110)),
}
# The fleet is too small for all jobs.
SHORT: dict[str, Callable[[], Request]] = {
    "too little room": lambda: capacities(22, 60, 5, 90),
    "too little room, priorities": lambda: priorities(23, capacities(23, 60, 5, 90)),
    "too little time": lambda: windows(24, 60, 3, 5400),
    "too few tasks": lambda: {
        **without_amounts(25),
        "vehicles": without_amounts(25)["vehicles"][:2],
    },
}
# Some jobs are larger than a vehicle.
OVERSIZED: dict[str, Callable[[], Request]] = {
    "oversized": lambda: oversized(26),
    "oversized, 60 jobs": lambda: oversized(27, 60),
}
