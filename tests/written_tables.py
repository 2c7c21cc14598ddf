"""Tables of customers for tests."""

from decimal import Decimal

import splitroute as sr

BASE = "id{s}x{s}y{s}demand\ndepot{s}0{s}0{s}\n"


def table(*demands: str, separator: str = ";", capacity: str = "99999") -> str:
    """A table of customers with these demands, written as they are."""
    rows = [f"c{k}{separator}1{separator}2{separator}{d}" for k, d in enumerate(demands)]
    head = f"# capacity: {capacity}\n" + BASE.format(s=separator)
    return head + "\n".join(rows) + "\n"


def amounts(instance: sr.Instance) -> list[Decimal]:
    return [customer.demand * instance.unit for customer in instance.customers]
