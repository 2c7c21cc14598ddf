"""A solution in columns."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import chain

import numpy as np

from splitroute.distances import Integers
from splitroute.solution import Solution

MAX_INT64_QUANTITY = 2**40  # a million of these can be added in 64 bits


class Columns:
    """Route (from 0), customer and quantity of each visit."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        visits = [route.visits for route in solution.routes]
        self.lengths = np.array([len(v) for v in visits], dtype=np.int64)
        self.route = np.repeat(np.arange(len(visits)), self.lengths)
        numbers = list(chain.from_iterable(chain.from_iterable(visits)))
        if not all_int(numbers):
            numbers = [int(number) for number in numbers]
        # Quantities that could overflow 64 bits are added up as Python integers.
        limit = MAX_INT64_QUANTITY
        fits = -limit <= min(numbers, default=0) <= max(numbers, default=0) <= limit
        self.customer, self.quantity = (
            np.array(column, dtype=np.int64 if fits else object)
            for column in (numbers[::2], numbers[1::2])
        )

    @cached_property
    def loads(self) -> list[int]:
        """Load of each route."""
        return self.totals(self.route, len(self.lengths))

    def totals(self, by: Integers, size: int) -> list[int]:
        """Total quantity per route or customer, numbered from 0 to the size."""
        sums = np.zeros(size, dtype=self.quantity.dtype)
        inside = (by >= 0) & (by < size)
        np.add.at(sums, by[inside].astype(np.int64), self.quantity[inside])
        totals: list[int] = sums.tolist()
        return totals

    def by_customer(self) -> dict[int, list[tuple[int, int]]]:
        """Route (from 1) and quantity of the visits to each customer that is visited."""
        visits: dict[int, list[tuple[int, int]]] = {}
        columns = (self.route + 1, self.customer, self.quantity)
        for route, customer, quantity in zip(*(c.tolist() for c in columns), strict=True):
            if quantity:
                visits.setdefault(customer, []).append((route, quantity))
        return visits


def all_int(numbers: Iterable[object]) -> bool:
    """Whether all numbers are Python's integers."""
    return set(map(type, numbers)) <= {int}
