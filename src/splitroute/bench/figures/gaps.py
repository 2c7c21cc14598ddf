"""The paper's figures of gap and time: one point per instance and method, a pair of plots a set."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any

from splitroute.bench.figures import canvas, colour, mark
from splitroute.bench.omissions import instances, no_gap
from splitroute.bench.references import paper
from splitroute.bench.results import Runs
from splitroute.plots.axes import from_nothing, plain_log

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "Gap to best known and time of each instance"
CAPTION = (
    "Above the gap to best known, below the seconds (logarithmic). Crosses are the paper's own "
    "figures for PASA, where the metric is the paper's."
)
NEEDS = "records of at least one instance"


def draw(runs: Runs) -> Figure | None:
    """Gap above, seconds below, for each set."""
    sets = {where: names for where, names in runs.sets.items() if names}
    if not sets:
        return None
    figure, axes = canvas(2 * len(sets), 1, size=(9.0, 4.6 * len(sets)))
    for k, (where, names) in enumerate(sets.items()):
        _plot(runs, where, names, axes[2 * k], axes[2 * k + 1])
    axes[0].legend(fontsize=7, ncols=3, frameon=False, loc="lower left", bbox_to_anchor=(0, 1.08))
    return figure


def left_out(runs: Runs) -> list[str]:
    """Where points are missing."""
    return instances(runs, partial(no_gap, runs))


def _plot(runs: Runs, where: str, names: list[str], gaps: Axes, times: Axes) -> None:
    def points(axes: Axes, values: Iterable[float | None], **style: Any) -> None:
        known = [nan if value is None else value for value in values]
        axes.plot(range(len(names)), known, linestyle="", **style)

    for method in runs.methods:
        style = {"marker": mark(runs, method), "color": colour(runs, method), "markersize": 4}
        cells = [runs.cell(where, name, method) for name in names]
        points(gaps, (runs.gap(where, name, method) for name in names), label=method, **style)
        points(times, (cell.time if cell else None for cell in cells), **style)
    if runs.metric == "exact":
        printed = [paper().get((where, name)) for name in names]
        cross = {"marker": "x", "color": "#888888", "markersize": 5}
        rows = [(p, runs.target(where, name)) for p, name in zip(printed, names, strict=True)]
        values = (p.gap_to(to, p.pasa_gap) if p else None for p, to in rows)
        points(gaps, values, label="paper: PASA", **cross)
        points(times, (p.pasa_seconds if p else None for p in printed), **cross)
    gaps.set_title(where or "instances", fontsize=9, loc="left")
    gaps.set_ylabel("gap to best known, %")
    from_nothing(gaps)
    gaps.set_xticks([])
    times.set_ylabel("seconds")
    plain_log(times, "y")
    times.set_xticks(range(len(names)), names, rotation=90, fontsize=6)
