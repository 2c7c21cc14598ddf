"""The line of a VRPLIB file that an error about its instance refers to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from splitroute.errors import InputError
from splitroute.formats._tsplib import Parts
from splitroute.formats._vrplib_vehicles import CAPACITY, LIMITS

# Sections with a row per node, by field; the demand stands for what has no section.
NODE_SECTIONS = {"windows": "TIME_WINDOW", "service": "SERVICE_TIME"}
VEHICLE_PARTS = {field: name for name, field in LIMITS.items()}


@contextmanager
def located(
    parts: Parts, file: str, customers: Sequence[int], depots: Sequence[int]
) -> Iterator[None]:
    """Add file and line to an error about a customer, depot or vehicle type.

    `customers` and `depots` are indices of nodes.
    """
    try:
        yield
    except InputError as error:
        if error.owner is not None:
            kind, index = error.owner
            field = error.field or ""
            nodes = {"customers": customers, "depots": depots}
            error.file = file
            if kind in nodes:
                error.line = _node_line(parts, nodes[kind][index] + 1, field)
            else:
                error.line = _vehicle_line(parts, field)
        raise


def _node_line(parts: Parts, node: int, field: str) -> int | None:
    for name in (NODE_SECTIONS.get(field), "DEMAND"):
        if name in parts.sections:
            for line, words in parts.sections[name].rows():
                if words[0] == str(node):
                    return line
    return None


def _vehicle_line(parts: Parts, field: str) -> int | None:
    """The line of a keyword, or of the heading of a section."""
    limits = ("DISTANCE",) if field in ("max_distance", "max_duration") else ()
    for name in (VEHICLE_PARTS.get(field, CAPACITY), *limits, CAPACITY):
        if name in parts.keywords:
            return parts.keywords[name][1]
        if name in parts.sections:
            return parts.sections[name].line
    return None
