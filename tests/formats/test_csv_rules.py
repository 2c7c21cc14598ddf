"""CSV columns for opening hours and the rules of customers."""

from decimal import Decimal
from pathlib import Path

import pytest

import splitroute as sr
from splitroute.formats import parse
from splitroute.formats.csv import dump_instance
from splitroute.instance import Depot, VehicleType

HEAD = "# capacity: 10\n# speed: 0.5\nid,x,y,demand"


def customers(columns: str, *rows: str) -> sr.Instance:
    """An instance with a depot and customers a, b and so on."""
    lines = [f"{HEAD},{columns}", "depot,0,0,0"]
    lines += [f"{id},3,4,6,{row}" for id, row in zip("abcd", rows, strict=False)]
    return parse("\n".join(lines), "it.csv")


def test_every_rule_has_a_column() -> None:
    columns = "service,service_per_unit,splittable,min_drop,max_visits,lot,extra_visit_cost,penalty"
    instance = customers(columns, "5,0.5,yes,2.5,3,0.5,7,20", ",,No,,,,,", "", "0:10")
    a, b, c, d = instance.customers
    assert (instance.unit, instance.speed) == (Decimal("0.5"), 0.5)
    assert (a.demand, a.service, a.service_per_unit, a.splittable) == (12, 5.0, 0.5, True)
    assert (a.min_drop, a.max_visits, a.lot) == (5, 3, 1)
    assert (a.extra_visit_cost, a.penalty) == (7.0, 20.0)
    assert not b.splittable
    assert (c.service, c.splittable, c.min_drop, c.lot, c.penalty) == (0.0, True, 0, 1, None)
    assert d.service == 10.0


def test_windows_are_pairs_of_columns() -> None:
    instance = customers("open,close,open2,close2", "13:00,14:30,8:00,12:00:30", ",,60,90.5", "")
    a, b, c = instance.customers
    assert a.windows == ((480.0, 720.5), (780.0, 870.0))
    assert (b.windows, c.windows) == (((60.0, 90.5),), ())
    assert instance.clock


def test_the_depot_has_opening_hours_too() -> None:
    text = f"{HEAD},open,close\ndepot,0,0,0,0,99\na,3,4,5,,\n"
    instance = parse(text, "it.csv")
    assert instance.depots == (Depot(windows=((0.0, 99.0),)),)
    assert not instance.clock


def test_vehicle_types_are_separated_by_bars(tmp_path: Path) -> None:
    fleet = tmp_path / "fleet.csv"
    fleet.write_text("type,capacity\nvan,5\nsmall truck,8\n")
    path = tmp_path / "it.csv"
    path.write_text(f"{HEAD},vehicle_types\ndepot,0,0,0\na,3,4,5,van | small truck\nb,1,1,1,\n")
    a, b = sr.read(path, fleet=fleet).customers
    assert (a.vehicle_types, b.vehicle_types) == (("van", "small truck"), None)


def test_titles_may_have_blanks_and_hyphens() -> None:
    assert customers("Min drop,max-visits", "2,3").customers[0].min_drop == 2


def test_columns_may_have_a_decimal_comma() -> None:
    text = "# capacity: 7,5\nid;x;y;demand;service;min_drop\ndepot;0;0;0;;\na;1;2;5;1,5;2,5\n"
    instance = parse(text, "it.csv")
    assert (instance.customers[0].service, instance.unit) == (1.5, Decimal("0.5"))


@pytest.mark.parametrize("clock", [True, False])
def test_what_is_written_is_read_back(clock: bool) -> None:
    instance = sr.Instance.create(
        20, [12, 9, 4], [(0, 0), (1.5, 2), (3, 1), (2, 2)], name="it", unit="0.5",
        depots=[Depot(windows=((0.0, 500.5),))], speed=0.75, clock=clock, partial=True,
        windows=[((10.0, 20.0), (30.0, 40.25)), (), ((5.0, 100.0),)], service=[2.0, 0.0, 1.5],
        service_per_unit=0.25, splittable=[True, False, True], min_drop=[3, 0, 2],
        max_visits=[None, 2, 1], lot=[1, 2, 1], extra_visit_cost=[0.0, 2.5, 0.0],
        penalty=[None, 0.0, 4.0], notes=["", "=x", ""],
    )  # fmt: skip
    text = dump_instance(instance)
    assert parse(text.replace("'=x", "=x"), "it.csv") == instance
    assert ("00:10" in text) == clock


def test_plain_instances_are_written_as_before() -> None:
    instance = sr.Instance.create(5, [2], [(0, 0), (1, 2)], name="it", vehicles=1)
    assert dump_instance(instance) == (
        "# name: it\n# capacity: 5\n# unit: 1\n# metric: exact\n# vehicles: 1\n"
        "id,x,y,demand\ndepot,0,0,0\n1,1,2,2\n"
    )


