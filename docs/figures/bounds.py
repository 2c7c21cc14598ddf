"""How far the simple bound is from the cost, by the size of the demands."""

from draw import COLOURS, new_figure
from matplotlib.figure import Figure

import splitroute as sr
from splitroute.bounds.radial import radial_bound
from splitroute.generate import random_instance

CAPACITY = 100
SHARES = (5, 10, 15, 20, 30, 40, 50, 60, 75, 90, 110, 150, 200)  # of the capacity
STOP = sr.Stop(iterations=4000)


def figures() -> dict[str, Figure]:
    """Return cost and radial bound per unit of demand."""
    costs, bounds = [], []
    for share in SHARES:
        instance = random_instance(30, capacity=CAPACITY, low=share / 200, high=share / 67, seed=2)
        result = sr.solve(instance, stop=STOP, bound=0)
        loads = sum(c.demand for c in instance.customers) / CAPACITY
        costs.append(result.cost / loads)
        bounds.append(radial_bound(instance) / loads)
    figure = new_figure()
    axes = figure.add_subplot()
    axes.fill_between(SHARES, bounds, costs, color=COLOURS[0], alpha=0.15, lw=0)
    axes.plot(SHARES, costs, marker="o", ms=4.5, color=COLOURS[1], label="cost of the solution")
    axes.plot(SHARES, bounds, marker="o", ms=4.5, color=COLOURS[0], label="radial bound")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("mean demand, in % of the capacity")
    axes.set_ylabel("distance per full load")
    axes.legend()
    return {"bounds": figure}
