"""The features of a GeoJSON file as rows of a table of customers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from splitroute.formats._columns import simplified
from splitroute.formats._decimals import NumberText
from splitroute.formats._errors import ErrorCollector, SheetRow
from splitroute.formats._numbers import format_float
from splitroute.formats._words import SETTING_NAMES

EXPECTED = "it must be a text or a number"


class FeatureRow(SheetRow):
    """A feature, used as a line of a table."""

    def cell(self, field: str | None) -> str:
        """Path of a property or of the feature: `features[3].demand`, counted from 0."""
        feature = f"features[{int(self) - 1}]" if self > 0 else "features"  # the header: all
        return feature + (f".{field}" if field and self > 0 else "")


@dataclass(frozen=True)
class Features:
    """Points of a GeoJSON file, and the name of the file for messages."""

    name: str
    axes: tuple[str, str]  # of the coordinates: lon and lat, or x and y
    members: Mapping[str, Any]  # of the collection, without those of GeoJSON
    points: Mapping[int, tuple[dict[str, Any], list[float]]]  # properties and place, by index


class FeatureRows:
    """The properties of points below the titles of their columns; members are settings."""

    separator = ""
    header_line = FeatureRow(-1, "", {})

    def __init__(self, source: Features, errors: ErrorCollector) -> None:
        self._source, self._errors = source, errors
        self.columns: dict[str, int] = {}
        names: dict[str, None] = {}
        for properties, _ in source.points.values():
            names.update(dict.fromkeys(properties))
        self.titles = [*source.axes, *names]
        self.comments: list[tuple[int, list[str]]] = []
        for name, value in source.members.items():
            text = to_text(value)
            if text is None and simplified(name) in SETTING_NAMES:
                errors.add(f"{name} is {_kind(value)}; {EXPECTED}", field=name, value=value)
            else:
                self.comments.append(
                    (self.header_line, [name, _kind(value) if text is None else text])
                )

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        """Feature and cells of each point."""
        names = self.titles[2:]
        keys = {self.titles[index]: key for key, index in self.columns.items()}
        for index, (properties, place) in self._source.points.items():
            line = FeatureRow(index + 1, "", self.columns)
            texts = [to_text(value) for value in (*place, *map(properties.get, names))]
            for title, text in zip(self.titles, texts, strict=True):
                if text is None and title in keys:
                    value = properties[title]
                    message = f"{title} is {_kind(value)}; {EXPECTED}"
                    self._errors.add(message, line, field=keys[title], value=value)
            yield line, [text or "" for text in texts]


def to_text(value: Any) -> str | None:
    """A value as the parsers of tables expect it; None for objects and other lists."""
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return value.strip()
        case int():
            return NumberText(value)
        case float():
            return NumberText(format_float(value))
        case [_, *_] if all(isinstance(part, str) for part in value):
            return "|".join(value)
        case _:
            return "" if value is None else None


def _kind(value: Any) -> str:
    return "a list" if isinstance(value, list) else "an object"
