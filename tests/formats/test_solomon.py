"""Solomon's format: windows, service times and a limited number of vehicles."""

import pytest

from splitroute.errors import InputError
from splitroute.formats import min_customers, parse, solomon
from splitroute.testing import check_format

TEXT = """\
tiny

VEHICLE
NUMBER     CAPACITY
  3         20

CUSTOMER
CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE   TIME

    0      40         50          0          0       240          0
    1      45         68         10        161       171         10
    2      45.5       70         30          0        60          9.5
"""


def test_an_instance() -> None:
    instance = parse(TEXT, "tiny.txt")
    assert (instance.name, instance.capacity, instance.vehicles) == ("tiny", 20, 3)
    assert instance.metric == "exact"
    assert instance.depots[0].windows == ((0, 240),)
    assert instance.places == ((40, 50), (45, 68), (45.5, 70))
    assert [c.demand for c in instance.customers] == [10, 30]
    assert [c.windows for c in instance.customers] == [((161, 171),), ((0, 60),)]
    assert [c.service for c in instance.customers] == [10, 9.5]
    assert instance.rules == {"windows", "depot_windows", "service"}


def test_options() -> None:
    instance = parse(TEXT, "tiny.txt", metric="dimacs", capacity=50, scale=10)
    assert (instance.metric, instance.capacity, instance.places[0]) == ("dimacs", 50, (4, 5))
    with pytest.raises(InputError, match="'haversine' does not match Solomon's format"):
        parse(TEXT, "tiny.txt", metric="haversine")


def test_a_file_without_a_name_is_named_after_the_file() -> None:
    assert parse(TEXT.removeprefix("tiny\n"), "C999.txt").name == "C999"


def test_it_is_recognized_among_texts() -> None:
    assert parse("1 5\n3\n0 0\n1 1\n", "list.txt").capacity == 5
    assert parse(TEXT.replace("\n", "\r\n"), "TINY.TXT").capacity == 20
    assert min_customers(TEXT, "solomon") == 2


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("  3         20", "  3", 5, "below VEHICLE there must be one row"),
        ("  3         20", "  0  20", 5, "vehicles is 0; it must be a whole number from 1"),
        ("  3         20", "  3  x", 5, "capacity is x"),
        ("45.5 ", "north", 12, "x of customer 2 is north; it must be a finite number"),
        ("161       171", "171       161", 11, "close of customer 1 is 161; it must not be before"),
        ("    1 ", "    7 ", 11, "found customer 7; expected 1"),
        ("         9.5", "", 12, "6 numbers; a row has 7: number, x, y, demand, open"),
        ("9.5", "-1", 12, "service of customer 2 is -1; it must be at least 0"),
        ("    30 ", "    -3 ", 12, "demand of customer 2 is -3"),
    ],
)
def test_errors_have_the_line(old: str, new: str, line: int, message: str) -> None:
    assert old in TEXT
    with pytest.raises(InputError, match=message) as caught:
        parse(TEXT.replace(old, new), "tiny.txt")
    assert caught.value.line == line


def test_headings_are_required() -> None:
    with pytest.raises(InputError, match="no row VEHICLE"):
        parse("hello\nCUSTOMER\n", "tiny.txt", format="solomon")
    with pytest.raises(InputError, match="no row below CUSTOMER"):
        parse("VEHICLE\n3 20\nCUSTOMER\n", "tiny.txt")


def test_it_keeps_the_contract() -> None:
    check_format(solomon)
