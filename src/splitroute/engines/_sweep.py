"""The sweep heuristic: customers by their angle around the depot, one vehicle filled after another.

B. Gillett, L. Miller: A heuristic algorithm for the vehicle-dispatch problem. Operations Research
22 (1974).
"""

import numpy as np

from splitroute.instance import Instance
from splitroute.solution import Solution


def sweep(instance: Instance) -> Solution:
    """Return a feasible solution of a CVRP; without coordinates, in the order of the customers."""
    order = np.arange(1, len(instance.customers) + 1)
    if instance.places:
        x, y = (instance.xy[instance.sites] - instance.xy[0])[1:].T
        order = order[np.argsort(np.arctan2(y, x), kind="stable")]
    demands = instance.demands.tolist()
    routes: list[list[int]] = []
    room = 0
    for customer in order.tolist():
        if not routes or demands[customer] > room:
            routes.append([])
            room = instance.capacity
        routes[-1].append(customer)
        room -= demands[customer]
    return Solution.unsplit(instance, routes)
