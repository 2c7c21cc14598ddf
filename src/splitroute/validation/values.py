"""Violations of a solution, and what is claimed about it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

Number = Decimal | float

COST_TOLERANCE = 1e-9  # formulas for the globe differ by this much
TIME_TOLERANCE = 1e-6  # relative; engines may round times
MAX_ROUNDING_TOLERANCE = 0.005  # stated numbers must have at least two decimals


@dataclass(frozen=True, slots=True)
class Violation:
    """A violated constraint or a false claim."""

    # A rule of the instance by its name, such as windows or max_stops; or customer, quantity,
    # capacity, demand, fleet, split, vehicle, vehicle_type, trip, visit or start; or a claim: load,
    # cost, time, undelivered or metric.
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Claims:
    """Stated costs, loads and times of a solution; None where nothing is stated.

    A Decimal counts as rounded to its digits, a float as exact.
    """

    cost: Number | None = None
    route_costs: tuple[Number | None, ...] = ()
    loads: tuple[int | None, ...] = ()
    cost_parts: Mapping[str, Number] = field(default_factory=dict)  # by the names of CostParts
    ends: tuple[Number | None, ...] = ()  # return of each route
    # Arrival, start and end of each visit of each route
    visit_times: tuple[tuple[tuple[Number | None, Number | None, Number | None], ...], ...] = ()
    undelivered: Mapping[int, int] | None = None  # quantity by customer


NO_CLAIMS = Claims()


def agrees(claim: Number, value: float, relative: float = COST_TOLERANCE) -> bool:
    """Whether a stated number is true, to its digits."""
    tolerance = relative
    if isinstance(claim, Decimal) and isinstance(exponent := claim.as_tuple().exponent, int):
        tolerance = max(tolerance, min(MAX_ROUNDING_TOLERANCE, 0.5 * 10.0 ** min(exponent, 0)))
    return math.isclose(float(claim), value, rel_tol=relative, abs_tol=tolerance)


def exceeds(value: float, limit: float) -> bool:
    """Whether a time or distance is above a limit, beyond rounding."""
    return value > limit + TIME_TOLERANCE * max(1.0, abs(limit))
