"""Cordeau's format: several depots, limits of duration and load, and windows."""

import pytest

from splitroute.errors import InputError
from splitroute.formats import cordeau, min_customers, parse
from splitroute.testing import check_format

MDVRP = """\
2 3 2 2
0 80
200 70
1 37 52 2.5 7 1 2 1 2
2 49 49 0 30 1 2 1 2
3 20 20 0 0 0 0
4 30 40 0 0 0 0
"""
VRPTW = """\
4 2 1 1
100 80
0 20 20 0 0 0 0 0 240
1 37 52 10 7 1 1 1 15 45
"""


def test_several_depots() -> None:
    instance = parse(MDVRP, "p99.txt")
    assert instance.name == "p99"
    assert [d.id for d in instance.depots] == ["depot1", "depot2"]
    assert instance.places == ((20, 20), (30, 40), (37, 52), (49, 49))
    first, second = instance.fleet
    assert (first.type, first.depot, first.count, first.capacity) == ("from1", "depot1", 3, 80)
    assert (first.max_duration, second.max_duration) == (None, 200)
    assert (second.depot, second.capacity) == ("depot2", 70)
    assert [(c.demand, c.service, c.place) for c in instance.customers] == [(7, 2.5, 2), (30, 0, 3)]
    assert {"fleet", "depots", "max_duration", "service"} <= instance.rules


def test_windows_and_one_depot() -> None:
    instance = parse(VRPTW, "pr99.txt")
    assert instance.depots[0].windows == ((0, 240),)
    assert instance.places == ((20, 20), (37, 52))
    assert instance.customers[0].windows == ((15, 45),)
    assert (instance.vehicles, instance.fleet[0].max_duration) == (2, 100)


def test_windows_and_several_depots() -> None:
    rows = MDVRP.splitlines()
    text = "\n".join(["6" + rows[0][1:], *rows[1:3], *(f"{row} 5 {row[0]}00" for row in rows[3:])])
    instance = parse(text, "pr99.txt")
    assert [d.windows for d in instance.depots] == [((5, 300),), ((5, 400),)]
    assert [c.windows for c in instance.customers] == [((5, 100),), ((5, 200),)]


def test_it_is_recognized_among_texts() -> None:
    assert parse("\n  " + MDVRP, "p99.txt").capacity == 80
    assert min_customers(MDVRP, "cordeau") == 2


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("2 3 2 2", "1 3 2 2", 1, r"type is PVRP; supported: 0 \(VRP\), 2 \(MDVRP\)"),
        ("2 3 2 2", "0 3 2 2", 1, "t is 2; VRP has 1 depot"),
        ("2 3 2 2", "2 0 2 2", 1, "m is 0; it must be a whole number from 1"),
        ("2 3 2 2", "2 3 4 2", 1, "7 rows; 2 depots and 4 customers need 9: 1 . 2 . 6"),
        ("0 80", "0 80 1", 2, "3 numbers; depot 1 has 2"),
        ("200 70", "-1 70", 3, "max_duration of depot 2 is -1"),
        ("200 70", "200 0", 3, "capacity of depot 2 is 0"),
        ("1 37 52 2.5 7 1", "1 37 52 2.5 7 2", 4, "frequency of customer 1 is 2; it must be 1"),
        ("1 2 1 2\n2", "1 1 1\n2", 4, "combinations of customer 1 is 1; it must be 2"),
        ("2 49 49", "5 49 49", 5, "found node 5; expected node 2"),
        ("2 49 49 0", "2 49 49 x", 5, "service of customer 2 is x"),
        ("30 1 2 1 2", "30 1 2 1 2 5 9", 5, "customer 2 has 7, 2 visit combinations, and no win"),
        ("3 20 20 0 0 0 0", "3 20 20", 6, "3 numbers; a row has at least 7"),
    ],
)
def test_errors_have_the_line(old: str, new: str, line: int, message: str) -> None:
    assert MDVRP.count(old) == 1
    with pytest.raises(InputError, match=message) as caught:
        parse(MDVRP.replace(old, new), "p99.txt")
    assert caught.value.line == line


def test_it_keeps_the_contract() -> None:
    check_format(cordeau)
