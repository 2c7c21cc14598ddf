"""Vehicle types and depots in tables of their own."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

import splitroute as sr
from splitroute.formats import NamedText, parse
from splitroute.instance import Depot, VehicleType

CUSTOMERS = "id,x,y,demand\na,3,4,6\nb,5,12,2\n"
DEPOTS = NamedText("depots.csv", "id,x,y,open,close\nnorth,0,0,6:00,22:00\nsouth,0,9,,\n")
FLEET = NamedText(
    "fleet.csv",
    "type;count;capacity;depot;end_depot;fixed_cost;cost_per_distance;cost_per_time;shift_start;"
    "shift_end;max_distance;max_duration;max_stops;max_trips;loading;loading_per_unit;min_load\n"
    "van;2;2,5;;;;;;8:00;17:30;;;;2;0:20;0,5;\n"
    "truck;;12;south;north;80;1,5;0,2;;;200;480;9;;;;3\n",
)
TYPES = (
    VehicleType(
        "van", 5, 2, shift=(480.0, 1050.0), max_trips=2, loading=20.0, loading_per_unit=0.5
    ),
    VehicleType(
        "truck", 24, None, "south", "north", fixed_cost=80.0, cost_per_distance=1.5,
        cost_per_time=0.2, max_distance=200.0, max_duration=480.0, max_stops=9, min_load=6,
    ),
)  # fmt: skip


def fleet(text: str) -> sr.Instance:
    return parse(CUSTOMERS, "it.csv", depot=(0.0, 0.0), fleet=NamedText("fleet.csv", text))


def test_customers_fleet_and_depots_make_an_instance() -> None:
    instance = parse(CUSTOMERS, "it.csv", fleet=FLEET, depots=DEPOTS)
    assert instance.fleet == TYPES
    assert instance.depots == (Depot("north", 0, ((360.0, 1320.0),)), Depot("south", 1))
    assert [customer.place for customer in instance.customers] == [2, 3]
    assert instance.places[1:3] == ((0.0, 9.0), (3.0, 4.0))
    assert (instance.unit, instance.clock) == (Decimal("0.5"), True)


def test_tables_replace_what_json_states(tmp_path: Path) -> None:
    data = {
        "vehicles": [{"type": "lorry", "capacity": 5, "depot": "west"}],
        "depots": [{"id": "west", "x": 1, "y": 1}],
        "customers": [{"id": "a", "x": 3, "y": 4, "demand": 6}, {"x": 5, "y": 12, "demand": 2}],
    }
    instance = parse(json.dumps(data), "it.json", fleet=FLEET, depots=DEPOTS)
    assert instance.fleet == TYPES
    assert [depot.id for depot in instance.depots] == ["north", "south"]


def test_tables_for_json_are_read_like_those_for_csv() -> None:
    rows = [{"lat": 53.5, "lon": 10, "demand": 3}]
    text = json.dumps({"depot": {"lat": 53.5, "lon": 10}, "customers": rows, "capacity": 9})
    fleet = NamedText("fleet.csv", "type,shift_start,shift_end\nvan,800,1700\n")
    with pytest.warns(sr.InputWarning, match="shift_end is 1700, a number: it was read as minutes"):
        parse(text, "it.json", fleet=fleet)
    fleet = NamedText("fleet.csv", "type,max_distance (mi)\nvan,90\n")
    with pytest.raises(sr.InputError, match="max_distance is in mi; it must be in km"):
        parse(text, "it.json", fleet=fleet)


def test_files_are_read(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("it.csv", "fleet.csv", "depots.csv")]
    for path, text in zip(paths, (CUSTOMERS, FLEET.text, DEPOTS.text), strict=True):
        path.write_text(text)
    instance = sr.read(paths[0], fleet=paths[1], depots=str(paths[2]), speed=2, partial=True)
    assert (instance.fleet, instance.speed, instance.partial) == (TYPES, 2.0, True)


def test_a_row_called_depot_is_replaced_by_the_table() -> None:
    with pytest.warns(sr.InputWarning, match=r"it.csv:\d: ignoring the row 'depot'"):
        instance = parse(f"{CUSTOMERS}depot,9,9,0\n", "it.csv", fleet=FLEET, depots=DEPOTS)
    assert len(instance.customers) == 2


def test_depots_on_the_globe() -> None:
    depots = NamedText("depots.csv", "name,latitude,longitude\nA,53.5,10\nB,52,9\n")
    text = "# capacity: 9\nid,lat,lon,demand\na,53,10,2\n"
    instance = parse(text, "it.csv", depots=depots)
    assert instance.places == ((10.0, 53.5), (9.0, 52.0), (10.0, 53.0))


def test_types_without_a_capacity_have_that_of_the_file() -> None:
    text = f"# capacity: 7\n{CUSTOMERS}"
    table = NamedText("fleet.csv", "type,capacity\nvan,\ntruck,9\n")
    instance = parse(text, "it.csv", depot=(0.0, 0.0), fleet=table)
    assert [kind.capacity for kind in instance.fleet] == [7, 9]


def test_a_given_capacity_is_for_one_type_only() -> None:
    table = NamedText("fleet.csv", "type,capacity\nvan,3\n")
    instance = parse(CUSTOMERS, "it.csv", depot=(0.0, 0.0), fleet=table, capacity=8)
    assert instance.fleet[0].capacity == 8
    with pytest.raises(sr.InputError, match="capacity is 8, but there are 2 vehicle types; set"):
        parse(CUSTOMERS, "it.csv", depots=DEPOTS, fleet=FLEET, capacity=8)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("type,capacity\n", "fleet.csv: no vehicle types; each has a row below the header"),
        ("capacity,count\n5,1\n", "fleet.csv:1: no column 'type'"),
        (
            "type,capcity\nvan,5\n",
            "fleet.csv:1: unknown column 'capcity'; did you mean 'capacity'?",
        ),
        ("type,capacity\nvan,\n", "fleet.csv:2: no capacity of vehicle type 'van'"),
        ("type,capacity\nvan,0\n", "fleet.csv:2: capacity of vehicle type 'van' is 0; it must"),
        ("type,capacity\n,5\n", "fleet.csv:2: type is empty"),
        ("type,capacity\nvan,5\nvan,6\n", "fleet.csv:3: type of vehicle type 'van' is 'van'; ano"),
        ("type,capacity,count\nvan,5,none\n", "fleet.csv:2: count of vehicle type 'van' is none"),
        ("type,capacity,depot\nvan,5,west\n", "fleet.csv:2: depot of vehicle type 'van' is 'west'"),
        (
            "type,capacity,shift_start,shift_end\nvan,5,9:00,8:00\n",
            "fleet.csv:2: shift_end of vehicle type 'van' is 8:00; it must not be before shift_sta",
        ),
        (
            "type,capacity,shift_start\nvan,5,9:00\n",
            "fleet.csv:2: shift_end of vehicle type 'van' is empty; shift_end and shift_start go",
        ),
        ("type,capacity,fixed_cost\nvan,5,-1\n", "fleet.csv:2: fixed_cost of vehicle type 'van' i"),
        ("type,capacity,min_load\nvan,5,6\n", "fleet.csv:2: min_load of vehicle type 'van' is 6; "),
    ],
)
def test_errors_of_the_fleet_have_its_file_and_line(text: str, message: str) -> None:
    with pytest.raises(sr.InputError, match=f"^{message}"):
        fleet(text)


def test_all_errors_of_the_fleet_are_reported_at_once() -> None:
    with pytest.raises(sr.InputError) as caught:
        fleet("type,capacity,count,max_stops\nvan,5,0,1\ntruck,6,2,few\n")
    assert [(e.line, e.field) for e in caught.value.errors] == [(2, "count"), (3, "max_stops")]


def test_other_columns_of_the_fleet_are_ignored_with_a_warning() -> None:
    with pytest.warns(sr.InputWarning, match="fleet.csv:1: ignoring the column 'driver'; known: "):
        assert fleet("type,capacity,driver\nvan,5,Ann\n").fleet == (VehicleType("van", 5),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,x,y\n", "depots.csv: no depots"),
        ("id,x\nA,1\n", "depots.csv:1: no column 'y'"),
        ("id,x,y\n,1,2\n", "depots.csv:2: id is empty"),
        ("id,x,y\nA,1,far\n", "depots.csv:2: y of 'A' is far; it must be a finite number"),
        ("id,x,y\nA,1,1\nA,2,2\n", "depots.csv:3: id of depot 'A' is 'A'; another one has the sa"),
        ("id,x,y,open\nA,1,1,0\n", "depots.csv:1: column 'open' without 'close'"),
        ("id,x,y,open,close\nA,1,1,9,8\n", "depots.csv:2: close of 'A' is 8; it must not be befo"),
        ("id,lat,lon\nA,1,1\n", "depots.csv:1: no column 'x', 'y'"),
    ],
)
def test_errors_of_the_depots_have_their_file_and_line(text: str, message: str) -> None:
    depots = NamedText("depots.csv", text)
    with pytest.raises(sr.InputError, match=f"^{message}"):
        parse(f"# capacity: 9\n{CUSTOMERS}", "it.csv", depots=depots)


def test_contradictory_arguments_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(sr.InputError, match="give depot or depots, not both"):
        parse(CUSTOMERS, "it.csv", depot=(0.0, 0.0), depots=DEPOTS)
    with pytest.raises(sr.InputError, match="`fleet` is only for CSV, workbooks, GeoJSON and JSON"):
        parse("1 5\n3\n0 0\n1 1\n", "it.sd", fleet=FLEET)
    with pytest.raises(sr.InputError, match="speed is 0; it must be a number above 0"):
        parse(CUSTOMERS, "it.csv", speed=0)


def test_speed_and_partial_apply_to_coordinate_lists() -> None:
    instance = parse("1 5\n3\n0 0\n1 1\n", "it.sd", speed=2.5, partial=True)
    assert (instance.speed, instance.partial) == (2.5, True)
