"""Benchmark instances in JSON equal those in the formats of their authors."""

from collections.abc import Callable
from pathlib import Path

import splitroute as sr
from splitroute.formats import parse


def test_solomon(benchmark_file: Callable[[str], Path]) -> None:
    for path in sorted(benchmark_file("rich/solomon/C101.json").parent.glob("*.json")):
        expected = sr.read(path)
        depot, *customers = expected.places
        ((opening, closing),) = expected.depots[0].windows
        rows = [f"0 {depot.x} {depot.y} 0 {opening} {closing} 0"]
        for number, (customer, place) in enumerate(
            zip(expected.customers, customers, strict=True), 1
        ):
            ((opening, closing),) = customer.windows
            times = f"{opening} {closing} {customer.service}"
            rows.append(f"{number} {place.x} {place.y} {customer.demand} {times}")
        head = f"{expected.name}\nVEHICLE\n25 {expected.capacity}\nCUSTOMER\n"
        instance = parse(head + "\n".join(rows), "it.txt")
        assert instance.name == expected.name
        assert instance.customers == expected.customers
        assert instance.places == expected.places
        assert instance.depots == expected.depots


def test_cordeau(benchmark_file: Callable[[str], Path]) -> None:
    for path in sorted(benchmark_file("rich/mdvrp/p01.json").parent.glob("*.json")):
        expected = sr.read(path)
        depots, customers = len(expected.depots), expected.customers
        codes = " ".join(str(2**k) for k in range(depots))
        rows = [f"2 {expected.fleet[0].count} {len(customers)} {depots}"]
        rows += [f"{v.max_duration or 0} {v.capacity}" for v in expected.fleet]
        for number, customer in enumerate(customers, 1):
            x, y = expected.places[customer.place]
            times = f"{customer.service} {customer.demand}"
            rows.append(f"{number} {x} {y} {times} 1 {depots} {codes}")
        for number, (x, y) in enumerate(expected.places[:depots], len(customers) + 1):
            rows.append(f"{number} {x} {y} 0 0 0 0")
        assert parse("\n".join(rows), f"{expected.name}.txt") == expected
