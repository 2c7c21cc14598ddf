"""The order of places along a Hilbert curve."""

import numpy as np

from splitroute.distances import Integers
from splitroute.instance import Instance

CURVE_SIDE = 2**16  # of the square that the curve fills


def hilbert_order(instance: Instance) -> Integers:
    """Places along a Hilbert curve, depot first; in their own order without coordinates."""
    if not instance.places:
        return np.arange(len(instance.table))
    low, extent = instance.xy.min(axis=0), np.ptp(instance.xy, axis=0).max() or 1.0
    x, y = ((instance.xy - low) / extent * (CURVE_SIDE - 1)).astype(np.int64).T
    distance = np.zeros(len(x), dtype=np.int64)
    half = CURVE_SIDE // 2
    while half:
        right, upper = (x & half) > 0, (y & half) > 0
        distance += half * half * ((3 * right) ^ upper)
        # Each quadrant is the curve again: the lower two mirrored, the right one also rotated.
        x, y = (
            np.where(~upper & right, CURVE_SIDE - 1 - x, x),
            np.where(~upper & right, CURVE_SIDE - 1 - y, y),
        )
        x, y = np.where(upper, x, y), np.where(upper, y, x)
        half //= 2
    distance[0] = -1
    return np.argsort(distance, kind="stable")
