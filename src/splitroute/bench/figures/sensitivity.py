"""How much the number of rings L and the base p of PASA matter."""

from __future__ import annotations

import re
import statistics
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from splitroute.bench.figures import canvas
from splitroute.bench.omissions import instances, no_gap
from splitroute.bench.results import Runs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "PASA: the number of rings L and the base p"
CAPTION = (
    "Mean gap to best known in percent, over the instances that all these methods have; lower is "
    "better."
)
NEEDS = "PASA with one engine and several L or p"
DEFAULT = 2


def draw(runs: Runs) -> Figure | None:
    """A heat map per engine, of methods such as pasa:L=3:p=2+rtr."""
    engines = _engines(runs)
    if not engines:
        return None
    figure, axes = canvas(1, len(engines), size=(4.5 * len(engines), 3.6))
    for each, (engine, found) in zip(axes, engines.items(), strict=True):
        gaps = {key: runs.gaps(method) for key, method in found.items()}
        common = set.intersection(*(set(g) for g in gaps.values()))
        rows, columns = sorted({rings for rings, _ in found}), sorted({p for _, p in found})
        table = np.full((len(rows), len(columns)), np.nan)
        for (rings, base), gap in gaps.items():
            if common:
                mean = statistics.fmean(gap[key] for key in common)
                table[rows.index(rings), columns.index(base)] = mean
        each.pcolormesh(table, cmap="Blues", alpha=0.75)
        for (i, j), value in np.ndenumerate(table):
            if not np.isnan(value):
                each.text(
                    j + 0.5,
                    i + 0.5,
                    f"{value:.2f}",
                    ha="center",
                    va="center",
                    fontsize=9,
                    color="black",
                )
        each.set_xticks(np.arange(len(columns)) + 0.5, [f"p = {p}" for p in columns])
        each.set_yticks(np.arange(len(rows)) + 0.5, [f"L = {rings}" for rings in rows])
        each.set_title(f"{engine}, {len(common)} instances", fontsize=9)
        each.grid(visible=False)
    return figure


def left_out(runs: Runs) -> list[str]:
    """The instances that not all methods of an engine have."""
    return [
        f"{engine}: {each}"
        for engine, found in _engines(runs).items()
        for each in instances(runs, partial(no_gap, runs, methods=list(found.values())))
    ]


def _engines(runs: Runs) -> dict[str, dict[tuple[int, int], str]]:
    """The methods of each engine that has several, by L and p."""
    engines: dict[str, dict[tuple[int, int], str]] = {}
    for method in runs.answering:
        if parts := re.fullmatch(r"pasa((?::[^+]*)?)\+(.+)", method):
            rings, base = _option(parts[1], "L", "levels"), _option(parts[1], "p", "base")
            engines.setdefault(parts[2], {})[rings, base] = method
    return {engine: found for engine, found in engines.items() if len(found) > 1}


def _option(text: str, *names: str) -> int:
    for name in names:
        if found := re.search(rf":{name}=(\d+)", text):
            return int(found[1])
    return DEFAULT
