"""What the points of a figure stand for, so that a page can name values and hide methods."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS_PER_INCH = 72  # the unit of SVG files by matplotlib
MARK = re.compile(r'id="method-(\d+)-\d+"')

Point = tuple[float, float, str, str]  # position in the picture, and the values there


@dataclass(frozen=True)
class Series:
    """A curve or cloud of points; the method is an index, if it is one."""

    name: str
    method: int | None
    label: str  # of the second value
    points: list[Point]


def mark_methods(figure: Figure, methods: Sequence[str]) -> None:
    """Mark all that belongs to a method, for `marked_svg`; labels may begin with an underscore."""
    number = 0
    for axes in figure.axes:
        parts = [(a, str(a.get_label()).removeprefix("_")) for a in _artists(axes)]
        if legend := axes.get_legend():
            texts = legend.get_texts()
            for handle, text in zip(legend.legend_handles, texts, strict=True):
                parts += [(handle, text.get_text()), (text, text.get_text())]
        for artist, label in parts:
            if label in methods and artist is not None:
                artist.set_gid(f"method-{methods.index(label)}-{number}")
                number += 1


def marked_svg(svg: str) -> str:
    """Return an SVG with the marks as attributes that a page can look for."""
    return MARK.sub(r'data-method="\1"', svg)


def series_of(figure: Figure, methods: Sequence[str]) -> list[dict[str, Any]]:
    """Return the series of a figure that has been drawn."""
    from matplotlib.collections import PathCollection
    from matplotlib.lines import Line2D

    height = figure.get_figheight() * POINTS_PER_INCH
    found = []
    for axes in figure.axes:
        for artist in _artists(axes):
            label = str(artist.get_label())
            if label.startswith("_") and label[1:] not in methods:
                continue
            if isinstance(artist, Line2D):
                values = np.asarray(artist.get_xydata(), dtype=float)
            elif isinstance(artist, PathCollection):
                values = np.asarray(artist.get_offsets(), dtype=float)
            else:  # a band or a cell
                continue
            pixels = axes.transData.transform(values)
            positions = pixels * POINTS_PER_INCH / figure.dpi
            points: list[Point] = [
                (round(px, 1), round(height - py, 1), _place(axes, x), f"{y:.4g}")
                for (px, py), (x, y) in zip(positions.tolist(), values.tolist(), strict=True)
                if math.isfinite(px) and math.isfinite(py)
            ]
            name = label.removeprefix("_")
            method = methods.index(name) if name in methods else None
            if points:
                found.append(asdict(Series(name, method, axes.get_ylabel(), points)))
    return found


def _artists(axes: Axes) -> Iterator[Any]:
    """Lines, and collections of points, bands and cells."""
    yield from axes.lines
    yield from axes.collections


def _place(axes: Axes, x: float) -> str:
    """The first value with the label of its axis, which may have names instead of numbers."""
    name = axes.fmt_xdata  # what matplotlib itself shows at the pointer
    return name(x) if name else f"{axes.get_xlabel()}: {x:.4g}"
