"""Downloads: a solution in one of the file formats, or as a picture."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from splitroute import formats
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.plots.routes import draw_routes
from splitroute.registry import load
from splitroute.solution import Solution

Kind = Literal["json", "csv", "xlsx", "txt", "geojson", "gpx", "png", "html", "sheets"]
# Excel reads a CSV without a byte order mark as Windows-1252.
ENCODINGS = {"csv": "utf-8-sig"}


@dataclass(frozen=True)
class FileType:
    """How a solution is written and sent."""

    media_type: str
    suffix: str
    format: str | None  # None: a picture


TYPES: dict[Kind, FileType] = {
    "json": FileType("application/json", "json", "json"),
    "csv": FileType("text/csv; charset=utf-8", "csv", "csv"),
    "xlsx": FileType(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx", "workbook"
    ),
    "txt": FileType("text/plain; charset=utf-8", "txt", "dimacs"),
    "geojson": FileType("application/geo+json", "geojson", "geojson"),
    "gpx": FileType("application/gpx+xml", "gpx", "gpx"),
    "png": FileType("image/png", "png", None),
    "html": FileType("text/html; charset=utf-8", "html", "html"),
    "sheets": FileType("text/html; charset=utf-8", "html", "sheets"),
}
# For the OpenAPI description.
CONTENT: dict[str, Any] = {
    file_type.media_type.partition(";")[0]: {} for file_type in TYPES.values()
}


def dump(kind: Kind, instance: Instance, solution: Solution) -> bytes:
    """Return the content of the file; raise if it cannot hold the solution."""
    name = TYPES[kind].format
    if name is not None:
        path = Path(f"routes.{TYPES[kind].suffix}")
        formats.check_output_format("solution", path, name, instance=instance)
        content = load(formats, name).dump_solution(instance, solution)
        is_text = isinstance(content, str)
        return bytes(content.encode(ENCODINGS.get(name, "utf-8")) if is_text else content)
    if not instance.places:
        message = "the instance has no coordinates; there is nothing to draw"
        raise InputError(message, field="places")
    picture = io.BytesIO()
    draw_routes(instance, solution).savefig(picture, format="png", dpi=150)
    return picture.getvalue()
