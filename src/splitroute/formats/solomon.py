"""Solomon's format for instances with time windows (.txt): VEHICLE, CUSTOMER, and one row each.

M. M. Solomon, Algorithms for the vehicle routing and scheduling problems with time window
constraints, Operations Research 35 (1987). The first row of the customers is the depot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from splitroute.formats import Capabilities, ReadOptions
from splitroute.formats._errors import ErrorCollector, input_error
from splitroute.formats._nodes import Node, check_metric, parse_node
from splitroute.formats._numbers import Field, Quantities, excerpt, parse_count
from splitroute.formats._records import located
from splitroute.formats._tsplib import Section
from splitroute.instance import Depot, Instance

COLUMNS = ("number", "x", "y", "demand", "open", "close", "service")
MAX_HEADER = 2000  # characters that must contain both headings
MAX_HEADER_ROWS = 20  # above each of them
HEADINGS = re.compile(r"^\s*VEHICLE\s*$(?s:.*?)^\s*CUSTOMER\s*$", re.MULTILINE | re.IGNORECASE)
CUSTOMER_ROW = re.compile(r"^\s*\d+(?:\s+[-+.\dEe]+){6}\s*$", re.MULTILINE | re.ASCII)


Row = tuple[int, list[str]]  # line and words


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance; its number of vehicles is a limit."""
    check_metric("Solomon's format", options)
    file = options.name
    rows = Section(text, 1).rows()
    title = [words for _, words in _rows_before("VEHICLE", rows, file)]
    limits = [row for row in _rows_before("CUSTOMER", rows, file) if row[1][0].upper() != "NUMBER"]
    if len(limits) != 1 or len(limits[0][1]) != 2:
        message = "below VEHICLE there must be one row: the number of vehicles and the capacity"
        raise input_error(message, file, limits[0][0] if limits else None, field="capacity")
    line, (vehicles, capacity) = limits[0]
    errors = ErrorCollector(file)
    quantities = Quantities(options.unit, errors)
    capacity_line = line if options.capacity is None else None
    quantities.add(str(options.capacity or capacity), Field("capacity", file, capacity_line))
    nodes: list[Node] = []
    for row_line, words in rows:
        if not nodes and words[0].upper() == "CUST":  # the names of the columns
            continue
        with errors:
            nodes.append(_row(words, len(nodes), file, row_line))
            if len(nodes) > 1:
                field = Field("demand", file, row_line, f"customer {words[0]}")
                quantities.add(nodes[-1].demand, field)
    if not nodes:
        errors.add("no row below CUSTOMER; the first must be the depot", field="customers")
    with errors:
        count = parse_count(vehicles, Field("vehicles", file, line))
    unit, (units, *demands) = quantities.to_units()
    depot, *customers = nodes
    with located(customers, [], [depot]):
        return Instance.create(
            units,
            demands,
            [(node.x / options.scale, node.y / options.scale) for node in nodes],
            metric=options.metric,
            name=" ".join(title[0]) if title else options.stem,
            unit=unit,
            vehicles=count,
            depots=[Depot(windows=depot.windows)],
            windows=[node.windows for node in customers],
            service=[node.service for node in customers],
            speed=options.speed,
            partial=options.partial,
        )


def _rows_before(word: str, rows: Iterator[Row], file: str) -> list[Row]:
    """Rows up to the one that consists of this word."""
    before: list[Row] = []
    for line, words in islice(rows, MAX_HEADER_ROWS):
        if [w.upper() for w in words] == [word]:
            return before
        before.append((line, words))
    message = f"no row {word}; a file in Solomon's format has the headings VEHICLE and CUSTOMER"
    raise input_error(message, file, field=word)


def _row(words: list[str], number: int, file: str, line: int) -> Node:
    if len(words) != len(COLUMNS):
        raise input_error(
            f"{len(words)} numbers; a row has {len(COLUMNS)}: {', '.join(COLUMNS)}", file, line
        )
    if words[0] != str(number):
        raise input_error(
            f"found customer {excerpt(words[0])}; expected {number} (0 is the depot)",
            file,
            line,
            field="number",
            value=words[0],
        )
    _, x, y, demand, opening, closing, service = words
    owner = f"customer {number}" if number else "the depot"
    return parse_node(x, y, demand, service, (opening, closing), Field("", file, line, owner))


def _recognizes(text: str) -> bool:
    return HEADINGS.search(text[:MAX_HEADER]) is not None


def _min_customers(text: str) -> int:
    """Number of rows with seven numbers, without the depot."""
    return max(0, sum(1 for _ in CUSTOMER_ROW.finditer(text)) - 1)


CAPABILITIES = Capabilities(
    instance_suffixes=(".txt",), recognizes=_recognizes, min_customers=_min_customers
)
