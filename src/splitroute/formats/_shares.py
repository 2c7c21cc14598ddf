"""What each customer gets from whom, as maps show it."""

from splitroute.instance import Instance
from splitroute.solution import Solution, undelivered

Share = tuple[int | None, int]  # index of a route, or None for what is not delivered; quantity


def shares(instance: Instance, solution: Solution) -> dict[int, list[Share]]:
    """Return what each visit delivers to its customer, and what is not delivered at all."""
    found: dict[int, list[Share]] = {}
    for k, route in enumerate(solution.routes):
        for visit in route.visits:
            if visit.quantity > 0:
                found.setdefault(visit.customer, []).append((k, visit.quantity))
    for customer, quantity in undelivered(instance, solution).items():
        found.setdefault(customer, []).append((None, quantity))
    return found
