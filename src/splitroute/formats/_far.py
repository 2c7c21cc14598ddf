"""A place that is probably a mistake: 0,0 among towns of Germany."""

import numpy as np

from splitroute.formats._faults import warn
from splitroute.formats._numbers import short, shown
from splitroute.instance import Instance

MIN_OTHERS = 4  # places; with fewer nothing can be said
MIN_RATIO = 8  # to the furthest of the others from the middle
MIN_KM = 300  # on the globe: a depot far outside the city is no mistake
KM_PER_DEGREE = 111.2


def warn_of_far_place(instance: Instance, file: str, lines: list[int | None] | None = None) -> None:
    """Warns if one place is much further from the middle than all others.

    The lines of the file are those of the depot and of each customer.
    """
    if instance.metric == "matrix" or len(instance.places) <= MIN_OTHERS:
        return
    globe = instance.metric == "haversine"
    offset = instance.xy - np.median(instance.xy, axis=0)  # which one place hardly moves
    if globe:
        offset[:, 0] = (offset[:, 0] + 180) % 360 - 180
        offset *= KM_PER_DEGREE
        offset[:, 0] *= np.cos(np.radians(np.median(instance.xy[:, 1])))
    away = np.hypot(*offset.T)
    far = int(away.argmax())
    others = away[(instance.xy != instance.xy[far]).any(axis=1)]
    if len(others) < MIN_OTHERS or (globe and away[far] < MIN_KM):
        return
    if 0 < MIN_RATIO * others.max() < away[far]:
        who = repr(shown(instance.customers[far - 1].id)) if far else "the depot"
        x, y = map(short, instance.places[far])
        where = f"lat {y}, lon {x}" if globe else f"x {x}, y {y}"
        line = None if lines is None else lines[far]
        warn(f"{who} at {where} is far from all other places; is that right?", file, line)
