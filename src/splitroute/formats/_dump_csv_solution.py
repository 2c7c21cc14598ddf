"""Write the visits of a solution as CSV."""

from __future__ import annotations

from splitroute.files import Dialect
from splitroute.formats._csv_writing import write_table
from splitroute.formats._values import to_csv
from splitroute.formats._visit_rows import visit_rows
from splitroute.instance import Instance
from splitroute.solution import Solution


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """Table of the visits, with the load that remains after each."""
    dialect = instance.dialect or Dialect()
    rows = visit_rows(instance, solution)
    return write_table([[to_csv(value, dialect) for value in row] for row in rows], dialect)
