"""The features of a GeoJSON file as rows of a table of customers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from splitroute.formats._decimals import NumberText
from splitroute.formats._errors import SheetRow
from splitroute.formats._numbers import format_float


class FeatureRow(SheetRow):
    """A feature, used as a line of a table."""

    def cell(self, field: str | None) -> str:
        """Path of a property or of the feature: `features[3].demand`, counted from 0."""
        return f"features[{int(self) - 1}]" + (f".{field}" if field else "")


@dataclass(frozen=True)
class Features:
    """Points of a GeoJSON file, and the name of the file for messages."""

    name: str
    axes: tuple[str, str]  # of the coordinates: lon and lat, or x and y
    members: Mapping[str, Any]  # of the collection
    points: Mapping[int, tuple[dict[str, Any], list[float]]]  # properties and place, by index


class FeatureRows:
    """The properties of points below the titles of their columns; members are settings."""

    separator = ""
    header_line = FeatureRow(0, "", {})

    def __init__(self, source: Features) -> None:
        self._source = source
        self.columns: dict[str, int] = {}
        names: dict[str, None] = {}
        for properties, _ in source.points.values():
            names.update(dict.fromkeys(properties))
        self.titles = [*source.axes, *names]
        self.comments = [
            (self.header_line, [name, to_text(value)]) for name, value in source.members.items()
        ]

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        """Feature and cells of each point."""
        names = self.titles[2:]
        for index, (properties, place) in self._source.points.items():
            cells = [to_text(value) for value in (*place, *map(properties.get, names))]
            yield FeatureRow(index + 1, "", self.columns), cells


def to_text(value: Any) -> str:
    """A value as the parsers of tables expect it; nothing for lists and objects."""
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return value.strip()
        case int():
            return NumberText(value)
        case float():
            return NumberText(format_float(value))
        case _:
            return ""
