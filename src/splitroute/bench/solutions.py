"""Solutions stored in records."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from splitroute.bench.records import Record
from splitroute.bench.results import Results, instance_key
from splitroute.distances import Floats
from splitroute.solution import Route, Solution, Visit


def solution_of(record: Record) -> Solution:
    """Return the solution of a record that has one."""
    visits = [tuple(Visit(*visit) for visit in route) for route in record["solution"]]
    vehicles = record.get("vehicles") or [[]] * len(visits)
    return Solution(tuple(Route(v, *fields) for v, fields in zip(visits, vehicles, strict=True)))


def points_of(record: Record) -> Floats | None:
    """Return the coordinates of depot and customers if the record has them."""
    places = record.get("places")
    return np.array(places, dtype=np.float64) if places else None


def best_by(
    records: Iterable[Record], key: Callable[[Record], tuple[str, str]]
) -> dict[tuple[str, str], Record]:
    """Return the cheapest record with a solution for each value of the key."""
    best: dict[tuple[str, str], Record] = {}
    for record in records:
        if record["cost"] is not None and record.get("solution") is not None:
            group = key(record)
            best[group] = min(best.get(group, record), record, key=lambda r: float(r["cost"]))
    return best


def best_drawable(results: Results) -> dict[tuple[str, str], Record]:
    """Return the cheapest record with coordinates by set and instance, in table order."""
    drawable = (record for record in results.records if record.get("places"))
    best = best_by(drawable, instance_key)
    keys = [(set_name, name) for set_name, names in results.sets.items() for name in names]
    return {key: best[key] for key in keys if key in best}
