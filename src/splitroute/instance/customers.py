"""Customers of an instance, and where they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from splitroute.instance.vehicles import Windows

if TYPE_CHECKING:
    from splitroute.instance import Instance


class Place(NamedTuple):
    """A point in the plane; for the haversine metric x is longitude and y latitude."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Customer:
    """A customer: its id, demand and place, an index into the places, of which 0 is a depot.

    Quantities are multiples of the instance's unit; `service_per_unit` and `penalty` are per 1, as
    users count.
    """

    id: str
    demand: int
    place: int
    note: str = ""  # such as a name or an address
    windows: Windows = ()  # in which service must start; empty for always
    service: float = 0.0  # time per visit
    service_per_unit: float = 0.0
    splittable: bool = True  # else it has one visit at most
    min_drop: int = 0  # smallest quantity of a visit, unless it delivers the whole demand
    max_visits: int | None = None
    lot: int = 1  # quantities are multiples of it; one visit may deliver the rest as well
    extra_visit_cost: float = 0.0  # for each visit beyond the first
    vehicle_types: tuple[str, ...] | None = None  # that may serve it; None for all
    penalty: float | None = None  # per undelivered unit; without it the demand is mandatory


def customer_name(instance: Instance, number: int) -> str:
    """A customer (1..n) as messages name it: by its number, and its id if that differs."""
    id = instance.customers[number - 1].id
    return f"customer {number}" if id == str(number) else f"customer {number} ({id})"
