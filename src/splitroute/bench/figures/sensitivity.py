"""Sensitivity of PASA to the number of rings L and the base p."""

from __future__ import annotations

import re
import statistics
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from splitroute.bench.figures import new_figure
from splitroute.bench.omissions import group_by_reason, missing_gaps
from splitroute.bench.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "PASA: number of rings L and base p"
CAPTION = "Mean gap to best known in percent over common instances; lower is better."
REQUIRES = "PASA with one engine and several values of L or p"
DEFAULT_VALUE = "2"  # of both L and p


def draw(results: Results) -> Figure | None:
    """Draw a heat map per engine, from methods such as pasa:L=3:p=2+rtr."""
    engines = _methods_by_engine(results)
    if not engines:
        return None
    figure, panels = new_figure(1, len(engines), size=(4.5 * len(engines), 3.6))
    for axes, (engine, methods) in zip(panels, engines.items(), strict=True):
        gaps = {parameters: results.gaps(method) for parameters, method in methods.items()}
        common = set.intersection(*map(set, gaps.values()))
        rings, bases = (sorted(set(values)) for values in zip(*methods, strict=True))
        table = np.full((len(rings), len(bases)), np.nan)
        if common:
            for (ring, base), by_instance in gaps.items():
                mean = statistics.fmean(by_instance[key] for key in common)
                table[rings.index(ring), bases.index(base)] = mean
            low, high = np.nanmin(table), np.nanmax(table)
            # The light half of the colour map, for black text on light and on dark pages.
            axes.pcolormesh(table, cmap="Blues", vmin=low, vmax=2 * high - low + 1e-9)
        for (i, j), gap in np.ndenumerate(table):
            if not np.isnan(gap):
                text = axes.text(j + 0.5, i + 0.5, f"{gap:.2f}", ha="center", va="center")
                text.set(fontsize=9, color="black")
        axes.set_xticks(np.arange(len(bases)) + 0.5, [f"p = {base}" for base in bases])
        axes.set_yticks(np.arange(len(rings)) + 0.5, [f"L = {ring}" for ring in rings])
        axes.set_title(f"{engine}, {len(common)} instances", fontsize=9)
        axes.grid(visible=False)
    return figure


def omitted(results: Results) -> list[str]:
    """List the instances that not all methods of an engine have."""
    return [
        f"{engine}: {group}"
        for engine, methods in _methods_by_engine(results).items()
        for group in group_by_reason(
            results, partial(missing_gaps, results, methods=list(methods.values()))
        )
    ]


def _methods_by_engine(results: Results) -> dict[str, dict[tuple[int, int], str]]:
    """Return the PASA methods by L and p of each engine, with other options, that has several."""
    engines: dict[str, dict[tuple[int, int], str]] = {}
    for method in results.successful_methods:
        if (match := re.fullmatch(r"pasa((?::\w+=\w+)*)\+(.+)", method)) is None:
            continue
        options = dict(word.split("=") for word in match[1].split(":")[1:])
        levels, base = (options.pop(name, DEFAULT_VALUE) for name in ("L", "p"))
        if levels.isdecimal() and base.isdecimal():  # not L=auto
            engine = ", ".join([match[2], *(f"{name}={value}" for name, value in options.items())])
            engines.setdefault(engine, {})[int(levels), int(base)] = method
    return {engine: methods for engine, methods in engines.items() if len(methods) > 1}
