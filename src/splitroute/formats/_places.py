"""Places as files have them, and as `Instance.create` takes them."""

from collections.abc import Iterable
from typing import Any

Point = tuple[float, float]  # x and y, or latitude and longitude


def located(points: Iterable[Point], on_globe: bool, scale: float = 1.0) -> dict[str, Any]:
    """The arguments that say where the depot and the customers are."""
    if on_globe:
        lat, lon = zip(*points, strict=True)
        return {"lat": lat, "lon": lon}
    return {"coordinates": [(x / scale, y / scale) for x, y in points]}
