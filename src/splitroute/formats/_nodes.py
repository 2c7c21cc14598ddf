"""Rows with a place, a demand, a service time and a time window, as benchmark formats have them."""

from __future__ import annotations

from typing import NamedTuple

from splitroute.formats import ReadOptions
from splitroute.formats._errors import input_error
from splitroute.formats._numbers import Field, parse_coordinate
from splitroute.instance import Windows


class Node(NamedTuple):
    """A depot or a customer; its demand is still a text."""

    x: float
    y: float
    demand: str
    service: float
    windows: Windows
    source: Field  # of its row, for errors about its rules


def parse_node(
    x: str, y: str, demand: str, service: str, window: tuple[str, str] | None, owner: Field
) -> Node:
    """Return a node; `owner` is a field with its file, line and owner."""
    return Node(
        parse_coordinate(x, owner.named("x")),
        parse_coordinate(y, owner.named("y")),
        demand,
        parse_duration(service, owner.named("service")),
        (parse_window(*window, owner),) if window else (),
        owner,
    )


def parse_duration(text: str, field: Field) -> float:
    """Return a number of at least 0."""
    value = parse_coordinate(text, field)
    if value < 0:
        raise field.error(text, "it must be at least 0")
    return value


def parse_window(opening: str, closing: str, owner: Field) -> tuple[float, float]:
    """Return the two ends of a time window."""
    start = parse_coordinate(opening, owner.named("open"))
    field = owner.named("close")
    end = parse_coordinate(closing, field)
    if end < start:
        raise field.error(closing, f"it must not be before open, {opening}", field="windows")
    return start, end


def check_metric(format: str, options: ReadOptions) -> None:
    """Raise unless the metric of the options is one of points in the plane."""
    if options.metric in ("haversine", "matrix"):
        raise input_error(
            f"metric {options.metric!r} does not match {format}, which has x and y",
            options.name,
            field="metric",
            value=options.metric,
        )
