"""Best known values: those of the challenge, of the paper and of the literature, and our own.

The paper and the challenge mix conventions, so each has its own column. `value` is the best cost
in the metric that is certain: reported by the challenge, or backed by a solution of ours.
"""

from __future__ import annotations

import csv
import functools
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from io import StringIO
from pathlib import Path

from splitroute.bench.filo2 import filo2
from splitroute.bench.paper import paper, read_data
from splitroute.errors import InputError
from splitroute.files import read_text, write_bytes
from splitroute.report import json_number

OWN_SOURCE = "splitroute"  # of values that a solution of ours backs
DECIMALS = 4  # of values and bounds in the table
OPTIMALITY_TOLERANCE = 2e-6  # relative; half of it for rounding to DECIMALS


@dataclass(frozen=True, slots=True)
class BestKnown:
    """A row of best_known.csv; unknown values are empty."""

    set: str
    instance: str
    metric: str
    fleet: str = "unlimited"
    pass_through: str = "no"
    value: str = ""
    source: str = ""
    date: str = ""
    bound: str = ""
    proven: str = "no"  # whether the value is proven optimal
    paper: str = ""
    dimacs: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Instance and metric, which identify the row."""
        return (self.instance, self.metric)

    def improved_by(self, cost: str, date: str, pass_through: str) -> BestKnown | None:
        """Return the row with a cost of ours, or None if that is no improvement."""
        if self.value and float(cost) >= float(self.value):
            return None
        return replace(
            self,
            value=cost,
            source=OWN_SOURCE,
            date=date,
            pass_through=pass_through,
            proven="no",
        )

    def with_bound(self, bound: float) -> BestKnown:
        """Return the row with the larger of its lower bound and this one."""
        text = str(json_number(math.floor(bound * 10**DECIMALS) / 10**DECIMALS))
        best = max(text, self.bound, key=lambda t: float(t or 0))
        is_proven = self.optimality_gap(float(best)) <= OPTIMALITY_TOLERANCE
        return replace(self, bound=best, proven="yes" if is_proven else "no")

    def optimality_gap(self, bound: float) -> float:
        """Return (value - bound) / value."""
        return 1 - bound / float(self.value)


def read_best_known(path: Path | None = None) -> dict[tuple[str, str], BestKnown]:
    """Read a table of best known values, by default ours, by instance and metric."""
    text = read_data("best_known.csv") if path is None else read_text(path)
    reader = csv.DictReader(StringIO(text))
    columns = [field.name for field in fields(BestKnown)]
    if reader.fieldnames != columns:
        message = "not a table of best known values; its columns must be "
        raise InputError(message + ", ".join(columns), field="table", file=str(path or ""))
    return {row.key: row for row in (BestKnown(**line) for line in reader)}


def save_best_known(rows: Iterable[BestKnown], path: Path) -> None:
    """Write a table of best known values."""
    text = StringIO()
    writer = csv.DictWriter(text, [f.name for f in fields(BestKnown)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    write_bytes(path, text.getvalue().encode())


def reference_value(kind: str, set_name: str, instance: str, metric: str) -> float | None:
    """Return the best known value of the `paper`, `challenge` or `literature`, or our `own`."""
    if kind == "literature" and (published := filo2().get((set_name, instance))):
        return published.best_known if metric == "dimacs" else None
    if kind == "literature":
        return literature().get((set_name, instance)) if metric == "exact" else None
    if kind == "paper":
        row = paper().get((set_name, instance))
        return row.best_known if row and metric == "exact" else None
    known = _own_table().get((instance, metric))
    if known is None or not set_name.startswith("SET-"):
        return None
    text = known.dimacs if kind == "challenge" else known.value
    return float(text) if text else None


def proven_bound(set_name: str, instance: str, metric: str) -> float | None:
    """Return the best lower bound of our table."""
    known = _own_table().get((instance, metric))
    return float(known.bound) if known and known.set == set_name and known.bound else None


@functools.cache
def literature() -> dict[tuple[str, str], float]:
    """Return published values without splitting, of the sets with rules, by set and instance.

    Mixed fleets and depots: Vidal et al., A unified solution framework for multi-attribute vehicle
    routing problems, EJOR 234 (2014), and later improvements; without pr10, for which sources
    differ. Solomon: C1 and C2 only. Published values of the other classes minimise the number of
    vehicles first, or truncate distances.
    """
    rows = csv.DictReader(StringIO(read_data("literature.csv")))
    return {(row["set"], row["instance"]): float(row["value"]) for row in rows}


@functools.cache
def _own_table() -> dict[tuple[str, str], BestKnown]:
    return read_best_known()
