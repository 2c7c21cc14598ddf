"""Visits and quantities: known customers, demands, and how they may be split."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from numbers import Integral

import numpy as np

from splitroute.instance import Customer, Instance
from splitroute.instance.customers import customer_name
from splitroute.solution import Solution
from splitroute.validation.columns import Columns, all_int
from splitroute.validation.values import Claims, Violation


def type_violations(solution: Solution) -> list[Violation]:
    """Customers and quantities that are not whole numbers."""
    numbers = chain.from_iterable(chain.from_iterable([r.visits for r in solution.routes]))
    if all_int(numbers):
        return []
    violations = []
    for number, route in enumerate(solution.routes, 1):
        for customer, quantity in route.visits:
            if not isinstance(customer, Integral):
                message = f"route {number} visits customer {customer}, which is not a whole number"
                violations.append(Violation("customer", message))
            if not isinstance(quantity, Integral):
                message = (
                    f"route {number} delivers {quantity} units to customer {customer}; "
                    "quantities must be whole numbers"
                )
                violations.append(Violation("quantity", message))
    return violations


def visit_violations(instance: Instance, columns: Columns) -> list[Violation]:
    """Unknown customers, and quantities that are too small."""
    last, min_quantity = len(instance.customers), 0 if instance.pass_through else 1
    is_unknown = (columns.customer < 1) | (columns.customer > last)
    is_too_small = columns.quantity < min_quantity
    violations = []
    for k in np.flatnonzero(is_unknown | is_too_small).tolist():
        number, customer = columns.route[k] + 1, columns.customer[k]
        if is_unknown[k]:
            message = f"route {number} visits customer {customer}; customers are 1 to {last}"
            violations.append(Violation("customer", message))
        if is_too_small[k]:
            message = (
                f"route {number} delivers {int(columns.quantity[k]) * instance.unit} "
                f"to customer {customer}; a visit must deliver more than 0"
                f"{'' if columns.quantity[k] else ', except with pass_through'}"
            )
            violations.append(Violation("quantity", message))
    return violations


def demand_violations(instance: Instance, columns: Columns, claims: Claims) -> list[Violation]:
    """Demands that are exceeded or, if they are mandatory, not met; and false claims of both."""
    delivered = columns.totals(columns.customer, len(instance.customers) + 1)[1:]
    violations = []
    missing = {}
    for number, (total, customer) in enumerate(zip(delivered, instance.customers, strict=True), 1):
        if total == customer.demand:
            continue
        missing[number] = customer.demand - total
        if total > customer.demand or not (instance.partial or customer.penalty is not None):
            message = (
                f"{customer_name(instance, number)} receives {total * instance.unit}; "
                f"its demand is {customer.demand * instance.unit}"
            )
            violations.append(Violation("demand", message))
    if claims.undelivered is None:
        return violations
    for number in sorted({*missing, *claims.undelivered}):
        stated, true = claims.undelivered.get(number, 0), max(0, missing.get(number, 0))
        if stated != true and 1 <= number <= len(instance.customers):
            message = (
                f"the stated undelivered quantity of {customer_name(instance, number)} is "
                f"{stated * instance.unit}; it is {true * instance.unit}"
            )
            violations.append(Violation("undelivered", message))
    return violations


def load_violations(instance: Instance, columns: Columns, claims: Claims) -> list[Violation]:
    """False claims about loads."""
    return [
        Violation(
            "load",
            f"the stated load of route {number} is {claim * instance.unit}; "
            f"it carries {load * instance.unit}",
        )
        for number, (claim, load) in enumerate(zip(claims.loads, columns.loads, strict=False), 1)
        if claim is not None and claim != load
    ]


def split_violations(instance: Instance, columns: Columns) -> list[Violation]:
    """Customers that are visited more often, or with other quantities, than they allow."""
    violations = []
    if not instance.splittable:
        counts = Counter(columns.customer[columns.quantity != 0].tolist())
        violations = [
            Violation(
                "split",
                f"{customer_name(instance, number)} is visited {count} times; "
                "splitting is disabled",
            )
            for number, count in sorted(counts.items())
            if count > 1
        ]
    if not instance.rules:
        return violations
    for number, visits in sorted(columns.by_customer().items()):
        if 1 <= number <= len(instance.customers):
            violations += _visits_of_customer(instance, number, visits)
    return violations


def _visits_of_customer(
    instance: Instance, number: int, visits: list[tuple[int, int]]
) -> list[Violation]:
    customer, count = instance.customers[number - 1], len(visits)
    name = customer_name(instance, number)
    violations = [
        Violation("visit", f"route {route} visits {name} {times} times; a trip may visit it once")
        for route, times in Counter(route for route, _ in visits).items()
        if times > 1
    ]
    if not customer.splittable and count > 1:
        message = f"{name} is visited {count} times; it must not be split"
        violations.append(Violation("splittable", message))
    if customer.max_visits is not None and count > customer.max_visits:
        message = f"{name} is visited {count} times; max_visits is {customer.max_visits}"
        violations.append(Violation("max_visits", message))
    parts = [(route, q) for route, q in visits if q != customer.demand]
    unit = instance.unit
    for route, quantity in parts:
        if quantity < customer.min_drop:
            message = (
                f"route {route} delivers {quantity * unit} to {name}, "
                f"{(customer.min_drop - quantity) * unit} less than its min_drop of "
                f"{customer.min_drop * unit}"
            )
            violations.append(Violation("min_drop", message))
    return violations + _lot_violations(instance, customer, name, parts)


def _lot_violations(
    instance: Instance, customer: Customer, name: str, parts: list[tuple[int, int]]
) -> list[Violation]:
    lot, unit = customer.lot, instance.unit
    rest = customer.demand % lot
    broken = [(route, q) for route, q in parts if q % lot]
    if rest:
        # One visit may deliver the rest, with or without whole lots.
        first = next((part for part in broken if part[1] % lot == rest), None)
        broken = [part for part in broken if part is not first]
    allowed = f"its lot is {lot * unit}"
    if rest:
        allowed += f", and one visit may deliver the remaining {rest * unit}"
    return [
        Violation(
            "lot",
            f"route {route} delivers {q * unit} to {name}, {q % lot * unit} more than whole lots; "
            f"{allowed}",
        )
        for route, q in broken
    ]
