"""Find the depot among the rows of a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from splitroute.formats._errors import ErrorCollector, warn
from splitroute.formats._numbers import excerpt

DEPOT = "depot"
# English, German, French, Spanish, Italian, Dutch and Portuguese, without accents.
DEPOT_WORDS = frozenset([
    "depot", "warehouse", "hub", "base", "lager", "hauptlager", "zentrallager", "zentrale", "basis",
    "betriebshof", "logistikzentrum", "entrepot", "plateforme", "deposito", "almacen", "bodega",
    "magazzino", "magazijn", "armazem",
])  # fmt: skip


class Row(NamedTuple):
    """A row of a table of customers, unparsed."""

    line: int
    id: str
    demand: str
    coordinates: list[str]
    note: str
    rules: list[str]  # cells of the columns with rules


def find_depot(
    rows: Sequence[Row], depot_id: str | None, file: str, errors: ErrorCollector
) -> int | None:
    """Index of the depot's row: the one with the given id, one called depot, or a likely one."""
    wanted = (depot_id or DEPOT).strip().lower()
    for k, row in enumerate(rows):
        if row.id.lower() == wanted:
            return k
    if depot_id is not None:
        errors.add(f"no row has the id {depot_id!r}, given as `depot`", field="depot")
    elif rows and _looks_like_depot(rows[0]):
        message = f"using {excerpt(rows[0].id)!r} as the depot: the first row, without a demand"
        warn(message, file, rows[0].line, field="depot")
        return 0
    else:
        message = f"no depot; give one row the id {DEPOT!r}, or pass `depot`: an id or a point"
        errors.add(message, field="depot", code="no_depot")
    return None


def has_demand(cell: str) -> bool:
    """Whether a cell holds anything but 0."""
    return bool(cell.strip("0.,"))


def _looks_like_depot(row: Row) -> bool:
    letters = unicodedata.normalize("NFKD", f"{row.id} {row.note}".lower())
    words = re.findall(r"[a-z]+", "".join(c for c in letters if not unicodedata.combining(c)))
    return not has_demand(row.demand) and not DEPOT_WORDS.isdisjoint(words)
