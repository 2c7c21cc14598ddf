"""VRPLIB with windows, service times, several depots and different vehicles."""

from dataclasses import replace

import pytest

import splitroute as sr
from splitroute import formats
from splitroute.errors import InputError
from splitroute.formats import parse, vrplib
from splitroute.instance import Depot, VehicleType

HEAD = "NAME : it\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : EXACT_2D\nCAPACITY : 10\n"
BODY = """\
NODE_COORD_SECTION
1 0 0
2 3 4
3 6 8
4 9 12
DEMAND_SECTION
1 0
2 0
3 5
4 7
"""
WINDOWS = "TIME_WINDOW_SECTION\n1 0 100\n2 5 90\n3 10 20\n4 30.5 40\n"


def read(more: str = "", head: str = HEAD) -> sr.Instance:
    return parse(head + more + BODY, "it.vrp")


def test_windows_and_service_times() -> None:
    instance = read(WINDOWS + "SERVICE_TIME_SECTION\n1 0\n2 1\n3 2\n4 3.5\n")
    assert instance.depots == (Depot(windows=((0, 100),)),)
    assert [c.windows for c in instance.customers] == [((5, 90),), ((10, 20),), ((30.5, 40),)]
    assert [c.service for c in instance.customers] == [1, 2, 3.5]
    assert instance.fleet == ()


def test_one_service_time_for_all_customers() -> None:
    instance = read("SERVICE_TIME : 10\n" + WINDOWS)
    assert [c.service for c in instance.customers] == [10, 10, 10]


def test_distance_limits_the_duration_where_there_are_service_times() -> None:
    assert read("DISTANCE : 200\n").fleet[0].max_distance == 200
    vehicle = read("DISTANCE : 200\nSERVICE_TIME : 10\n").fleet[0]
    assert (vehicle.max_distance, vehicle.max_duration) == (None, 200)


def test_several_depots_with_unlimited_vehicles() -> None:
    instance = read("DEPOT_SECTION\n2\n1\n-1\n")
    assert instance.places == ((3, 4), (0, 0), (6, 8), (9, 12))
    assert [(v.type, v.depot, v.count) for v in instance.fleet] == [
        ("type1", "depot1", None),
        ("type2", "depot2", None),
    ]


def test_vehicles_listed_one_by_one() -> None:
    head = HEAD.replace("CAPACITY : 10\n", "VEHICLES : 3\nVEHICLES_FIXED_COST : 4\n")
    instance = read(
        "CAPACITY_SECTION\n1 10\n2 15\n3 10\nDEPOT_SECTION\n1\n2\n-1\n"
        "VEHICLES_DEPOT_SECTION\n1 2\n2 1\n3 2\nVEHICLES_MAX_DURATION_SECTION\n1 50\n2 60\n3 50\n",
        head,
    )
    assert instance.fleet == (
        VehicleType("type1", 10, 2, "depot2", fixed_cost=4, max_duration=50),
        VehicleType("type2", 15, 1, "depot1", fixed_cost=4, max_duration=60),
    )


