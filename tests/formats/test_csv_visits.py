"""CSV of visits with vehicles and times."""

import pytest

import splitroute as sr
from splitroute.files import Dialect
from splitroute.formats.csv import dump_solution, parse_solution
from splitroute.instance import VehicleType
from splitroute.solution import Route, Solution, Visit

INSTANCE = sr.Instance.create(
    None,
    [6, 4],
    [(0, 0), (3, 4), (6, 8)],
    name="it",
    vehicles=[
        VehicleType("van", 4, 1),
        VehicleType("truck", 8, 2, shift=(480.0, 600.0), max_trips=2),
    ],
    windows=[((510.0, 520.0),), ()],
    service=[3.0, 0.25],
    clock=True,
)
SOLUTION = Solution(
    (Route((Visit(1, 6),), 1, 2, 1), Route((Visit(2, 3),), 1, 2, 2), Route((Visit(2, 1),)))
)


def test_vehicles_and_times_have_columns() -> None:
    rows = dump_solution(INSTANCE, SOLUTION).splitlines()
    assert rows[0] == (
        "route,vehicle_type,vehicle,trip,visit,number,id,x,y,quantity,remaining,arrival,start,end"
    )
    assert rows[1] == "1,truck,2,1,1,1,1,3,4,6,0,08:30,08:30,08:33"
    assert rows[2].startswith("2,truck,2,2,1,2,2,6,8,3,0,08:48,08:48,08:48:15")
    assert rows[3].startswith("3,van,,1,1,2,2,")


def test_times_are_numbers_without_a_clock() -> None:
    instance = sr.Instance.create(
        9, [6], [(0, 0), (3, 4)], windows=[((7.5, 9.0),)], dialect=Dialect(";", ",")
    )
    rows = dump_solution(instance, Solution((Route((Visit(1, 6),)),))).splitlines()
    assert rows == [
        "route;visit;number;id;x;y;quantity;remaining;arrival;start;end",
        "1;1;1;1;3;4;6;0;7,5;7,5;7,5",
    ]


def test_what_is_written_is_read_back() -> None:
    text = dump_solution(INSTANCE, SOLUTION)
    assert parse_solution(text, INSTANCE, "it.csv").solution == SOLUTION


def test_plain_solutions_have_neither() -> None:
    instance = sr.Instance.create(9, [6], [(0, 0), (3, 4)])
    text = dump_solution(instance, Solution.unsplit(instance, [[1]]))
    assert text.splitlines()[0] == "route,visit,number,id,x,y,quantity,remaining"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,lorry,1,1,1,2", "it.csv:3: vehicle_type is lorry; the vehicle types are van, truck"),
        ("1,van,one,1,1,2", "it.csv:3: vehicle is one; it must be a whole number"),
        ("1,van,1,2,1,2", "it.csv:3: another vehicle than in the first row of route 1"),
    ],
)
def test_errors_have_a_line(row: str, message: str) -> None:
    text = f"route,vehicle_type,vehicle,trip,number,quantity\n1,van,1,1,2,2\n{row}\n"
    with pytest.raises(sr.InputError, match=message):
        parse_solution(text, INSTANCE, "it.csv")