@pytest.mark.parametrize(
    ("columns", "row", "message"),
    [
        (
            "open,close",
            "9:00,8:00",
            "it.csv:5: close of 'a' is 8:00; it must not be before open, 9",
        ),
        ("open,close", "9:00,", "it.csv:5: close of 'a' is empty; close and open go together"),
        ("open,close", "nine,ten", "it.csv:5: open of 'a' is nine; it must be a number or a time"),
        ("open,close", "9:75,10:00", "it.csv:5: open of 'a' is 9:75; it must be a number or a ti"),
        ("open", "9:00", "it.csv:3: column 'open' without 'close'; they go together"),
        ("close3", "9:00", "it.csv:3: column 'close3' without 'open3'"),
        ("service", "-1", "it.csv:5: service of 'a' is -1; it must be a number or a time such as"),
        ("splittable", "maybe", "it.csv:5: splittable of 'a' is maybe; it must be yes or no"),
        ("min_drop", "-1", "it.csv:5: min_drop of 'a' is -1; it must be a number of at least 0"),
        (
            "min_drop",
            "7",
            "it.csv:5: min_drop of customer 1 .a. is 7; it must be from 0 to 6, its",
        ),
        ("max_visits", "1.5", "it.csv:5: max_visits of 'a' is 1.5; it must be a whole number from"),
        ("lot", "0", "it.csv:5: lot of 'a' is 0; it must be a number above 0"),
        ("penalty", "free", "it.csv:5: penalty of 'a' is free; it must be a number of at least 0"),
        ("vehicle_types", "van", "it.csv:5: vehicle_types of customer 1 .a. is .*'van' is unknown"),
        ("lot,lot", "1,2", "it.csv:3: 2 columns for lot: 'lot' and 'lot'; rename all but one"),
        (
            "open,close",
            "0,1",
            "it.csv:5: the last window of customer 1 .a. closes at 1; a vehicle ",
        ),
    ],
)
def test_errors_have_line_value_and_what_is_allowed(columns: str, row: str, message: str) -> None:
    with pytest.raises(sr.InputError, match=f"^{message}"):
        customers(columns, row)


def test_all_errors_are_reported_at_once() -> None:
    with pytest.raises(sr.InputError) as caught:
        customers("service,lot", "-1,0", "x,1", "1,many")
    assert [(e.line, e.field) for e in caught.value.errors] == [
        (5, "service"), (5, "lot"), (6, "service"), (7, "lot"),
    ]  # fmt: skip


def test_a_misspelt_column_is_pointed_out() -> None:
    with pytest.warns(sr.InputWarning, match="'min_dorp' is read as a note; did you mean 'min_dr"):
        instance = customers("min_dorp", "2")
    assert instance.customers[0].note == "2"


def test_names_of_other_formats_are_known() -> None:
    instance = customers("ready_time,due date,service_time", "2,99,1")
    assert (instance.customers[0].windows, instance.customers[0].service) == (((2, 99),), 1)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("# speed: 0", "it.csv:1: speed is 0; it must be a number above 0"),
        ("# speed: fast", "it.csv:1: speed is fast; it must be a number of at least 0"),
        ("# partial: perhaps", "it.csv:1: partial is perhaps; it must be yes or no"),
    ],
)
def test_bad_settings_are_errors(setting: str, message: str) -> None:
    with pytest.raises(sr.InputError, match=f"^{message}"):
        parse(f"{setting}\n# capacity: 5\nid,x,y,demand\ndepot,0,0,0\na,1,1,1\n", "it.csv")


def test_settings_of_times() -> None:
    text = (
        "# capacity: 1\n# vehicles: 1\n# partial: yes\n# clock: yes\nid,x,y,demand\ndepot,0,0,0\n"
    )
    instance = parse(f"{text}a,1,1,5\n", "it.csv", speed=2)
    assert (instance.partial, instance.clock, instance.speed) == (True, True, 2.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"vehicles": [VehicleType("van", 5)]}, "cannot hold vehicle types; write .json"),
        ({"durations": [[0, 1], [1, 0]]}, "cannot hold durations; write .json"),
    ],
)
def test_what_a_table_of_customers_cannot_hold_is_refused(
    change: dict[str, object], message: str
) -> None:
    arguments = {"capacity": None if "vehicles" in change else 5, **change}
    instance = sr.Instance.create(demands=[2], coordinates=[(0, 0), (1, 2)], **arguments)  # type: ignore[arg-type]
    with pytest.raises(sr.InputError, match=message):
        dump_instance(instance)
