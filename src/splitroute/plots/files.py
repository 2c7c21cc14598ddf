"""Plot files: PNG, SVG and PDF."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from splitroute.errors import InputError
from splitroute.files import write_bytes
from splitroute.registry import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
DPI = 150


def check_plot_path(path: Path) -> None:
    """Raise InputError unless a plot can be saved in the format of the suffix."""
    require("matplotlib", "plot")
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"unknown plot format {path.suffix!r}; known: {', '.join(SUFFIXES)}",
            field="path",
            file=str(path),
            value=path.suffix,
        )


def new_figure(**options: Any) -> Figure:
    """Return an empty figure that notebooks show.

    It is not one of pyplot, which would keep it in memory and show it twice.
    """
    from matplotlib.figure import Figure

    class NotebookFigure(Figure):
        def _repr_png_(self) -> bytes:
            return _rendered(self, "png")

    return NotebookFigure(**options)


def save_figure(figure: Figure, file: Path | BinaryIO) -> None:
    """Save a figure in the format of the suffix; into a stream as PNG."""
    if isinstance(file, Path):
        write_bytes(file, _rendered(figure, file.suffix[1:].lower()))
    else:
        file.write(_rendered(figure, "png"))


def _rendered(figure: Figure, format: str) -> bytes:
    data = io.BytesIO()
    figure.savefig(data, format=format, dpi=DPI)
    return data.getvalue()
