"""The optimum of a tiny instance by a method that shares nothing with the package.

Held and Karp's dynamic program finds the shortest tour through every set of customers. An integer
program then chooses how many vehicles drive each tour: for every group of customers, the vehicles
that visit any of them need room for its demand. By Hall's theorem quantities then exist.
"""

from dataclasses import replace
from itertools import combinations

import highspy
import numpy as np

import splitroute as sr


def tiny_instance(seed: int, max_customers: int = 7) -> sr.Instance:
    """Random instance; some demands exceed the capacity, rounded distances allow pass-through."""
    random = np.random.default_rng(seed)
    count, capacity = int(random.integers(1, max_customers + 1)), int(random.integers(4, 20))
    max_demand = int(capacity * random.choice([0.6, 1.0, 2.5]))
    demands = random.integers(1, max_demand + 1, count).tolist()
    places = random.integers(0, 50, (count + 1, 2)).astype(float).tolist()
    metric = ("exact", "dimacs")[seed % 2]
    instance = sr.Instance.create(capacity, demands, places, metric=metric)  # type: ignore[arg-type]
    return replace(instance, pass_through=metric == "dimacs")


def optimum(instance: sr.Instance, vehicles: int | None = None) -> float:
    """Cost of an optimal solution; for up to about eight customers."""
    customers = [k for k in range(1, len(instance.customers) + 1) if instance.demands[k]]
    if not customers:
        return 0.0
    sets = [frozenset(s) for r in range(len(customers)) for s in combinations(customers, r + 1)]
    tours = _shortest_tours(instance, customers)
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    solver.setOptionValue("mip_rel_gap", 0.0)
    count = [solver.addIntegral(0, 1000, tours[s]) for s in sets]
    for group in sets:
        load = int(sum(instance.demands[c] for c in group))
        visiting = sum(count[k] for k, s in enumerate(sets) if s & group)
        solver.addConstr(visiting >= -(-load // instance.capacity))
    if vehicles is not None:
        solver.addConstr(sum(count) <= vehicles)
    solver.run()
    return float(solver.getInfo().objective_function_value)


def _shortest_tours(instance: sr.Instance, customers: list[int]) -> dict[frozenset[int], float]:
    """Length of the shortest tour through each set."""
    sites = instance.sites
    table = np.asarray(instance.table)

    def distance(a: int, b: int) -> float:
        return float(table[sites[a], sites[b]])

    paths = {(frozenset([c]), c): distance(0, c) for c in customers}
    for size in range(2, len(customers) + 1):
        for group in combinations(customers, size):
            whole = frozenset(group)
            for last in group:
                rest = whole - {last}
                paths[whole, last] = min(paths[rest, c] + distance(c, last) for c in rest)
    tours: dict[frozenset[int], float] = {}
    for (visited, last), length in paths.items():
        tours[visited] = min(tours.get(visited, np.inf), length + distance(last, 0))
    return tours
