"""One vehicle by itself: an instance of its customers only, in which its trips are checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from splitroute.distances import Floats
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit
from splitroute.validation import Violation, validate

# Violations that concern one trip, or the trips of one vehicle.
TRIP_VIOLATIONS = frozenset(
    {
        "capacity",
        "max_stops",
        "max_distance",
        "vehicle_types",
        "windows",
        "depot_windows",
        "shift",
        "max_duration",
        "loading",
    }
)


class VehicleCheck:
    """Checks routes that visit some of the customers, in a time that depends on these only."""

    def __init__(self, instance: Instance, customers: Iterable[int]) -> None:
        chosen = sorted(set(customers))
        self._numbers = {customer: k for k, customer in enumerate(chosen, 1)}
        self._instance = _restricted(instance, chosen)

    def violations(self, routes: Iterable[Route]) -> list[Violation]:
        """Violated limits of one vehicle's routes."""
        renumbered = Solution(tuple(map(self._renumbered, routes)))
        found = validate(self._instance, renumbered)
        return [violation for violation in found if violation.kind in TRIP_VIOLATIONS]

    def _renumbered(self, route: Route) -> Route:
        visits = tuple(Visit(self._numbers[v.customer], v.quantity) for v in route.visits)
        return replace(route, visits=visits)


def _restricted(instance: Instance, customers: list[int]) -> Instance:
    """The instance with only these customers, whose demands may stay undelivered."""
    first = len(instance.depots)
    kept = [instance.customers[customer - 1] for customer in customers]
    places = [d.place for d in instance.depots] + [c.place for c in kept]

    def among(table: Floats | None) -> Floats | None:
        return None if table is None else table[np.ix_(places, places)]

    return replace(
        instance,
        customers=tuple(replace(c, place=place) for place, c in enumerate(kept, first)),
        places=tuple(instance.places[place] for place in places) if instance.places else (),
        depots=tuple(replace(depot, place=place) for place, depot in enumerate(instance.depots)),
        matrix=among(instance.matrix),
        durations=among(instance.durations),
        partial=True,
    )
