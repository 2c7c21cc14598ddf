"""The field's coordinate lists (.txt .sd .cri): `n Q`, n demands, n + 1 places, depot first."""

import re
from decimal import Decimal
from itertools import islice

from splitroute.errors import InputError
from splitroute.formats import Reading
from splitroute.formats._numbers import coordinate, plain, quantity, short, shown
from splitroute.instance import Instance

INSTANCE_SUFFIXES = (".txt", ".sd", ".cri")

LONGEST_HEAD = 1000


def parse_instance(text: str, reading: Reading) -> Instance:
    """The instance; white space and line ends may vary."""
    if reading.depot is not None:
        raise InputError(f"{reading.name}: --depot is for a CSV; this file has its own")
    unit = reading.unit or Decimal(1)
    body = text.lstrip()
    first = text.count("\n", 0, len(text) - len(body)) + 1
    where = f"{reading.name}:{first}"
    start = body[:LONGEST_HEAD].splitlines()[0]
    head = start.split()
    if len(head) != 2 or not head[0].isdecimal() or len(head[0]) > 9:
        raise InputError(
            f"{where}: found {shown(start.strip())!r}; the first line of a coordinate list holds "
            "the number of customers and the capacity"
        )
    count = int(head[0])
    capacity = quantity(head[1], unit, "capacity", where)
    if reading.capacity is not None:
        capacity = quantity(str(reading.capacity), unit, "capacity", "--capacity")

    rest = body[len(start) :]
    expected = count + 2 * (count + 1)
    # Counted before they are kept: a wrong file may hold millions.
    found = sum(1 for _ in islice(re.finditer(r"\S+", rest), expected + 1))
    if found != expected:
        many = f"more than {expected}" if found > expected else str(found)
        raise InputError(
            f"{reading.name}: {many} numbers after the first line; {count} customers need "
            f"{expected}: {count} demands and {2 * (count + 1)} coordinates"
        )
    words = [(word, k) for k, line in enumerate(rest.split("\n"), first) for word in line.split()]
    demands = [
        quantity(word, unit, f"demand of customer {k}", f"{reading.name}:{line}")
        for k, (word, line) in enumerate(words[:count], 1)
    ]
    numbers = [
        coordinate(word, f"a coordinate of place {k // 2}", f"{reading.name}:{line}")
        for k, (word, line) in enumerate(words[count:])
    ]
    places = [
        (x / reading.scale, y / reading.scale)
        for x, y in zip(numbers[::2], numbers[1::2], strict=True)
    ]
    if reading.metric == "matrix":
        raise InputError(f"{reading.name}: a coordinate list holds no matrix")
    return Instance.create(
        capacity, demands, places, metric=reading.metric, name=reading.stem, unit=unit
    )


def dump_instance(instance: Instance) -> str:
    """The text; ids, names and the metric have no place in it."""
    if not instance.places or instance.metric in ("haversine", "matrix"):
        raise InputError(
            f"a coordinate list holds places in the plane, not the metric {instance.metric!r}; "
            "write json or csv"
        )
    if instance.vehicles is not None:
        raise InputError("a coordinate list cannot hold a number of vehicles; write json or csv")
    places = [instance.places[p] for p in instance.sites.tolist()]
    demands = " ".join(plain(instance, customer.demand) for customer in instance.customers)
    rows = [f"{short(x)} {short(y)}" for x, y in places]
    head = f"{len(instance.customers)} {plain(instance, instance.capacity)}"
    return "\n".join([head, demands, *rows, ""])
