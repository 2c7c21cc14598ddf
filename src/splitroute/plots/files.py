"""Plot files: PNG, SVG and PDF."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

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


def save_figure(figure: Figure, file: Path | BinaryIO) -> None:
    """Save a figure in the format of the suffix; into a stream as PNG."""
    data = io.BytesIO()
    suffix = file.suffix.lower() if isinstance(file, Path) else ".png"
    figure.savefig(data, format=suffix[1:], dpi=DPI)
    if isinstance(file, Path):
        write_bytes(file, data.getvalue())
    else:
        file.write(data.getvalue())
