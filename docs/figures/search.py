"""Cost over iterations of searches that split while they route, and that split before."""

from typing import Any
from unittest.mock import patch

from draw import COLOURS, new_figure
from matplotlib.figure import Figure

import splitroute as sr
from splitroute.engines import native
from splitroute.engines._incumbent import ExportPause
from splitroute.generate import random_instance

METHODS: dict[str, dict[str, Any]] = {
    "none+native": {"rule": "none"},
    "pasa+native": {"rule": "pasa", "levels": 3},
    "native": {"rule": "free"},
}
ITERATIONS, STEP = 60_000, 250


def _few_iterations_left(*arguments: Any) -> int:
    """Iterations until the search reports again: not after some time, which machines differ in."""
    return min(STEP, iterations_left(*arguments))


iterations_left = native._iterations_left


def _trace(instance: sr.Instance, **how: Any) -> list[tuple[int, float]]:
    """Iterations and best cost, at every improvement and at the end."""
    with (
        patch.object(native, "_iterations_left", _few_iterations_left),
        patch.object(ExportPause, "begin"),  # it lasts longer on slow machines
    ):
        result = sr.solve(instance, stop=sr.Stop(iterations=ITERATIONS), bound=0, **how)
    return [*((p.iterations, p.cost) for p in result.trace), (ITERATIONS, result.cost)]


def figures() -> dict[str, Figure]:
    """Return the best cost so far, relative to the best of all."""
    instance = random_instance(60, low=0.1, high=0.9, seed=3)
    traces = {name: _trace(instance, **how) for name, how in METHODS.items()}
    best = min(points[-1][1] for points in traces.values())
    figure = new_figure()
    axes = figure.add_subplot()
    for (name, points), colour in zip(traces.items(), COLOURS, strict=False):
        iterations, costs = zip(*points, strict=True)
        above = [100 * (cost / best - 1) for cost in costs]
        axes.step(iterations, above, where="post", color=colour, lw=1.8)
        label = f"{name}: +{above[-1]:.1f} %" if above[-1] else f"{name}: the best"
        end = (ITERATIONS, above[-1] + (0.4 if above[-1] else -1.1))
        axes.annotate(label, end, color=colour, ha="right")
    axes.set_xlim(0, ITERATIONS)
    axes.set_ylim(-1.5, 16)
    axes.set_xlabel("iterations")
    axes.set_ylabel("above the best, in %")
    return {"search": figure}
