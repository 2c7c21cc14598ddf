"""Which row of a table is the depot."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from splitroute.formats._faults import Faults, warn
from splitroute.formats._numbers import shown

DEPOT = "depot"
# In English, German, French, Spanish, Italian, Dutch and Portuguese, without accents.
WORDS = frozenset(
    [
        "depot",
        "warehouse",
        "hub",
        "base",
        "lager",
        "hauptlager",
        "zentrallager",
        "zentrale",
        "basis",
        "betriebshof",
        "logistikzentrum",
        "entrepot",
        "plateforme",
        "deposito",
        "almacen",
        "bodega",
        "magazzino",
        "magazijn",
        "armazem",
    ]
)


class Row(NamedTuple):
    """A row of a table of customers, as it stands there."""

    line: int
    id: str
    demand: str
    place: list[str]
    note: str


def depot_row(rows: Sequence[Row], given: str | None, file: str, faults: Faults) -> int | None:
    """The index of the row that is the depot: so named by the caller, so called, or so it looks."""
    wanted = (given or DEPOT).strip().lower()
    for k, row in enumerate(rows):
        if row.id.lower() == wanted:
            return k
    if given is not None:
        faults.add(f"no row has the id {given!r}, which is to be the depot", field="depot")
    elif rows and _looks_like_depot(rows[0]):
        said = f"{shown(rows[0].id)!r} is taken for the depot: the first row, without a demand"
        warn(said, file, rows[0].line, field="depot")
        return 0
    else:
        said = f"no depot; give one row the id {DEPOT!r}, or say which row or point is the depot"
        faults.add(said, field="depot")
    return None


def has_demand(cell: str) -> bool:
    """Whether anything but 0 is stated."""
    return bool(cell.strip("0.,"))


def _looks_like_depot(row: Row) -> bool:
    letters = unicodedata.normalize("NFKD", f"{row.id} {row.note}".lower())
    words = re.findall(r"[a-z]+", "".join(c for c in letters if not unicodedata.combining(c)))
    return not has_demand(row.demand) and not WORDS.isdisjoint(words)
