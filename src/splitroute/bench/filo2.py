"""Published results of FILO2, a solver for very large CVRP instances, on one core.

Accorsi and Vigo, Routing one million customers in a handful of minutes, C&OR (2024). Rounded
distances; each customer has one visit.
"""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from io import StringIO

from splitroute.bench.paper import read_data


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """Costs and seconds of short and of long runs on an instance."""

    mean_cost: float
    best_cost: float
    mean_seconds: float
    long_mean_cost: float
    long_best_cost: float
    long_mean_seconds: float

    @property
    def best_known(self) -> float:
        """Lowest published cost."""
        return min(self.best_cost, self.long_best_cost)


@functools.cache
def filo2() -> dict[tuple[str, str], PublishedResult]:
    """Return the results (metric dimacs) by set and instance."""
    results = {}
    for row in csv.DictReader(StringIO(read_data("filo2.csv"))):
        key = (row.pop("set"), row.pop("instance"))
        results[key] = PublishedResult(**{name: float(value) for name, value in row.items()})
    return results
