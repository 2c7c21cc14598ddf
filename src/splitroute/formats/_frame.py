"""Where places are in a picture."""

from __future__ import annotations

import math

import numpy as np

from splitroute.distances import Floats

MIN_STRETCH = 0.01  # at the poles


class Frame:
    """Fits coordinates into a picture, north up and in the middle.

    The picture is as large as it may be, or smaller in one direction, but has the `minimum`.
    """

    def __init__(
        self,
        points: Floats,
        maximum: tuple[float, float],
        margin: float,
        *,
        is_globe: bool,
        minimum: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        low, high = points.min(axis=0), points.max(axis=0)
        # A degree of longitude is shorter than a degree of latitude.
        latitude = math.radians(float(low[1] + high[1]) / 2) if is_globe else 0.0
        stretch = np.array([max(MIN_STRETCH, math.cos(latitude)), 1.0])
        size = (high - low) * stretch
        room = np.array(maximum) - 2 * margin
        self.has_extent = bool(size.any())
        self.scale = min((r / s for r, s in zip(room, size, strict=True) if s > 0), default=1.0)
        frame = np.maximum(size * self.scale + 2 * margin, minimum)
        self.width, self.height = frame.tolist()
        self._low, self._factor = low, stretch * self.scale
        self._offset = (frame - size * self.scale) / 2

    def positions(self, points: Floats) -> Floats:
        """Positions in the picture, from its upper left corner."""
        moved: Floats = (points - self._low) * self._factor + self._offset
        moved[:, 1] = self.height - moved[:, 1]
        return moved
