"""Three places on a line, with exact and with rounded distances."""

import numpy as np
from draw import COLOURS, INK, new_figure
from matplotlib.figure import Figure

import splitroute as sr

PLACES = [(0, 0), (1, 1), (2, 2)]
NAMES = ("depot", "A", "B")


def figures() -> dict[str, Figure]:
    """Return the distances between the places in both metrics."""
    figure = new_figure(6.2, 1.9)
    for axes, metric in zip(figure.subplots(1, 2), ("exact", "dimacs"), strict=True):
        instance = sr.Instance.create(10, [1, 1], PLACES, metric=metric)
        axes.set_title(metric)
        axes.set_axis_off()
        axes.set_xlim(-0.4, 2.4)
        axes.set_ylim(-0.5, 1.1)
        for start, end, height, colour in (
            (0, 1, 0, COLOURS[0]),
            (1, 2, 0, COLOURS[0]),
            (0, 2, 0.75, COLOURS[1]),
        ):
            x = np.linspace(start, end, 30)
            axes.plot(x, height * (x - start) * (end - x), color=colour, lw=2)
            text = f"{instance.distance(start, end):g}"[:5]
            axes.text((start + end) / 2, height + 0.12, text, ha="center", color=colour)
        for x, name in enumerate(NAMES):
            axes.plot(x, 0, "s" if not x else "o", color=INK, ms=9)
            axes.text(x, -0.42, name, ha="center")
    return {"metrics": figure}
