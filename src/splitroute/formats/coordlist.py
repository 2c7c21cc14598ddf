"""The field's coordinate lists (.txt .sd .cri): `n Q`, n demands, n + 1 places, depot first."""

import re
from itertools import islice

from splitroute.errors import InputError
from splitroute.formats import Reading
from splitroute.formats._faults import Faults
from splitroute.formats._numbers import Quantities, coordinate, plain, short, shown
from splitroute.instance import Instance

INSTANCE_SUFFIXES = (".txt", ".sd", ".cri")

MAX_HEAD = 1000  # characters of the first line


def parse_instance(text: str, reading: Reading) -> Instance:
    """The instance; white space and line ends may vary."""
    if reading.depot is not None:
        raise InputError(
            f"{reading.name}: its depot is stated; `depot` is for a CSV", field="depot"
        )
    body = text.lstrip()
    first = text.count("\n", 0, len(text) - len(body)) + 1
    start = body[:MAX_HEAD].splitlines()[0]
    head = start.split()
    if len(head) != 2 or not head[0].isdecimal() or len(head[0]) > 9:
        raise InputError(
            f"{reading.name}:{first}: found {shown(start.strip())!r}; the first line of a "
            "coordinate list holds the number of customers and the capacity",
            line=first,
        )
    if reading.metric in ("haversine", "matrix"):
        raise InputError(
            f"{reading.name}: a coordinate list holds places in the plane, which the metric "
            f"{reading.metric!r} does not go with",
            field="metric",
            value=reading.metric,
        )
    count = int(head[0])
    rest = body[len(start) :]
    needed = count + 2 * (count + 1)
    # Counted before they are kept: a wrong file may hold millions.
    found = sum(1 for _ in islice(re.finditer(r"\S+", rest), needed + 1))
    if found != needed:
        many = f"more than {needed}" if found > needed else str(found)
        raise InputError(
            f"{reading.name}: {many} numbers after the first line; {count} customers need "
            f"{needed}: {count} demands and {2 * (count + 1)} coordinates",
            line=first,
        )
    words = [(word, k) for k, line in enumerate(rest.split("\n"), first) for word in line.split()]
    faults = Faults(reading.name)
    quantities = Quantities(reading.name, reading.unit, faults)
    if reading.capacity is None:
        quantities.add(head[1], "capacity", first)
    else:
        quantities.add(str(reading.capacity), "capacity")
    for k, (word, line) in enumerate(words[:count], 1):
        quantities.add(word, f"demand of customer {k}", line)
    numbers = []
    for k, (word, line) in enumerate(words[count:]):
        with faults:
            numbers.append(coordinate(word, f"a coordinate of place {k // 2}", reading.name, line))
    unit, (capacity, *demands) = quantities.whole()
    scaled = [number / reading.scale for number in numbers]
    places = list(zip(scaled[::2], scaled[1::2], strict=True))
    return Instance.create(
        capacity, demands, places, metric=reading.metric, name=reading.stem, unit=unit
    )


def min_customers(text: str) -> int:
    """The number that the first line states."""
    stated = re.match(r"\s*(\d{1,15})\s", text)
    return int(stated[1]) if stated else 0


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
