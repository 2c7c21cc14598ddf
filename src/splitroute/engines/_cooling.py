"""A cooling schedule of the core that can be sent to the workers of a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from splitroute import _core
from splitroute.core.settings import make_settings

Change = tuple[str, tuple[Any, ...]]  # a method and its arguments
Recipe = tuple[dict[str, object], int, list[Change]]


class Cooling(_core.CoolingSchedule):
    """The schedule of a search in parts; a copy goes through the same changes again."""

    def __init__(self, settings: Mapping[str, object], items: int) -> None:
        super().__init__(make_settings(settings), items, is_large=True)
        self._arguments = dict(settings), items
        self._changes: list[Change] = []

    def set_budget(self, seconds: float, iterations: int) -> None:
        """Set the time and the iterations that it covers."""
        self._changes.append(("set_budget", (seconds, iterations)))
        super().set_budget(seconds, iterations)

    def set_temperature_unit(self, unit: float) -> None:
        """Set what temperatures are multiples of."""
        self._changes.append(("set_temperature_unit", (unit,)))
        super().set_temperature_unit(unit)

    def set_warm_start(self) -> None:
        """Start at the temperature of a reheat."""
        self._changes.append(("set_warm_start", ()))
        super().set_warm_start()

    def observe(self, share: float, iterations: int, seconds: float) -> None:
        """Adapt to the measured iteration rate."""
        self._changes.append(("observe", (share, iterations, seconds)))
        super().observe(share, iterations, seconds)

    @property
    def recipe(self) -> Recipe:
        """Plain data from which `copied` makes a copy."""
        return *self._arguments, list(self._changes)


def copied(recipe: Recipe) -> Cooling:
    """Return a schedule in the state of the one with this recipe."""
    settings, items, changes = recipe
    schedule = Cooling(settings, items)
    for name, arguments in changes:
        getattr(schedule, name)(*arguments)
    return schedule
