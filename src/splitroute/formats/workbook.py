"""Workbooks of spreadsheets: .xlsx and .ods are read, .xlsx is written.

The customers are in the sheet called so, in a given one, or in the first. Sheets called vehicles
and depots hold the vehicle types and the depots. The tables are like those in CSV.
"""

from __future__ import annotations

from dataclasses import replace

from splitroute.formats import Capabilities, ParsedSolution, ReadOptions
from splitroute.formats._dump_workbook import dump_instance, dump_solution
from splitroute.formats._files import WORKBOOK_SUFFIXES
from splitroute.formats._parse_csv_instance import parse_customers
from splitroute.formats._parse_csv_solution import parse_visits
from splitroute.formats._workbook import Workbook
from splitroute.instance import Instance
from splitroute.instance.rules import RULES

__all__ = ["CAPABILITIES", "dump_instance", "dump_solution", "parse_instance", "parse_solution"]

CAPABILITIES = Capabilities(
    instance_suffixes=WORKBOOK_SUFFIXES,
    solution_suffixes=(".xlsx",),
    read_only_suffixes=tuple(suffix for suffix in WORKBOOK_SUFFIXES if suffix != ".xlsx"),
    is_binary=True,
    accepts_depot=True,
    accepts_tables=True,
    instance_rules=frozenset(RULES) - {"durations"},
    holds_vehicles=True,
    holds_date=True,
)


def parse_instance(data: bytes, options: ReadOptions) -> Instance:
    """Return the instance; the options override what the workbook states."""
    workbook = Workbook(data, options.name)
    title = workbook.choose(options.sheet)
    used = {title}
    if options.fleet is None and (vehicles := workbook.find("vehicles")) not in (None, title):
        options = replace(options, fleet=workbook.sheet(vehicles))
        used.add(vehicles)
    if options.depots is None and options.depot is None:
        depots = workbook.find("depots")
        if depots not in (None, title):
            options = replace(options, depots=workbook.sheet(depots))
            used.add(depots)
    instance = parse_customers(workbook.sheet(title), options)
    if options.sheet is None:
        workbook.warn_about_unused(used)
    return instance


def parse_solution(data: bytes, instance: Instance, name: str) -> ParsedSolution:
    """Return the solution in the sheet called stops, or in the first."""
    workbook = Workbook(data, name)
    return parse_visits(workbook.sheet(workbook.find("stops") or workbook.titles[0]), instance)
