"""Cordeau's format (.txt): `type m n t`, a row `D Q` per depot, and a row per node.

J.-F. Cordeau, M. Gendreau, G. Laporte, A tabu search heuristic for periodic and multi-depot
vehicle routing problems, Networks 30 (1997). There are m vehicles at each of t depots. D is the
maximum duration of a route, Q its maximum load. A node is

    i x y d q f a list e l

with service time d, demand q, frequency f, a list of a visit combinations, and in types with
windows the times e and l. The depot comes first; several depots come last.
"""

from __future__ import annotations

import re
from itertools import islice

from splitroute.errors import InputError
from splitroute.formats import Capabilities, ReadOptions
from splitroute.formats._errors import ErrorCollector, input_error
from splitroute.formats._nodes import Node, check_metric, parse_duration, parse_node
from splitroute.formats._numbers import Field, Quantities, excerpt, parse_count
from splitroute.formats._records import Record, located
from splitroute.formats._tsplib import Section
from splitroute.instance import Depot, Instance, VehicleType

TYPES = ("VRP", "PVRP", "MDVRP", "SDVRP", "VRPTW", "PVRPTW", "MDVRPTW", "SDVRPTW")  # 0 to 7
SUPPORTED = ("VRP", "MDVRP", "VRPTW", "MDVRPTW")
HEADER = re.compile(r"\s*[0-7][ \t]+\d{1,9}[ \t]+(\d{1,9})[ \t]+\d{1,9}[ \t\r]*(?:\n|$)", re.ASCII)
MIN_COLUMNS = 7  # of a node: without visit combinations and window

