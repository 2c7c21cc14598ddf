"""Coordinates of a file as `Instance.create` takes them."""

from collections.abc import Sequence
from typing import Any

Point = tuple[float, float]  # x and y, or latitude and longitude


def place_arguments(points: Sequence[Point], is_globe: bool, scale: float = 1.0) -> dict[str, Any]:
    """Keyword arguments of `Instance.create` for the places of the depot and the customers."""
    if is_globe and points:
        lat, lon = zip(*points, strict=True)
        return {"lat": lat, "lon": lon}
    return {"coordinates": [(x / scale, y / scale) for x, y in points]}
