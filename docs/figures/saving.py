"""What splitting saves, by the size of the demands and the place of the depot."""

from draw import COLOURS, new_figure
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

import splitroute as sr
from splitroute.generate import random_instance

CAPACITY = 100
SHARES = (10, 20, 25, 30, 34, 40, 45, 50, 51, 55, 60, 67, 75, 85, 95, 100)  # of the capacity
STOP = sr.Stop(iterations=4000)
DEPOTS = {"corner": "depot in the corner", "centre": "depot in the centre"}


def figures() -> dict[str, Figure]:
    """Return the saving as a function of the demand of each customer."""
    figure = new_figure()
    axes = figure.add_subplot()
    for (depot, label), colour in zip(DEPOTS.items(), COLOURS, strict=False):
        savings = [_saving(share, depot) for share in SHARES]
        axes.plot(SHARES, savings, marker="o", ms=4.5, color=colour, label=label)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.xaxis.set_major_formatter(PercentFormatter(decimals=0))
    axes.set_xlabel("demand of every customer, as a share of the capacity")
    axes.set_ylabel("saving")
    axes.legend()
    return {"saving": figure}


def _saving(share: int, depot: str) -> float:
    """The share of the cost that splitting saves for 30 customers, all with the same demand."""
    instance = random_instance(
        30, capacity=CAPACITY, low=share / 100, high=share / 100, depot=depot, seed=1
    )
    whole = sr.solve(instance, rule="none", stop=STOP, bound=0)
    split = sr.solve(instance, start=whole.solution, stop=STOP, bound=0)
    return 1 - split.cost / whole.cost
