"""Warns about a place that is probably a mistake, such as 0,0 among towns in Germany."""

import numpy as np

from splitroute.distances import KM_PER_DEGREE
from splitroute.formats._errors import warn
from splitroute.formats._numbers import excerpt, format_float
from splitroute.instance import Instance

MIN_OTHERS = 4  # places; fewer are no evidence
MIN_RATIO = 8  # of the distances from the median to the outlier and to the furthest other place
MIN_KM = 300  # on the globe: a depot far outside the city is no mistake


def warn_about_outlier(
    instance: Instance, file: str, lines: list[int | None] | None = None
) -> None:
    """Warn if one place is much further from the median than all others.

    `lines` are the lines of the depots and of each customer in the file.
    """
    if instance.metric == "matrix" or len(instance.places) <= MIN_OTHERS:
        return
    is_globe = instance.metric == "haversine"
    offsets = instance.xy - np.median(instance.xy, axis=0)  # unlike the mean, unmoved by an outlier
    if is_globe:
        offsets[:, 0] = (offsets[:, 0] + 180) % 360 - 180
        offsets *= KM_PER_DEGREE
        offsets[:, 0] *= np.cos(np.radians(np.median(instance.xy[:, 1])))
    distances = np.hypot(*offsets.T)
    furthest = int(distances.argmax())
    others = distances[(instance.xy != instance.xy[furthest]).any(axis=1)]
    if len(others) < MIN_OTHERS or (is_globe and distances[furthest] < MIN_KM):
        return
    if 0 < MIN_RATIO * others.max() < distances[furthest]:
        ids = [*(depot.id for depot in instance.depots), *(c.id for c in instance.customers)]
        name = repr(excerpt(ids[furthest])) if furthest else "the depot"
        x, y = map(format_float, instance.places[furthest])
        position = f"lat {y}, lon {x}" if is_globe else f"x {x}, y {y}"
        line = None if lines is None else lines[furthest]
        warn(f"{name} at {position} is far from all other places; is that right?", file, line)
