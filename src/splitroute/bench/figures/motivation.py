"""The paper's two motivating pictures: the routes of one instance under each rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from splitroute.bench.figures import canvas
from splitroute.bench.records import Record
from splitroute.bench.results import Runs
from splitroute.bench.solutions import best_by, places_of, solution_of
from splitroute.distances import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "The same instance under each method"
CAPTION = "The best routes of each method on p04_3070 and SD6, with their cost and time."
NEEDS = "records of p04_3070 or SD6 with their solutions"
SHOWN = ("p04_3070", "SD6")
ACROSS = 3


def draw(runs: Runs) -> Figure | None:
    """A small map per instance and method."""
    drawable = _drawable(runs)
    if not drawable:
        return None
    rows = -(-len(drawable) // ACROSS)
    figure, axes = canvas(rows, ACROSS, size=(9.0, 3.1 * rows))
    for each in axes:
        each.set_axis_off()
    for each, ((name, method), (record, xy)) in zip(axes, drawable.items(), strict=False):
        for route in solution_of(record).routes:
            stops = [0, *(visit.customer for visit in route.visits), 0]
            each.plot(xy[stops, 0], xy[stops, 1], linewidth=0.6)
        each.plot(xy[1:, 0], xy[1:, 1], linestyle="", marker=".", markersize=2, color="#666666")
        each.plot(*xy[0], marker="s", markersize=4, color="#888888")
        each.set_aspect("equal")
        words = f"{name}, {method}\n{record['cost']:,.2f} in {record['seconds'] or 0:.1f} s"
        each.set_title(words, fontsize=7)
    return figure


def left_out(runs: Runs) -> list[str]:
    """The maps that are missing."""
    drawn = _drawable(runs)
    known = {record["instance"] for record in runs.records}
    return [
        f"{method} on {name} (no routes in the records)"
        for name in SHOWN
        for method in runs.methods
        if name in known and (name, method) not in drawn
    ]


def _drawable(runs: Runs) -> dict[tuple[str, str], tuple[Record, Floats]]:
    """By instance and method, the best record and the places in it."""
    shown = (record for record in runs.records if record["instance"] in SHOWN)
    best = best_by(shown, lambda r: (r["instance"], runs.label(r)))
    order = [(name, method) for name in SHOWN for method in runs.methods]
    return {
        key: (best[key], xy)
        for key in order
        if key in best and (xy := places_of(best[key])) is not None
    }