@pytest.mark.parametrize(
    ("more", "line", "message"),
    [
        (WINDOWS.replace("20", "9"), 8, "close of node 3 is 9; it must not be before open, 10"),
        (WINDOWS.replace("20", ""), 8, "node 3 has 1 times; it must have 2"),
        (WINDOWS.replace("3 10 20\n", ""), 8, "found node 4; expected node 3"),
        ("SERVICE_TIME : long\n", 5, "SERVICE_TIME is long; it must be a finite number"),
        ("DISTANCE : -1\n", 5, "DISTANCE is -1; it must be at least 0"),
        ("DEPOT_SECTION\n5\n-1\n", 5, "DEPOT_SECTION is 5; it must be nodes from 1 to 4"),
        ("DEPOT_SECTION\n1\n1\n-1\n", 5, "DEPOT_SECTION is 1 1; it must be one to 1000 different"),
        ("VEHICLES : 2\nDEPOT_SECTION\n1\n2\n-1\n", None, "2 depots; add a VEHICLES_DEPOT_SECTION"),
        ("VEHICLES_DEPOT_SECTION\n1 2\n", 6, "VEHICLES_DEPOT of vehicle 1 is 2; depots are 1"),
        ("VEHICLES : 2\nVEHICLES_DEPOT_SECTION\n1 1\n", 6, "has 1 rows; there are 2 vehicles"),
        ("VEHICLES_DEPOT_SECTION\n2 1\n", 6, "found '2 1'; row 1 must be 1 and a value"),
        ("RELEASE_TIME_SECTION\n1 0\n", 5, "RELEASE_TIME_SECTION is not supported"),
        ("PICKUP_SECTION\n1 0\n", 5, "PICKUP_SECTION is not supported"),
        ("TYPE : it\nBACKHAUL : 3\n", 6, "BACKHAUL is not supported"),
    ],
)
def test_errors_have_the_line(more: str, line: int | None, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(more)
    assert caught.value.line == line


def test_a_huge_dimension_takes_no_memory() -> None:
    with pytest.raises(InputError, match="DIMENSION is 900000000"):
        read(WINDOWS + "SERVICE_TIME : 3\n", HEAD.replace("DIMENSION : 4", "DIMENSION : 900000000"))


VRPTW = sr.Instance.create(
    10,
    [5, 7],
    [(0, 0), (3, 4), (6, 8)],
    name="it",
    vehicles=2,
    depots=[Depot(windows=((0, 100),))],
    windows=[((5, 9),), ((0, 50.5),)],
    service=[3, 0.5],
)
FLEET = sr.Instance.create(
    None,
    [5, 7],
    [(0, 0), (1, 1), (3, 4), (6, 8)],
    name="it",
    depots=[Depot("depot1"), Depot("depot2")],
    vehicles=[
        VehicleType("type1", 10, 2, "depot1", fixed_cost=3, cost_per_distance=1.5, max_distance=99),
        VehicleType("type2", 15, 1, "depot2", max_distance=90),
    ],
)


@pytest.mark.parametrize("instance", [VRPTW, FLEET])
def test_what_is_written_is_read_back(instance: sr.Instance) -> None:
    assert parse(vrplib.dump_instance(instance), "it.vrp") == instance


def test_customers_are_counted_without_the_depots() -> None:
    assert formats.min_customers(vrplib.dump_instance(FLEET), "vrplib") == 2
    assert formats.min_customers(vrplib.dump_instance(VRPTW), "vrplib") == 2
    assert formats.min_customers(HEAD + BODY, "vrplib") == 3


def test_an_end_depot_may_be_that_of_the_start() -> None:
    kind = VehicleType("vehicle", 10, fixed_cost=3, end_depot="depot")
    instance = sr.Instance.create(None, [5], [(0, 0), (3, 4)], vehicles=[kind])
    assert parse(vrplib.dump_instance(instance), "it.vrp").fleet[0].end_depot is None


def test_customers_without_a_window_get_that_of_the_depot() -> None:
    first, second = VRPTW.customers
    instance = replace(VRPTW, customers=(first, replace(second, windows=())))
    read_back = parse(vrplib.dump_instance(instance), "it.vrp")
    assert [c.windows for c in read_back.customers] == [((5, 9),), ((0, 100),)]


def test_customers_without_a_window_may_be_served_while_any_depot_is_open() -> None:
    early, late = Depot("depot1", 0, ((0, 40),)), Depot("depot2", 1, ((30, 100),))
    instance = replace(FLEET, depots=(early, late))
    read_back = parse(vrplib.dump_instance(instance), "it.vrp")
    assert [c.windows for c in read_back.customers] == [((0, 100),)] * 2
    assert read_back.depots == instance.depots


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        (replace(VRPTW, speed=2.0), "speed"),
        (replace(VRPTW, depots=(Depot(),)), "windows without those of the depot"),
        (replace(VRPTW, depots=(Depot(windows=((0, 5), (6, 99))),)), "several windows"),
        (replace(VRPTW, partial=True), "partial"),
        (replace(FLEET, fleet=(FLEET.fleet[0], VehicleType("b", 9))), "unlimited vehicles"),
        (replace(FLEET, fleet=(VehicleType("a", 9),)), "unlimited vehicles"),
        (replace(FLEET, fleet=(FLEET.fleet[0], VehicleType("b", 9, 1))), "limits of some vehicles"),
        (
            replace(FLEET, fleet=(VehicleType("a", 9, 4, "depot1", "depot2"),)),
            "end_depot",
        ),
    ],
)
def test_what_it_cannot_hold_is_named(instance: sr.Instance, message: str) -> None:
    with pytest.raises(InputError, match=f"VRPLIB cannot hold .*{message}"):
        vrplib.dump_instance(instance)
