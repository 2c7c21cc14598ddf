"""CSV with tabs between cells, points as decimal signs, and UTF-8."""

from __future__ import annotations

from dataclasses import replace

from splitroute.files import Dialect
from splitroute.formats import Capabilities, csv
from splitroute.formats.csv import parse_instance, parse_solution
from splitroute.instance import Instance
from splitroute.solution import Solution

__all__ = ["CAPABILITIES", "dump_instance", "dump_solution", "parse_instance", "parse_solution"]

CAPABILITIES = replace(
    csv.CAPABILITIES,
    instance_suffixes=(".tsv",),
    solution_suffixes=(".tsv",),
    encode=Capabilities().encode,
)
TABS = Dialect(separator="\t")


def dump_instance(instance: Instance) -> str:
    """Table of the depot and the customers, with the settings above its header."""
    return csv.dump_instance(replace(instance, dialect=TABS))


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """Table of the visits, with the load that remains after each."""
    return csv.dump_solution(replace(instance, dialect=TABS), solution)
