"""Gap over time, with a band over the seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from splitroute.bench.figures import canvas, colour, line
from splitroute.bench.omissions import instances, no_gap
from splitroute.bench.results import Runs
from splitroute.plots.axes import plain_log

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Gap to best known over time"
CAPTION = (
    "Mean gap to best known of the best answer so far, over the instances that all methods have; "
    "the band goes from the best to the worst seed. A line begins when every run has "
    "its first answer."
)
NEEDS = "methods that say how they went on, with an instance in common"
POINTS = 160

Traces = dict[tuple[str, str, int], list[tuple[float, float]]]  # by set, instance and seed


def draw(runs: Runs) -> Figure | None:
    """One line per method that has traces."""
    traced = _traced(runs)
    common = _common(traced)
    if not common:
        return None
    longest = max(t[-1][0] for found in traced.values() for t in found.values())
    times = np.geomspace(0.05, max(longest, 0.1), POINTS)
    figure, (axes,) = canvas()
    lowest = []
    for method, found in traced.items():
        by_seed: dict[int, list[np.ndarray]] = {}
        for (where, name, seed), trace in found.items():
            if (where, name) in common:
                target = runs.target(where, name)
                assert target is not None
                by_seed.setdefault(seed, []).append(100 * (_steps(trace, times) / target - 1))
        curves = np.array([np.mean(gaps, axis=0) for gaps in by_seed.values()])
        lowest.append(float(curves[:, -1].min()))
        axes.plot(times, curves.mean(axis=0), **line(runs, method, POINTS))
        if len(curves) > 1:
            low, high = curves.min(axis=0), curves.max(axis=0)
            axes.fill_between(times, low, high, color=colour(runs, method), alpha=0.2, linewidth=0)
    plain_log(axes, "x")
    axes.set_yscale("symlog", linthresh=0.1)
    axes.set_ylim(bottom=min(0.0, *lowest))
    axes.set_xlabel("seconds")
    axes.set_ylabel("mean gap to best known, %")
    axes.legend(fontsize=8, frameon=False)
    return figure


def left_out(runs: Runs) -> list[str]:
    """Methods that do not say how they went on, and instances that not all others have."""
    traced = _traced(runs)
    common = _common(traced)
    silent = [f"{m} (no costs over time)" for m in runs.methods if m not in traced]

    def why(where: str, name: str) -> str:
        reason = no_gap(runs, where, name, traced) or "not every method has costs over time"
        return "" if (where, name) in common else reason

    return [*silent, *instances(runs, why)]


def _traced(runs: Runs) -> dict[str, Traces]:
    return {method: found for method in runs.answering if (found := _traces(runs, method))}


def _common(traced: dict[str, Traces]) -> set[tuple[str, str]]:
    """The instances that all of these methods have."""
    each = [{key[:2] for key in found} for found in traced.values()]
    return set.intersection(*each) if each else set()


def _traces(runs: Runs, method: str) -> Traces:
    found = {}
    for record in runs.records:
        where, name = record.get("set") or "", record["instance"]
        if runs.label(record) == method and record.get("trace") and runs.target(where, name):
            found[where, name, record["seed"]] = record["trace"]
    return found


def _steps(trace: list[tuple[float, float]], times: np.ndarray) -> np.ndarray:
    """The best cost so far at each of the times; not a number before the first."""
    seconds, costs = np.array(trace, dtype=float).T
    at = np.searchsorted(seconds, times, side="right") - 1
    return np.where(at >= 0, costs[np.maximum(at, 0)], np.nan)
