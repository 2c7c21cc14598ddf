"""Cost over iterations of searches that split while they route, and that split before."""

from draw import COLOURS, new_figure
from matplotlib.figure import Figure

import splitroute as sr
from splitroute.generate import random_instance

METHODS = {
    "none+native": {"rule": "none"},
    "pasa+native": {"rule": "pasa", "levels": 3},
    "native": {"rule": "free"},
}
ITERATIONS = 60_000


def figures() -> dict[str, Figure]:
    """Return the best cost so far, relative to the best of all."""
    instance = random_instance(60, low=0.1, high=0.9, seed=3)
    stop = sr.Stop(iterations=ITERATIONS)
    results = {
        name: sr.solve(instance, stop=stop, bound=0, **how)  # type: ignore[arg-type]
        for name, how in METHODS.items()
    }
    best = min(result.cost for result in results.values())
    figure = new_figure()
    axes = figure.add_subplot()
    for (name, result), colour in zip(results.items(), COLOURS, strict=False):
        points = [(p.iterations, 100 * (p.cost / best - 1)) for p in result.trace]
        points.append((ITERATIONS, points[-1][1]))
        axes.step(*zip(*points, strict=True), where="post", color=colour, lw=1.8)
        label = f"{name}: +{points[-1][1]:.1f} %" if result.cost > best else f"{name}: the best"
        end = (ITERATIONS, points[-1][1] + (0.4 if result.cost > best else -1.1))
        axes.annotate(label, end, color=colour, ha="right")
    axes.set_xlim(0, ITERATIONS)
    axes.set_ylim(-1.5, 16)
    axes.set_xlabel("iterations")
    axes.set_ylabel("above the best, in %")
    return {"search": figure}
