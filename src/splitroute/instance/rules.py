"""The rules of an instance beyond capacity, demands and a number of equal vehicles.

Engines and bounds declare which of them they respect, by these names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from splitroute.instance.customers import Customer
from splitroute.instance.vehicles import VehicleType

if TYPE_CHECKING:
    from splitroute.instance import Instance

# Fields of customers and of vehicle types that are rules if they differ from their defaults.
CUSTOMER_RULES = (
    "windows",
    "service",
    "service_per_unit",
    "splittable",
    "min_drop",
    "max_visits",
    "lot",
    "extra_visit_cost",
    "vehicle_types",
    "penalty",
)
VEHICLE_RULES = (
    "fixed_cost",
    "cost_per_distance",
    "cost_per_time",
    "shift",
    "max_distance",
    "max_duration",
    "max_stops",
    "max_trips",
    "loading",
    "loading_per_unit",
    "min_load",
)
INSTANCE_RULES: dict[str, Callable[[Instance], bool]] = {
    "fleet": lambda i: len(i.fleet) > 1,
    "depots": lambda i: _uses_other_depots(i),  # noqa: PLW0108
    "depot_windows": lambda i: any(depot.windows for depot in i.depots),
    "durations": lambda i: i.durations is not None,
    "partial": lambda i: i.partial,
}
RULES = (*CUSTOMER_RULES, *VEHICLE_RULES, *INSTANCE_RULES)
# How demands may be split; a split plan guarantees them.
SPLIT_RULES = frozenset({"splittable", "min_drop", "max_visits", "lot"})
# Rules that limit or price time; without any of them, travel and service times have no effect.
TIME_RULES = frozenset({"windows", "depot_windows", "cost_per_time", "shift", "max_duration"})
DURATION_RULES = frozenset(
    {"service", "service_per_unit", "loading", "loading_per_unit", "durations"}
)


def rules_in_use(instance: Instance) -> frozenset[str]:
    """The rules that can make a difference to the instance's solutions or costs."""
    customers = (instance.customers[k] for k in instance.customers_with_rules)
    used = _changed(CUSTOMER_RULES, customers, Customer("", 0, 0))
    used |= _changed(VEHICLE_RULES, instance.fleet, VehicleType("", 0))
    used |= {name for name, is_used in INSTANCE_RULES.items() if is_used(instance)}
    return frozenset(used if used & TIME_RULES else used - DURATION_RULES)


def customers_with_rules(instance: Instance) -> list[int]:
    """Indices of the customers with any rule."""
    values_of = attrgetter(*CUSTOMER_RULES)
    defaults = values_of(Customer("", 0, 0))
    return [k for k, values in enumerate(map(values_of, instance.customers)) if values != defaults]


def _changed(names: Iterable[str], records: Iterable[Any], default: Any) -> set[str]:
    """Names of the fields in which any record differs from the default."""
    return {
        name
        for record in records
        for name in names
        if getattr(record, name) != getattr(default, name)
    }


def _uses_other_depots(instance: Instance) -> bool:
    """Whether some route may start or end elsewhere than at the first depot."""
    first = instance.depots[0].id
    used = {depot for v in instance.fleet for depot in (v.depot, v.end_depot)}
    return bool(used - {first, None})
