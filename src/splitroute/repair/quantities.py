"""Quantities of one customer's visits that its rules allow, close to those found."""

from __future__ import annotations

from collections.abc import Sequence

from splitroute.instance import Customer


def admissible_quantities(
    customer: Customer, found: Sequence[int], splittable: bool, is_mandatory: bool
) -> list[int]:
    """Return a quantity for each visit, at most the one found; 0 removes the visit.

    Earlier visits are kept rather than later ones. What is missing can be delivered by other
    visits if it is mandatory.
    """
    max_visits = (customer.max_visits or len(found) + customer.demand) if splittable else 1
    for count in range(min(len(found), max_visits), 0, -1):
        kept = _reduced(customer, found[:count])
        visits = sum(quantity > 0 for quantity in kept)
        missing = customer.demand - sum(kept)
        can_be_completed = visits < max_visits and missing >= customer.min_drop
        if visits and (not missing or not is_mandatory or can_be_completed):
            return [*kept, *[0] * (len(found) - count)]
    return [0] * len(found)


def _reduced(customer: Customer, found: Sequence[int]) -> list[int]:
    """The quantities reduced to admissible ones that do not exceed the demand."""
    missing, has_rest = customer.demand, False
    rest = customer.demand % customer.lot
    kept = []
    for available in found:
        quantity = min(available, missing)
        if quantity != customer.demand:
            lots = quantity - quantity % customer.lot
            with_rest = quantity - (quantity - rest) % customer.lot
            quantity = lots if has_rest or not rest else max(lots, with_rest)
        if quantity != customer.demand and quantity < customer.min_drop:
            quantity = 0
        quantity = max(0, quantity)
        has_rest = has_rest or quantity % customer.lot > 0
        kept.append(quantity)
        missing -= quantity
    return kept
