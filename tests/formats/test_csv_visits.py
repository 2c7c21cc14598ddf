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
        "route,vehicle_type,vehicle,trip,departure,return,visit,number,id,x,y,quantity,remaining,"
        "arrival,start,end"
    )
    trip = "08:25:00,08:38:00"  # all times of a column have seconds, so that they sort
    assert rows[1] == f"1,truck,2,1,{trip},1,1,1,3,4,6,0,08:30:00,08:30:00,08:33:00"
    trip = "08:38:00,08:58:15"
    assert rows[2] == f"2,truck,2,2,{trip},1,2,2,6,8,3,0,08:48:00,08:48:00,08:48:15"
    assert rows[3].startswith("3,van,,1,00:00:00,00:20:15,1,2,2,")


def test_depots_have_columns_if_there_are_several(
    two_depots: tuple[sr.Instance, Solution],
) -> None:
    instance, solution = two_depots
    rows = [row.split(",") for row in dump_solution(instance, solution).splitlines()]
    columns = ["vehicle_type", "trip", "depot", "end_depot", "departure", "return"]
    indices = [rows[0].index(column) for column in columns]
    assert [[row[k] for k in indices] for row in (rows[1], rows[3], rows[5], rows[6])] == [
        ["van", "1", "north", "north", "07:49:39", "09:10:16"],
        ["truck", "1", "south", "north", "06:35:16", "08:07:57"],
        ["van", "2", "north", "north", "09:25:16", "10:29:14"],
        [""] * 6,  # undelivered
    ]
    parsed = parse_solution(dump_solution(instance, solution), instance, "it.csv")
    assert parsed.solution == solution
    assert parsed.violations(instance) == []


def test_times_are_numbers_without_a_clock() -> None:
    instance = sr.Instance.create(
        9, [6], [(0, 0), (3, 4)], windows=[((7.5, 9.0),)], dialect=Dialect(";", ",")
    )
    rows = dump_solution(instance, Solution((Route((Visit(1, 6),)),))).splitlines()
    assert rows == [
        "route;departure;return;visit;number;id;x;y;quantity;remaining;arrival;start;end",
        "1;2,5;12,5;1;1;1;3;4;6;0;7,5;7,5;7,5",
    ]


def test_what_is_written_is_read_back() -> None:
    text = dump_solution(INSTANCE, SOLUTION)
    assert parse_solution(text, INSTANCE, "it.csv").solution == SOLUTION


def test_plain_solutions_have_neither() -> None:
    instance = sr.Instance.create(9, [6], [(0, 0), (3, 4)])
    text = dump_solution(instance, Solution.unsplit(instance, [[1]]))
    assert text.splitlines()[0] == "route,visit,number,id,x,y,quantity,remaining"


PARTIAL = sr.Instance.create(
    90, [600, 45], [(0, 0), (3, 4), (6, 8)], ids=["a", "b"], unit="0.1", partial=True,
    vehicles=1, dialect=Dialect(";", ","),
)  # fmt: skip
PART = Solution((Route((Visit(1, 90),)),))


def test_undelivered_quantities_have_rows_without_a_route() -> None:
    rows = dump_solution(PARTIAL, PART).splitlines()
    assert rows[0] == "route;visit;number;id;x;y;quantity;remaining;undelivered;reason"
    assert rows[1] == "1;1;1;a;3;4;9;0;;"
    assert rows[2].startswith(";;1;a;3;4;;;51;the fleet is too small by")
    assert rows[3].startswith(";;2;b;6;8;;;4,5;the fleet is too small by")


def test_undelivered_quantities_are_read_back_as_claims() -> None:
    parsed = parse_solution(dump_solution(PARTIAL, PART), PARTIAL, "it.csv")
    assert parsed.solution == PART
    assert parsed.claims.undelivered == {1: 510, 2: 45}
    assert parsed.violations(PARTIAL) == []


def test_a_false_undelivered_quantity_is_found() -> None:
    text = dump_solution(PARTIAL, PART).replace(";4,5;", ";4,4;")
    [violation] = parse_solution(text, PARTIAL, "it.csv").violations(PARTIAL)
    assert violation.kind == "undelivered"
    assert "of customer 2 (b) is 4.4; it is 4.5" in violation.message


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
