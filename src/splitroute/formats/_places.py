"""Places as files have them, and as `Instance.create` takes them."""

from collections.abc import Sequence
from typing import Any

Point = tuple[float, float]  # x and y, or latitude and longitude


def located(points: Sequence[Point], on_globe: bool, scale: float = 1.0) -> dict[str, Any]:
    """The arguments that say where the depot and the customers are."""
    if on_globe and points:
        lat, lon = zip(*points, strict=True)
        return {"lat": lat, "lon": lon}
    return {"coordinates": [(x / scale, y / scale) for x, y in points]}
