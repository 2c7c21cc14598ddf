"""Gap to best known and time per instance, as in the paper: a pair of plots per set."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any

from splitroute.bench.figures import colour, marker, new_figure
from splitroute.bench.omissions import group_by_reason, missing_gaps
from splitroute.bench.paper import paper
from splitroute.bench.results import Results
from splitroute.plots.axes import set_gap_scale, set_log_scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "Gap to best known and time per instance"
CAPTION = (
    "Gap to best known above, seconds (logarithmic) below. Crosses: the paper's own figures for "
    "PASA, in the paper's metric only."
)
REQUIRES = "records of at least one instance"


def draw(results: Results) -> Figure | None:
    """Plot gaps and seconds of each set."""
    sets = {set_name: names for set_name, names in results.sets.items() if names}
    if not sets:
        return None
    figure, axes = new_figure(2 * len(sets), 1, size=(9.0, 4.6 * len(sets)))
    for k, (set_name, names) in enumerate(sets.items()):
        _draw_set(results, set_name, names, axes[2 * k], axes[2 * k + 1])
    axes[0].legend(fontsize=7, ncols=3, frameon=False, loc="lower left", bbox_to_anchor=(0, 1.08))
    return figure


def omitted(results: Results) -> list[str]:
    """List the instances that lack points."""
    return group_by_reason(results, partial(missing_gaps, results))


def _draw_set(results: Results, set_name: str, names: list[str], gaps: Axes, times: Axes) -> None:
    def plot(axes: Axes, values: Iterable[float | None], **style: Any) -> None:
        points = [nan if value is None else value for value in values]
        axes.plot(range(len(names)), points, linestyle="", **style)

    for method in results.methods:
        style = {
            "marker": marker(results, method), "color": colour(results, method), "markersize": 4
        }  # fmt: skip
        cells = [results.cell(set_name, name, method) for name in names]
        plot(gaps, (results.gap(set_name, name, method) for name in names), label=method, **style)
        seconds = (cell.mean_seconds if cell else None for cell in cells)
        plot(times, seconds, label=f"_{method}", **style)
    if results.metric == "exact":
        rows = [paper().get((set_name, name)) for name in names]
        cross = {"marker": "x", "color": "#888888", "markersize": 5}
        references = [results.reference_value(set_name, name) for name in names]
        values = (
            row.gap_to(reference, row.pasa_gap) if row else None
            for row, reference in zip(rows, references, strict=True)
        )
        plot(gaps, values, label="paper: PASA", **cross)
        plot(times, (row.pasa_seconds if row else None for row in rows), **cross)
    for axes in (gaps, times):
        axes.fmt_xdata = lambda x: names[round(x)]  # at the pointer
    gaps.set_title(set_name or "instances", fontsize=9, loc="left")
    gaps.set_ylabel("gap to best known, %")
    set_gap_scale(gaps)
    gaps.set_xticks([])
    times.set_ylabel("seconds")
    set_log_scale(times, "y")
    times.set_xticks(range(len(names)), names, rotation=90, fontsize=6)
