"""Gap to best known over time, with a band over the seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from splitroute.bench.figures import colour, line_style, new_figure
from splitroute.bench.omissions import group_by_reason, missing_gaps
from splitroute.bench.results import Results, instance_key
from splitroute.plots.axes import set_log_scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Gap to best known over time"
CAPTION = (
    "Mean gap to best known of the best solution so far, over common instances; the band spans the "
    "seeds. A line begins when every run has its first solution."
)
REQUIRES = "methods with traces and an instance in common"
POINTS = 160
MIN_SECONDS = 0.05

Traces = dict[tuple[str, str, int], list[tuple[float, float]]]  # by set, instance and seed


def draw(results: Results) -> Figure | None:
    """Plot one line per method that has traces."""
    traces = _traces_by_method(results)
    common = _common_instances(traces)
    if not common:
        return None
    end = max(t[-1][0] for by_run in traces.values() for t in by_run.values())
    times = np.geomspace(MIN_SECONDS, max(end, 2 * MIN_SECONDS), POINTS)
    figure, (axes,) = new_figure()
    final_gaps = []
    for method, by_run in traces.items():
        by_seed: dict[int, list[np.ndarray]] = {}
        for (set_name, name, seed), trace in by_run.items():
            if (set_name, name) in common:
                reference = results.reference_value(set_name, name)
                assert reference is not None
                gaps = 100 * (_costs_at(times, trace) / reference - 1)
                by_seed.setdefault(seed, []).append(gaps)
        curves = np.array([np.mean(gaps, axis=0) for gaps in by_seed.values()])
        final_gaps.append(float(curves[:, -1].min()))
        axes.plot(times, curves.mean(axis=0), **line_style(results, method, POINTS))
        if len(curves) > 1:
            low, high = curves.min(axis=0), curves.max(axis=0)
            shade = colour(results, method)
            label = f"_{method}"  # not in the legend
            axes.fill_between(times, low, high, color=shade, alpha=0.2, linewidth=0, label=label)
    set_log_scale(axes, "x")
    axes.set_yscale("symlog", linthresh=0.1)
    axes.set_ylim(bottom=min(0.0, *final_gaps))
    axes.set_xlabel("seconds")
    axes.set_ylabel("mean gap to best known, %")
    axes.legend(fontsize=8, frameon=False)
    return figure


def omitted(results: Results) -> list[str]:
    """List the methods without traces, and the instances that not all others have."""
    traces = _traces_by_method(results)
    common = _common_instances(traces)
    untraced = [f"{method} (no trace)" for method in results.methods if method not in traces]

    def reason(set_name: str, name: str) -> str:
        if (set_name, name) in common:
            return ""
        return missing_gaps(results, set_name, name, traces) or "not every method has a trace"

    return [*untraced, *group_by_reason(results, reason)]


def _traces_by_method(results: Results) -> dict[str, Traces]:
    methods = results.successful_methods
    return {method: traces for method in methods if (traces := _traces(results, method))}


def _common_instances(traces: dict[str, Traces]) -> set[tuple[str, str]]:
    keys = [{key[:2] for key in by_run} for by_run in traces.values()]
    return set.intersection(*keys) if keys else set()


def _traces(results: Results, method: str) -> Traces:
    return {
        (*instance_key(record), record["seed"]): record["trace"]
        for record in results.records
        if results.label(record) == method
        and record.get("trace")
        and results.reference_value(*instance_key(record))
    }


def _costs_at(times: np.ndarray, trace: list[tuple[float, float]]) -> np.ndarray:
    """Return the best cost so far at each time; NaN before the first solution."""
    seconds, costs = np.array(trace, dtype=float).T
    index = np.searchsorted(seconds, times, side="right") - 1
    return np.where(index >= 0, costs[np.maximum(index, 0)], np.nan)
