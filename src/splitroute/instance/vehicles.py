"""Vehicle types and depots of an instance."""

from __future__ import annotations

from dataclasses import dataclass

Windows = tuple[tuple[float, float], ...]  # disjoint, ascending; empty for always


@dataclass(frozen=True, slots=True)
class Depot:
    """A depot: its id, its place, and when vehicles may leave it and return to it."""

    id: str = "depot"
    place: int = 0
    windows: Windows = ()


@dataclass(frozen=True, slots=True)
class VehicleType:
    """Vehicles that are alike. Limits apply to each trip, the shift to all trips of a vehicle.

    Quantities are multiples of the instance's unit; `loading_per_unit` is a time per 1, as users
    count.
    """

    type: str
    capacity: int
    count: int | None = None  # None for unlimited
    depot: str | None = None  # id; the first depot by default
    end_depot: str | None = None  # where its routes end; where they start by default
    fixed_cost: float = 0.0  # of each vehicle used
    cost_per_distance: float = 1.0
    cost_per_time: float = 0.0  # from departure to return, waiting included
    shift: tuple[float, float] | None = None  # earliest departure and latest return
    max_distance: float | None = None
    max_duration: float | None = None  # from departure to return
    max_stops: int | None = None
    max_trips: int = 1
    loading: float = 0.0  # time between the return from one trip and the departure for the next,
    loading_per_unit: float = 0.0  # and per unit that the next trip delivers
    min_load: int = 0
