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
    with pytest.raises(InputError, match="closes at 30.*arrives at 50"):
        parse(text, name)
    assert parse(text, name, partial=True).partial
    assert parse(text, name, speed=2).travel_speed == 2
    with pytest.raises(InputError, match="closes at 100.*arrives at 500"):
        parse(text, name, speed=0.01)
