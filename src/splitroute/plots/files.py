"""Plot files: PNG, SVG and PDF."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

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


def save_figure(figure: Figure, path: Path) -> None:
    """Save a figure in the format of the suffix."""
    data = io.BytesIO()
    figure.savefig(data, format=path.suffix[1:].lower(), dpi=DPI)
    write_bytes(path, data.getvalue())
