"""Warnings about places that are far from any road."""

from __future__ import annotations

import numpy as np

from splitroute.distances import Floats
from splitroute.errors import InputWarning, issue
from splitroute.instance import Instance

MAX_METRES_TO_ROAD = 300  # a place further away is probably a mistake, or the road is missing
MAX_WARNINGS = 10


def warn_about_snapping(instance: Instance, metres: Floats) -> None:
    """Warn about each place that is further than MAX_METRES_TO_ROAD from the nearest road."""
    far = np.flatnonzero(metres > MAX_METRES_TO_ROAD).tolist()
    if not far:
        return
    names = instance.place_names
    for place in sorted(far, key=lambda k: -metres[k])[:MAX_WARNINGS]:
        distance = round(float(metres[place]))
        issue(
            InputWarning(
                f"{names[place]} is {distance:,} m from the nearest road; is that right?",
                field="roads",
                value=distance,
            )
        )
    if len(far) > MAX_WARNINGS:
        rest = len(far) - MAX_WARNINGS
        issue(
            InputWarning(
                f"{rest} more places are over {MAX_METRES_TO_ROAD} m from the nearest road",
                field="roads",
            )
        )
