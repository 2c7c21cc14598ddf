"""What costs are compared with: the paper's tables, the challenge's best values, and our own.

The paper's and the challenge's values mix conventions, so each keeps a column of its own; `value`
is the best that is known for certain in that metric: by the challenge, or by a solution of ours.
"""

from __future__ import annotations

import csv
import functools
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from importlib.resources import files
from io import StringIO
from pathlib import Path

from splitroute.errors import InputError
from splitroute.files import read_text, write_bytes
from splitroute.report import number

OURS = "splitroute"  # the source of a value that a solution of ours has
DIGITS = 4  # of values after the point
PROVEN = 2e-6  # a gap that is none: a millionth, and what rounding adds


@dataclass(frozen=True, slots=True)
class BestKnown:
    """A row of best_known.csv; an empty text is a value that nobody has."""

    set: str
    instance: str
    metric: str
    fleet: str = "unlimited"
    passing: str = "no"  # whether vehicles may drive through customers
    value: str = ""
    source: str = ""
    date: str = ""
    bound: str = ""  # no solution costs less
    proven: str = "no"  # whether the value is optimal
    paper: str = ""
    dimacs: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What there is one row for."""
        return (self.instance, self.metric)

    def beaten_by(self, cost: str, date: str, passing: str) -> BestKnown | None:
        """The row with a cost of ours in it, if that is better."""
        if self.value and float(cost) >= float(self.value):
            return None
        return replace(self, value=cost, source=OURS, date=date, passing=passing, proven="no")

    def bounded_by(self, bound: float) -> BestKnown:
        """The row with a bound in it, unless the one that it has is better."""
        text = str(number(math.floor(bound * 10**DIGITS) / 10**DIGITS))
        best = max(text, self.bound, key=lambda t: float(t or 0))
        proven = self.gap(float(best)) <= PROVEN
        return replace(self, bound=best, proven="yes" if proven else "no")

    def gap(self, bound: float) -> float:
        """Gap to a lower bound: share of the value that could be saved at most."""
        return 1 - bound / float(self.value)


@dataclass(frozen=True, slots=True)
class PaperRow:
    """What the paper prints for an instance; gaps in percent of its best known value."""

    best_known: float
    vrphas_gap: float
    vrphas_seconds: float
    pasa_cost: float
    pasa_gap: float
    pasa_seconds: float
    none_gap: float
    ils_mip_gap: float | None
    ils_mip_seconds: str  # "TL" where it reached its time limit

    def implied(self, printed: float) -> float:
        """The cost that a printed gap amounts to."""
        return self.best_known * (1 + printed / 100)

    def gap_to(self, target: float | None, printed: float | None) -> float | None:
        """A printed gap, made one to another value than the paper's best known."""
        if printed is None or not target:
            return None
        same = target == self.best_known
        return printed if same else 100 * (self.implied(printed) / target - 1)


@functools.cache
def paper() -> dict[tuple[str, str], PaperRow]:
    """The paper's tables 2 to 5 by set and instance; they are in the metric exact."""
    rows = {}
    for row in csv.DictReader(StringIO(_data("paper.csv"))):
        key = (row.pop("set"), row.pop("instance"))
        rows[key] = PaperRow(
            ils_mip_seconds=row.pop("ils_mip_seconds"),
            **{k: float(v) if v else None for k, v in row.items()},  # type: ignore[arg-type]
        )
    return rows


def best_known(path: Path | None = None) -> dict[tuple[str, str], BestKnown]:
    """The table of a file, or the one that comes with the package, by instance and metric."""
    text = _data("best_known.csv") if path is None else read_text(path)
    reader = csv.DictReader(StringIO(text))
    if reader.fieldnames != [field.name for field in fields(BestKnown)]:
        raise InputError(f"{path}: not a table of best known values; its columns are others")
    return {row.key: row for row in (BestKnown(**line) for line in reader)}


def save_best_known(rows: Iterable[BestKnown], path: Path) -> None:
    """Writes the table."""
    text = StringIO()
    writer = csv.DictWriter(text, [f.name for f in fields(BestKnown)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    write_bytes(path, text.getvalue().encode())


def reference(kind: str, set_name: str, instance: str, metric: str) -> float | None:
    """What gaps are measured against: the `paper`'s, the `challenge`'s or our `own` value."""
    if kind == "paper":
        row = paper().get((set_name, instance))
        return row.best_known if row and metric == "exact" else None
    known = _own().get((instance, metric))
    if known is None or not set_name.startswith("SET-"):
        return None
    text = known.dimacs if kind == "challenge" else known.value
    return float(text) if text else None


def proven_bound(set_name: str, instance: str, metric: str) -> float | None:
    """What no solution costs less than, where that is known."""
    known = _own().get((instance, metric))
    return float(known.bound) if known and known.set == set_name and known.bound else None


@functools.cache
def _own() -> dict[tuple[str, str], BestKnown]:
    return best_known()


def _data(name: str) -> str:
    return files("splitroute.bench").joinpath("data", name).read_text()
