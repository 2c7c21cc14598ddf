"""The answer: routes of visits, each with the quantity it delivers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from splitroute import distances
from splitroute.instance import Instance

MAX_VISITS_SHOWN = 20


class Visit(NamedTuple):
    """A stop at a customer (1..n) and how much is delivered there."""

    customer: int
    quantity: int


@dataclass(frozen=True, slots=True)
class Route:
    """The visits of one vehicle in order; it starts and ends at the depot."""

    visits: tuple[Visit, ...]

    @property
    def load(self) -> int:
        """What the vehicle carries."""
        return sum(visit.quantity for visit in self.visits)


@dataclass(frozen=True, slots=True, repr=False)
class Solution:
    """All routes. Its cost depends on the instance: see `costs` and `cost`."""

    routes: tuple[Route, ...]

    @classmethod
    def whole(cls, instance: Instance, routes: list[list[int]]) -> Solution:
        """A solution in which every visit delivers the customer's whole demand."""
        demand = instance.demands.tolist()
        return cls(tuple(Route(tuple(Visit(c, demand[c]) for c in r)) for r in routes if r))

    def __repr__(self) -> str:
        """In a line: there may be very many visits."""
        if self.visits > MAX_VISITS_SHOWN:
            return f"<Solution: {len(self.routes)} routes, {self.visits} visits>"
        routes = (" ".join(f"{v.customer}:{v.quantity}" for v in r.visits) for r in self.routes)
        return f"<Solution: {' | '.join(routes)}>"

    @property
    def visits(self) -> int:
        """How many stops there are in all."""
        return sum(len(route.visits) for route in self.routes)

    def delivering(self) -> Solution:
        """The same without visits that deliver nothing."""
        kept = (tuple(v for v in route.visits if v.quantity) for route in self.routes)
        return Solution(tuple(Route(visits) for visits in kept if visits))

    def split_customers(self) -> list[int]:
        """Customers to whom more than one visit delivers."""
        times = Counter(v.customer for route in self.routes for v in route.visits if v.quantity)
        return sorted(customer for customer, count in times.items() if count > 1)


def costs(instance: Instance, solution: Solution) -> list[float]:
    """Cost of each route under the instance's metric."""
    visits = chain.from_iterable(route.visits for route in solution.routes)
    customers = np.fromiter((visit.customer for visit in visits), dtype=np.int64)
    lengths = [len(route.visits) for route in solution.routes]
    return distances.route_costs(
        instance.xy, instance.metric, instance.matrix, instance.sites[customers], lengths
    )


def cost(instance: Instance, solution: Solution) -> float:
    """Total cost of the solution under the instance's metric."""
    return sum(costs(instance, solution))
