"""What each vehicle type pays at least for a trip to each customer, whatever the other rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from splitroute import distances
from splitroute.distances import MAX_PATH_PLACES, Floats, Integers, shortest_from
from splitroute.instance import Instance, VehicleType

Booleans = np.ndarray[tuple[int], np.dtype[np.bool_]]


@dataclass(frozen=True, eq=False)
class TypeCosts:
    """Costs of one vehicle type, by customer (from 0)."""

    vehicle_type: VehicleType
    may_serve: Booleans
    driving: Floats  # along shortest paths from the start depot to the customer and to the end
    service: Floats  # per visit
    service_per_unit: Floats  # per unit of the instance

    @property
    def fixed_per_trip(self) -> float:
        """Share of the fixed cost in each trip."""
        return self.vehicle_type.fixed_cost / self.vehicle_type.max_trips


def type_costs(instance: Instance) -> Iterator[TypeCosts]:
    """Yield the costs of each vehicle type."""
    customers = instance.customers
    service = np.array([c.service for c in customers])
    per_unit = np.array([c.service_per_unit for c in customers]) * float(instance.unit)
    for kind in instance.vehicle_types:
        allowed = [c.vehicle_types is None or kind.type in c.vehicle_types for c in customers]
        yield TypeCosts(
            kind,
            np.array(allowed, dtype=bool),
            _driving(instance, kind),
            kind.cost_per_time * service,
            kind.cost_per_time * per_unit,
        )


def leg_costs(
    instance: Instance, kind: VehicleType, origins: Integers, destinations: Integers
) -> Floats:
    """Cost of driving from places to places, pair by pair."""
    lengths = distances.pairs(instance.xy, instance.metric, instance.matrix, origins, destinations)
    durations = None if instance.durations is None else instance.durations[origins, destinations]
    return driving_costs(instance, kind, lengths, durations)


def driving_costs(
    instance: Instance, kind: VehicleType, lengths: Floats, durations: Floats | None
) -> Floats:
    """Cost of distances and the time to drive them."""
    if durations is None:
        return lengths * (kind.cost_per_distance + kind.cost_per_time / instance.travel_speed)
    return lengths * kind.cost_per_distance + durations * kind.cost_per_time


def ends_of(instance: Instance, kind: VehicleType) -> tuple[int, int]:
    """Places where routes of a vehicle type start and end."""
    places = instance.depot_places
    return places[kind.depot], places[kind.end_depot or kind.depot]


def _driving(instance: Instance, kind: VehicleType) -> Floats:
    start, end = ends_of(instance, kind)
    sites = instance.sites[1:]
    is_geometric = instance.matrix is None and instance.metric in ("exact", "haversine")
    if is_geometric and (instance.durations is None or not kind.cost_per_time):
        there = leg_costs(instance, kind, np.full_like(sites, start), sites)
        return there + leg_costs(instance, kind, sites, np.full_like(sites, end))
    has_table = instance.matrix is not None or instance.durations is not None
    if len(instance.places) > MAX_PATH_PLACES and not has_table:
        return np.zeros(len(sites))
    table = driving_costs(instance, kind, instance.table, instance.durations)
    return (shortest_from(table, start) + shortest_from(table.T, end))[sites]
