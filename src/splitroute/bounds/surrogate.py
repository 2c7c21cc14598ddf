"""The network of an instance with rules: no solution costs less than one of its own does there.

Every vehicle is as large as the largest one, and every edge costs what the cheapest vehicle type
pays for it. All depots are node 0, at the distance of the nearest one, and the edges to it carry
half of a trip's share of the fixed cost. Customers whose demand is not mandatory are left out.
Service and the extra visits that large demands need are a constant.
"""

from __future__ import annotations

import numpy as np

from splitroute import distances
from splitroute.bounds import radial
from splitroute.bounds.network import MAX_LENGTH, Network
from splitroute.bounds.trips import TypeCosts, driving_costs, ends_of, leg_costs, type_costs
from splitroute.distances import Floats
from splitroute.instance import Instance, VehicleType

# Rules that the bound takes into account; it relaxes the others.
RULES = radial.RULES - {"penalty", "partial"}


def surrogate(instance: Instance) -> tuple[Network, float] | None:
    """Return the network and the constant that its bounds rise by; None if it has no customers."""
    costs = list(type_costs(instance))
    demands = instance.demands[1:]
    is_mandatory = [c.penalty is None and not instance.partial for c in instance.customers]
    can_be_served = np.any([c.may_serve for c in costs], axis=0)
    nodes = np.flatnonzero((demands > 0) & np.array(is_mandatory, dtype=bool) & can_be_served)
    if not len(nodes):
        return None
    lengths = _lengths(instance, costs)[np.ix_([0, *(nodes + 1)], [0, *(nodes + 1)])]
    scale = float(lengths.max()) / MAX_LENGTH or 1.0
    network = Network(
        np.ascontiguousarray(lengths / scale),
        scale,
        np.concatenate([[0], demands[nodes]]).astype(np.int64),
        instance.capacity,
        np.concatenate([[0], nodes + 1]),
        _max_vehicles(instance, int(demands[nodes].sum())),
    )
    return network, float(_constants(instance, costs)[nodes].sum())


def _lengths(instance: Instance, costs: list[TypeCosts]) -> Floats:
    """Shortest paths between the depots, as node 0, and all customers."""
    sites = instance.sites[1:]
    table = np.full((len(sites) + 1, len(sites) + 1), np.inf)
    for of_type in costs:
        kind = of_type.vehicle_type
        start, end = ends_of(instance, kind)
        there = leg_costs(instance, kind, np.full_like(sites, start), sites)
        back = leg_costs(instance, kind, sites, np.full_like(sites, end))
        to_depot = np.minimum(there, back) + of_type.fixed_per_trip / 2
        np.minimum(table[0, 1:], to_depot, out=table[0, 1:], where=of_type.may_serve)
    lengths = instance.distances_among(sites.tolist())
    durations = None if instance.durations is None else instance.durations[np.ix_(sites, sites)]
    for kind in _distinct_prices(instance):
        among = driving_costs(instance, kind, lengths, durations)
        np.minimum(table[1:, 1:], among, out=table[1:, 1:])
    table[1:, 0] = table[0, 1:]
    np.fill_diagonal(table, 0.0)
    table[np.isinf(table)] = table.max(initial=0.0, where=np.isfinite(table))
    closed, _ = distances.shortest_paths(np.ascontiguousarray(np.minimum(table, table.T)))
    return closed


def _distinct_prices(instance: Instance) -> list[VehicleType]:
    """One vehicle type for each pair of costs per distance and per time."""
    types = instance.vehicle_types
    return list({(v.cost_per_distance, v.cost_per_time): v for v in types}.values())


def _constants(instance: Instance, costs: list[TypeCosts]) -> Floats:
    """Cost of the service and of the extra visits that each demand needs at least."""
    demands = instance.demands[1:]
    service = np.full(len(demands), np.inf)
    largest = np.ones(len(demands), dtype=np.int64)
    for of_type in costs:
        capacity = np.full_like(largest, of_type.vehicle_type.capacity)
        np.maximum(largest, capacity, out=largest, where=of_type.may_serve)
    visits = -(-demands // largest)
    for of_type in costs:
        whole = visits * of_type.service + demands * of_type.service_per_unit
        np.minimum(service, whole, out=service, where=of_type.may_serve)
    extra = np.array([c.extra_visit_cost for c in instance.customers])
    constants: Floats = service + np.maximum(0, visits - 1) * extra
    return constants


def _max_vehicles(instance: Instance, demand: int) -> int:
    """Number of trips that some optimum of the network does not exceed."""
    useful = 2 * demand // instance.capacity + 1
    trips = [None if v.count is None else v.count * v.max_trips for v in instance.vehicle_types]
    known = [count for count in trips if count is not None]
    return min(useful, sum(known)) if len(known) == len(trips) else useful
