"""Coordinate lists (.txt .sd .cri): `n Q`, n demands, and n + 1 places with the depot first."""

import re
from itertools import islice

from splitroute.errors import InputError
from splitroute.formats import Capabilities, ReadOptions
from splitroute.formats._errors import ErrorCollector, input_error
from splitroute.formats._nodes import check_metric
from splitroute.formats._numbers import (
    MAX_COUNT_DIGITS,
    Field,
    Quantities,
    excerpt,
    format_float,
    format_quantity,
    parse_coordinate,
)
from splitroute.instance import Instance

MAX_HEADER = 1000  # characters of the first line


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance; white space and line ends may vary."""
    body = text.lstrip()
    first = text.count("\n", 0, len(text) - len(body)) + 1
    header = next(iter(body[:MAX_HEADER].splitlines()), "")
    words = header.split()
    if len(words) != 2 or not words[0].isdecimal() or len(words[0]) > MAX_COUNT_DIGITS:
        raise input_error(
            f"found {excerpt(header.strip())!r}; the first line of a coordinate list must be "
            "the number of customers and the capacity",
            options.name,
            first,
        )
    check_metric("a coordinate list", options)
    count = int(words[0])
    numbers = _numbers(body[len(header) :], count, options.name, first)
    errors = ErrorCollector(options.name)
    quantities = Quantities(options.unit, errors)
    if options.capacity is None:
        quantities.add(words[1], Field("capacity", options.name, first))
    else:
        quantities.add(str(options.capacity), Field("capacity", options.name))
    for k, (word, line) in enumerate(numbers[:count], 1):
        quantities.add(word, Field("demand", options.name, line, f"customer {k}"))
    coordinates = []
    for k, (word, line) in enumerate(numbers[count:]):
        with errors:
            field = Field("y" if k % 2 else "x", options.name, line, f"place {k // 2}")
            coordinates.append(parse_coordinate(word, field) / options.scale)
    unit, (capacity, *demands) = quantities.to_units()
    places = list(zip(coordinates[::2], coordinates[1::2], strict=True))
    return Instance.create(
        capacity,
        demands,
        places,
        metric=options.metric,
        name=options.stem,
        unit=unit,
        speed=options.speed,
        partial=options.partial,
    )


def _numbers(text: str, customers: int, file: str, first: int) -> list[tuple[str, int]]:
    """The words below the first line, each with its line; raise unless they are all there."""
    required = customers + 2 * (customers + 1)
    # Counted before they are kept: a wrong file may hold millions.
    found = sum(1 for _ in islice(re.finditer(r"\S+", text), required + 1))
    if found != required:
        count = f"more than {required}" if found > required else str(found)
        raise input_error(
            f"{count} numbers below the first line; {customers} customers need {required}: "
            f"{customers} demands and {2 * (customers + 1)} coordinates",
            file,
            first,
        )
    return [(word, k) for k, line in enumerate(text.split("\n"), first) for word in line.split()]


def _min_customers(text: str) -> int:
    """The number of customers in the first line."""
    match = re.match(r"\s*(\d{1,15})\s", text)
    return int(match[1]) if match else 0


def dump_instance(instance: Instance) -> str:
    """Capacity, demands and places; ids, name and metric are lost."""
    if not instance.places or instance.metric in ("haversine", "matrix"):
        raise InputError(
            f"a coordinate list holds x and y, not the metric {instance.metric!r}; "
            "write .json or .csv",
            field="metric",
            value=instance.metric,
        )
    if instance.rules or instance.has_times:
        names = ", ".join(sorted(instance.rules)) or "times"
        raise InputError(
            f"a coordinate list cannot hold {names}; write .json",
            field="rules",
            value=sorted(instance.rules),
        )
    if instance.vehicles is not None:
        raise InputError(
            "a coordinate list cannot hold a number of vehicles; write .json or .csv",
            field="vehicles",
            value=instance.vehicles,
        )
    places = [instance.places[p] for p in instance.sites.tolist()]
    demands = " ".join(
        format_quantity(instance, customer.demand) for customer in instance.customers
    )
    rows = [f"{format_float(x)} {format_float(y)}" for x, y in places]
    header = f"{len(instance.customers)} {format_quantity(instance, instance.capacity)}"
    return "\n".join([header, demands, *rows, ""])


CAPABILITIES = Capabilities(instance_suffixes=(".txt", ".sd", ".cri"), min_customers=_min_customers)