Row = tuple[int, list[str]]  # line and words


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance; types of vehicles are called from1, from2, ... by their depots."""
    check_metric("Cordeau's format", options)
    return _Builder(text, options).build()


class _Builder:
    def __init__(self, text: str, options: ReadOptions) -> None:
        self._options, self._file = options, options.name
        self._errors = ErrorCollector(options.name)
        self._rows = Section(text, 1).rows()
        line, words = next(self._rows, (1, []))
        if len(words) != 4:
            raise input_error(
                f"found {excerpt(' '.join(words))!r}; the first row must be the type, and the "
                "numbers of vehicles, customers and depots",
                self._file,
                line,
            )
        fields = (Field(name, self._file, line) for name in ("type", "m", "n", "t"))
        kind, *counts = map(parse_count, words, fields, (0, 1, 0, 1))
        self._kind = TYPES[kind] if kind < len(TYPES) else words[0]
        if self._kind not in SUPPORTED:
            known = ", ".join(f"{TYPES.index(name)} ({name})" for name in SUPPORTED)
            raise Field("type", self._file, line).error(self._kind, f"supported: {known}")
        self._vehicles, self._customers, depots = counts
        self._has_depots = "MD" in self._kind
        if not self._has_depots and depots != 1:
            raise Field("t", self._file, line).error(words[3], f"{self._kind} has 1 depot")
        self._depots = depots
        expected = 1 + 2 * depots + self._customers
        # Counted before they are kept: a wrong file may hold millions.
        found = sum(1 for _ in islice(Section(text, 1).rows(), expected + 1))
        if found != expected:
            count = f"more than {expected}" if found > expected else str(found)
            raise input_error(
                f"{count} rows; {depots} depots and {self._customers} customers need "
                f"{expected}: 1 + {depots} + {depots + self._customers}",
                self._file,
                line,
            )

    def build(self) -> Instance:
        quantities = Quantities(self._options.unit, self._errors)
        rows = islice(self._rows, self._depots)
        limits = [self._limit(row, k, quantities) for k, row in enumerate(rows, 1)]
        nodes = []
        first = 1 if self._has_depots else 0
        for number, (line, words) in enumerate(self._rows, first):
            with self._errors:
                nodes.append(self._node(words, number, line))
                if 1 <= number <= self._customers:
                    field = Field("demand", self._file, line, f"customer {number}")
                    quantities.add(nodes[-1].demand, field)
        unit, amounts = quantities.to_units()
        capacities, demands = amounts[: self._depots], amounts[self._depots :]
        if self._has_depots:
            customers, depots = nodes[: self._customers], nodes[self._customers :]
        else:
            depots, customers = nodes[:1], nodes[1:]
        ids = [f"depot{k}" for k in range(1, self._depots + 1)] if len(depots) > 1 else ["depot"]
        scale = self._options.scale
        fleet = [
            VehicleType(f"from{k}", capacity, self._vehicles, id, **limit.values)
            for k, (capacity, id, limit) in enumerate(zip(capacities, ids, limits, strict=True), 1)
        ]
        with located(customers, limits, depots):
            return Instance.create(
                None,
                demands,
                [(node.x / scale, node.y / scale) for node in (*depots, *customers)],
                metric=self._options.metric,
                name=self._options.stem,
                unit=unit,
                vehicles=fleet,
                depots=[
                    Depot(id, windows=node.windows) for id, node in zip(ids, depots, strict=True)
                ],
                windows=[node.windows for node in customers],
                service=[node.service for node in customers],
                speed=self._options.speed,
                partial=self._options.partial,
            )

    def _limit(self, row: Row, depot: int, quantities: Quantities) -> Record:
        """Maximum duration of routes from a depot; their maximum load is a quantity."""
        line, words = row
        source = Field("", self._file, line, f"depot {depot}")
        limit = Record({}, source=source)
        if len(words) != 2:
            message = (
                f"{len(words)} numbers; {source.owner} has 2: maximum duration and load of a route"
            )
            self._errors.add(message, line)
            return limit
        capacity = words[1] if self._options.capacity is None else str(self._options.capacity)
        quantities.add(capacity, source.named("capacity"))
        with self._errors:
            duration = parse_duration(words[0], source.named("max_duration"))
            limit.values["max_duration"] = duration or None
        return limit

    def _node(self, words: list[str], number: int, line: int) -> Node:
        is_customer = 1 <= number <= self._customers
        owner = f"customer {number}" if is_customer else "the depot"
        if len(words) < MIN_COLUMNS:
            raise self._error(f"{len(words)} numbers; a row has at least {MIN_COLUMNS}", line)
        if words[0] != str(number):
            raise self._error(f"found node {excerpt(words[0])}; expected node {number}", line)
        _, x, y, service, demand, frequency, combinations = words[:MIN_COLUMNS]
        field = Field("combinations", self._file, line, owner)
        count = parse_count(combinations, field, 0)
        window = words[MIN_COLUMNS + count :]
        if len(window) != (2 if "TW" in self._kind else 0):
            end = "and a window, e and l" if "TW" in self._kind else "and no window"
            raise self._error(
                f"{len(words)} numbers; {owner} has {MIN_COLUMNS}, {count} visit combinations, "
                f"{end}",
                line,
            )
        if is_customer:
            self._check_visits(frequency, count, Field("", self._file, line, owner))
        return parse_node(
            x, y, demand, service, (window[0], window[1]) if window else None,
            Field("", self._file, line, owner),
        )  # fmt: skip

    def _check_visits(self, frequency: str, count: int, owner: Field) -> None:
        """Raise if a customer is to be visited more than once, or from some depots only."""
        if frequency != "1":
            field = owner._replace(name="frequency")
            raise field.error(frequency, "it must be 1; periodic instances are not supported")
        if count != self._depots:
            field = owner._replace(name="combinations")
            allowed = f"it must be {self._depots}, the number of depots; others are not supported"
            raise field.error(str(count), allowed)

    def _error(self, message: str, line: int) -> InputError:
        return input_error(message, self._file, line)


def _recognizes(text: str) -> bool:
    return HEADER.match(text) is not None


def _min_customers(text: str) -> int:
    """The number of customers in the first row."""
    match = HEADER.match(text)
    return int(match[1]) if match else 0


CAPABILITIES = Capabilities(
    instance_suffixes=(".txt",), recognizes=_recognizes, min_customers=_min_customers
)
