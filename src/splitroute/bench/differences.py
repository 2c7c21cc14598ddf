"""Methods against the first one, for instances without best known values."""

from __future__ import annotations

import statistics

from splitroute.bench.compare import mean_difference
from splitroute.bench.results import Results
from splitroute.bench.tables import Column, Table, Value


def differences(results: Results, first: str) -> Table:
    """Return the mean relative difference of each method to the first on each set, and times.

    As in `compare`, it is the mean over common seeds on each instance; means are over the instances
    on which the method and the first one have a common seed.
    """
    columns = [Column("", "method", is_averaged=False)]
    columns += [Column("", set_name or "instances", 3) for set_name in results.sets]
    columns += [
        Column("", "all, %", 3), Column("", "instances", 0), Column("", "s", 1),
        Column("", "failed", 0),
    ]  # fmt: skip
    rows: list[tuple[Value, ...]] = []
    for method in results.methods:
        by_set = [
            [
                difference
                for name in names
                if isinstance(
                    difference := mean_difference(results, set_name, name, method, first), float
                )
            ]
            for set_name, names in results.sets.items()
        ]
        pooled = [difference for of_set in by_set for difference in of_set]
        rows.append(
            (
                method,
                *(_mean(of_set) for of_set in by_set),
                _mean(pooled),
                float(len(pooled)),
                results.mean_seconds(method),
                float(results.failure_count(method)),
            )
        )
    title = f"Mean difference to {first} in percent, metric {results.metric}; {results.conditions}"
    return Table(title, tuple(columns), tuple(rows), ())


def _mean(values: list[float]) -> float | None:
    return statistics.fmean(values) if values else None
