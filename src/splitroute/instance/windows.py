"""Times in windows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from splitroute.instance.vehicles import Depot, VehicleType, Windows

if TYPE_CHECKING:
    from splitroute.instance import Instance

ALWAYS: Windows = ((-math.inf, math.inf),)
EARLIEST = 0.0  # departure, where neither a shift nor the depot says
TIME_TOLERANCE = 1e-9  # relative to the time; sums in another order differ by less


def depot_windows(instance: Instance, kind: VehicleType) -> tuple[Windows, Windows]:
    """When vehicles of a type may depart, and when they may return."""
    by_id: dict[str | None, Depot] = {depot.id: depot for depot in instance.depots}
    by_id[None] = instance.depots[0]
    first, last = kind.shift or (EARLIEST, math.inf)

    def within_shift(windows: Windows) -> Windows:
        kept = (w for w in windows or ALWAYS if w[0] <= last and w[1] >= first)
        return tuple((max(opens, first), min(closes, last)) for opens, closes in kept)

    start, end = by_id[kind.depot], by_id[kind.end_depot or kind.depot]
    return within_shift(start.windows), within_shift(end.windows)


def earliest(windows: Iterable[tuple[float, float]], time: float) -> float | None:
    """First time in a window that is not before a time; None if all windows are over."""
    for opens, closes in windows:
        if time <= closes + tolerance(closes):
            return max(opens, time)
    return None


def latest(windows: Windows, time: float) -> float:
    """Last time in a window that is not after a time; minus infinity if there is none."""
    for opens, closes in reversed(windows):
        if opens <= time + tolerance(time):
            return max(opens, min(closes, time))
    return -math.inf


def tolerance(time: float) -> float:
    """By how much a time may be exceeded because of rounding."""
    return TIME_TOLERANCE * max(1.0, abs(time)) if math.isfinite(time) else 0.0
