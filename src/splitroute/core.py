"""An instance as the compiled core sees it, and solutions on their way there and back."""

import numpy as np

from splitroute import _core
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit

MOST_SITES_IN_A_TABLE = 2000  # beyond that, distances are computed when they are needed
FINEST = 10**9  # the longest distance in the core's whole numbers, at most
LARGEST = 2**31 - 1

# Visits per route, and all visits as (item, quantity).
Flat = tuple[list[int], list[tuple[int, int]]]


class Model:
    """The instance as the core sees it.

    Where splitting is on, every customer is a site of its own; where it is off, the pieces at one
    place share a site.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.items = [k for k, c in enumerate(instance.customers, 1) if c.demand]
        self._item_of = {customer: item for item, customer in enumerate(self.items)}
        if instance.capacity > LARGEST or int(instance.demands.max()) > LARGEST:
            raise InputError(
                f"the compiled core counts in 32 bits; the largest quantity is {LARGEST} units"
            )
        everyone = np.arange(len(instance.customers) + 1)
        self._places = instance.sites if instance.splittable else np.unique(instance.sites)
        of_customer = (
            everyone if instance.splittable else np.searchsorted(self._places, instance.sites)
        )
        self._item_sites = of_customer[self.items].astype(np.int32)
        self._demands = instance.demands[self.items].astype(np.int32)
        self._table = np.empty((0, 0), dtype=np.int32)
        self._xy = np.empty((0, 2))
        self._scale = 1.0
        self._measure()
        self.problem = _core.Problem(
            xy=self._xy,
            metric=instance.metric,
            scale=self._scale,
            table=self._table,
            sites=len(self._places),
            item_sites=self._item_sites,
            demands=self._demands,
            capacity=instance.capacity,
            splitting=instance.splittable,
            symmetric=instance.symmetric,
        )

    def _measure(self) -> None:
        instance, places = self.instance, self._places
        if instance.matrix is not None or len(places) <= MOST_SITES_IN_A_TABLE:
            table = instance.table[np.ix_(places, places)]
            longest = float(table.max(initial=0.0))
            if not np.array_equal(table, np.rint(table)) or longest > FINEST:
                self._scale = FINEST / max(longest, 1e-12)
            self._table = np.rint(table * self._scale).astype(np.int32)
            return
        self._xy = np.ascontiguousarray(instance.xy[places])
        if instance.metric != "dimacs":
            reach = float(np.ptp(self._xy, axis=0).sum()) or 1.0
            # A degree is at most 112 km.
            self._scale = FINEST / (reach * (112 if instance.metric == "haversine" else 1))

    def flat(self, solution: Solution) -> Flat:
        """A solution as the core takes it; visits of nothing are left out."""
        routes = [[v for v in route.visits if v.quantity] for route in solution.routes]
        lengths = [len(route) for route in routes if route]
        return lengths, [(self._item_of[c], q) for route in routes for c, q in route]

    def solution(self, flat: Flat) -> Solution:
        lengths, deliveries = flat
        visits = iter(Visit(self.items[item], quantity) for item, quantity in deliveries)
        return Solution(tuple(Route(tuple(next(visits) for _ in range(n))) for n in lengths))
