"""The paper's motivating example: the routes of one instance under each method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from splitroute.bench.figures import new_figure
from splitroute.bench.records import Record
from splitroute.bench.results import Results
from splitroute.bench.solutions import best_by, points_of, solution_of
from splitroute.distances import Floats
from splitroute.plots.routes import draw_thumbnail

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Routes of the same instance under each method"
CAPTION = "The best routes of each method on p04_3070 and SD6, with cost and time."
REQUIRES = "records of p04_3070 or SD6 with their solutions"
INSTANCES = ("p04_3070", "SD6")
COLUMNS = 3


def draw(results: Results) -> Figure | None:
    """Draw a small map per instance and method."""
    drawable = _drawable(results)
    if not drawable:
        return None
    rows = -(-len(drawable) // COLUMNS)
    figure, panels = new_figure(rows, COLUMNS, size=(9.0, 3.1 * rows))
    for axes in panels:
        axes.set_axis_off()
    for axes, ((name, method), (record, points)) in zip(panels, drawable.items(), strict=False):
        draw_thumbnail(axes, points, solution_of(record))
        title = f"{name}, {method}\n{record['cost']:,.2f} in {record['seconds'] or 0:.1f} s"
        axes.set_title(title, fontsize=7)
    return figure


def omitted(results: Results) -> list[str]:
    """List the maps that are missing."""
    drawable = _drawable(results)
    recorded = {record["instance"] for record in results.records}
    return [
        f"{method} on {name} (no routes in the records)"
        for name in INSTANCES
        for method in results.methods
        if name in recorded and (name, method) not in drawable
    ]


def _drawable(results: Results) -> dict[tuple[str, str], tuple[Record, Floats]]:
    """Return the best record and its coordinates by instance and method."""
    records = (record for record in results.records if record["instance"] in INSTANCES)
    best = best_by(records, lambda r: (r["instance"], results.label(r)))
    keys = [(name, method) for name in INSTANCES for method in results.methods]
    return {
        key: (best[key], points)
        for key in keys
        if key in best and (points := points_of(best[key])) is not None
    }
