"""The optimum of a tiny instance by another road than the package's own.

For every set of customers the shortest tour is found by dynamic programming. Then a whole number of
vehicles is chosen for every set: vehicles of sets that meet a group of customers must together have
room for its demand. By Hall's theorem that is all it takes for quantities to exist, so the cheapest
choice is the optimum; a small integer program finds it.
"""

from itertools import combinations

import highspy
import numpy as np

import splitroute as sr


def optimum(instance: sr.Instance, vehicles: int | None = None) -> float:
    """The least cost; for about eight customers."""
    customers = [k for k in range(1, len(instance.customers) + 1) if instance.demands[k]]
    if not customers:
        return 0.0
    sets = [frozenset(s) for r in range(len(customers)) for s in combinations(customers, r + 1)]
    tours = _tours(instance, customers)
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    solver.setOptionValue("mip_rel_gap", 0.0)
    count = [solver.addIntegral(0, 1000, tours[s]) for s in sets]
    for group in sets:
        load = int(sum(instance.demands[c] for c in group))
        meeting = sum(count[k] for k, s in enumerate(sets) if s & group)
        solver.addConstr(meeting >= -(-load // instance.capacity))
    if vehicles is not None:
        solver.addConstr(sum(count) <= vehicles)
    solver.run()
    return float(solver.getInfo().objective_function_value)


def _tours(instance: sr.Instance, customers: list[int]) -> dict[frozenset[int], float]:
    """The shortest tour through each set; M. Held and R. Karp's dynamic program."""
    sites = instance.sites
    table = np.asarray(instance.table)

    def far(a: int, b: int) -> float:
        return float(table[sites[a], sites[b]])

    paths = {(frozenset([c]), c): far(0, c) for c in customers}
    for size in range(2, len(customers) + 1):
        for group in combinations(customers, size):
            whole = frozenset(group)
            for last in group:
                rest = whole - {last}
                paths[whole, last] = min(paths[rest, c] + far(c, last) for c in rest)
    tours: dict[frozenset[int], float] = {}
    for (visited, last), length in paths.items():
        tours[visited] = min(tours.get(visited, np.inf), length + far(last, 0))
    return tours
