"""The paper's tables."""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from importlib.resources import files
from io import StringIO


@dataclass(frozen=True, slots=True)
class PaperRow:
    """The paper's figures for an instance; gaps in percent of its best known value."""

    best_known: float
    vrphas_gap: float
    vrphas_seconds: float
    pasa_cost: float
    pasa_gap: float
    pasa_seconds: float
    none_gap: float
    ils_mip_gap: float | None
    ils_mip_seconds: str  # "TL" where it reached its time limit

    def implied_cost(self, gap: float) -> float:
        """Return the cost that a printed gap stands for."""
        return self.best_known * (1 + gap / 100)

    def gap_to(self, reference: float | None, gap: float | None) -> float | None:
        """Convert a printed gap into the gap to another reference value."""
        if gap is None or not reference:
            return None
        if reference == self.best_known:
            return gap
        return 100 * (self.implied_cost(gap) / reference - 1)


@functools.cache
def paper() -> dict[tuple[str, str], PaperRow]:
    """Return the rows of the paper's tables 2 to 5 (metric exact) by set and instance."""
    rows = {}
    for row in csv.DictReader(StringIO(read_data("paper.csv"))):
        key = (row.pop("set"), row.pop("instance"))
        rows[key] = PaperRow(
            ils_mip_seconds=row.pop("ils_mip_seconds"),
            **{k: float(v) if v else None for k, v in row.items()},  # type: ignore[arg-type]
        )
    return rows


def read_data(name: str) -> str:
    return files("splitroute.bench").joinpath("data", name).read_text("utf-8")
