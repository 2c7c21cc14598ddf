"""Benchmark files with a customer that cannot be served: options that help, and where it is."""

import pytest

from splitroute.errors import InputError
from splitroute.formats import parse

# Customer 2 is 50 away, and its window closes at 30.
SOLOMON = """\
late
VEHICLE
NUMBER CAPACITY
3 20
CUSTOMER
CUST NO. XCOORD. YCOORD. DEMAND READY DUE SERVICE
0  0  0  0 0 240 0
1  3  4 10 0 100 1
2 30 40 10 0  30 1
"""
CORDEAU = """\
4 2 2 1
0 80
0  0  0 0  0 0 0 0 240
1  3  4 1 10 1 1 1 0 100
2 30 40 1 10 1 1 1 0 30
"""
VRPLIB = """\
NAME : late
DIMENSION : 3
EDGE_WEIGHT_TYPE : EXACT_2D
CAPACITY : 20
NODE_COORD_SECTION
1 0 0
2 3 4
3 30 40
DEMAND_SECTION
1 0
2 10
3 10
TIME_WINDOW_SECTION
1 0 240
2 0 100
3 0 30
EOF
"""
FILES = pytest.mark.parametrize(
    ("text", "name"), [(SOLOMON, "s.txt"), (CORDEAU, "c.txt"), (VRPLIB, "v.vrp")]
)


@FILES
def test_partial_and_speed_count_before_an_instance_is_found_infeasible(
    text: str, name: str
) -> None:
    with pytest.raises(InputError, match=r"closes at 30.*arrives at 50"):
        parse(text, name)
    assert parse(text, name, partial=True).partial
    assert parse(text, name, speed=2).travel_speed == 2
    with pytest.raises(InputError, match=r"closes at 100.*arrives at 500"):
        parse(text, name, speed=0.01)


def error_of(text: str, name: str) -> InputError:
    with pytest.raises(InputError) as caught:
        parse(text, name)
    return caught.value


@pytest.mark.parametrize(
    ("text", "name", "line"), [(SOLOMON, "s.txt", 9), (CORDEAU, "c.txt", 5), (VRPLIB, "v.vrp", 16)]
)
def test_the_line_of_a_customer(text: str, name: str, line: int) -> None:
    error = error_of(text, name)
    assert (error.file, error.line, error.field) == (name, line, "windows")
    assert error.code == "infeasible"


@pytest.mark.parametrize(
    ("text", "name", "old", "new", "line", "message"),
    [
        (SOLOMON, "s.txt", "100 1", "100 1e13", 8, "service of customer 1 is"),
        (SOLOMON, "s.txt", "0 240", "-9 240", 7, "windows of depot 'depot' is"),
        (CORDEAU, "c.txt", "3  4 1 ", "3  4 1e13 ", 4, "service of customer 1 is"),
        (CORDEAU, "c.txt", "0 80", "5 80", 2, "max_duration of 'from1' is 5"),
        (VRPLIB, "v.vrp", "1 0 240", "1 -9 240", 14, "windows of depot 'depot' is"),
        (VRPLIB, "v.vrp", "TIME", "SERVICE_TIME_SECTION\n1 0\n2 1e13\n3 0\nTIME", 15,
         "service of customer 1 is"),
        (VRPLIB, "v.vrp", "NODE", "DISTANCE : 5\nNODE", 5, "max_distance of 'vehicle' is 5"),
        (VRPLIB, "v.vrp", "NODE", "DISTANCE : 50\nNODE", 13, "max_distance of 'vehicle' is 50"),
        (VRPLIB, "v.vrp", "NODE", "VEHICLES_FIXED_COST : 1e13\nNODE", 5, "fixed_cost of"),
    ],
)  # fmt: skip
def test_the_line_of_a_rule(
    text: str, name: str, old: str, new: str, line: int, message: str
) -> None:
    error = error_of(text.replace(old, new, 1), name)
    assert message in str(error)
    assert str(error).startswith(f"{name}:{line}: ")
