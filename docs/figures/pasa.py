"""The rings of PASA, and the pieces of the customers in each."""

from draw import COLOURS, INK, new_figure
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Wedge

import splitroute as sr
from splitroute.generate import random_instance

LEVELS = 3


def figures() -> dict[str, Figure]:
    """Return a map with rings on which every customer is a pie of its pieces."""
    instance = random_instance(26, capacity=64, low=0.1, high=0.9, seed=5)
    plan = sr.split(instance, "pasa", levels=LEVELS, base=2)
    figure = new_figure(5.6, 5.2)
    axes = figure.add_subplot()
    axes.set_aspect("equal")
    axes.set_axis_off()
    x, y = instance.places[0]
    colours = dict(zip(sorted({p for c in plan.pieces for p in c}), _shades(), strict=False))
    for level in reversed(plan.levels):
        radius = level.max_distance or 0.0
        axes.add_patch(Circle((x, y), radius, fill=False, ls=(0, (4, 3)), lw=1, ec=INK))
        sizes = ", ".join(map(str, reversed(level.denominations)))
        axes.annotate(sizes, (x, y + radius), (0, -6), textcoords="offset points", ha="center",
                      va="top", fontsize=9)  # fmt: skip
    for customer, pieces in zip(instance.customers, plan.pieces, strict=True):
        angle, place = 90.0, instance.places[customer.place]
        for piece in sorted(pieces, reverse=True):
            turn = 360 * piece / customer.demand
            radius = 0.75 * customer.demand**0.5
            axes.add_patch(Wedge(place, radius, angle - turn, angle, fc=colours[piece], ec="white",
                                 lw=0.5, zorder=4))  # fmt: skip
            angle -= turn
    axes.plot(x, y, "s", color=INK, ms=8, zorder=5)
    for piece, colour in reversed(colours.items()):
        axes.plot([], [], "o", color=colour, ms=8, label=str(piece))
    axes.legend(title="pieces", loc="center left", bbox_to_anchor=(0.97, 0.5))
    axes.autoscale_view()
    return {"pasa": figure}


def _shades() -> list[str]:
    return ["#a9d18e", "#6fbf73", *COLOURS[:2], "#b065c0", "#c9a227", "#7a8794"]
