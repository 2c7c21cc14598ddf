"""Tables of customers: settings, columns and units."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from splitroute.formats import parse
from written_tables import BASE, amounts, table


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("# capacity: 80,,,\n# vehicles: 3,,,\n", ","),
        ('"# capacity: 80";;;\n"# vehicles: 3";;;\n', ";"),
        ("# capacity: 80;;;\n;;;\n# vehicles: 3;;;\n", ";"),
        ('"# capacity: 80"\t\t\t\n# vehicles: 3\t\t\t\n', "\t"),
        ("# capacity:;80;;\n# vehicles:;3;;\n", ";"),
        ('sep=;\n"# capacity: 80";;;\n# vehicles: 3\n', ";"),
        ("# capacity;80;;\n# Vehicles;3;;\n", ";"),
        ("# capacity,80,,\n# vehicles,,3,\n", ","),
        ("# capacity = 80\n# vehicles 3\n", ","),
    ],
)
def test_settings_may_be_padded_and_quoted(text: str, separator: str) -> None:
    instance = parse(text + BASE.format(s=separator), "it.csv")
    assert (instance.capacity, instance.vehicles) == (80, 3)


def test_settings_may_have_a_decimal_comma() -> None:
    text = "# unit: 0,5\n# capacity: 12,5\n# name: north; south\n" + BASE.format(s=";")
    instance = parse(text, "it.csv")
    assert (instance.unit, instance.capacity) == (Decimal("0.5"), 25)
    assert instance.name == "north; south"


def test_settings_below_the_header_are_rejected() -> None:
    for setting in ("# capacity: 80,,,", "# capacity,80,,"):
        with pytest.raises(sr.InputError, match=r"it.csv:3: settings must be above the header"):
            parse(BASE.format(s=",") + setting + "\n", "it.csv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,x,y,demand,qty\n", "2 columns for demand: 'demand' and 'qty'; rename"),
        ("id,x,y,demand,Demand\n", "2 columns for demand: 'demand' and 'Demand'"),
        ("id,id,x,y,demand\n", "2 columns for id"),
        ("id,x,y,lat,lon,demand\n", "columns for both x and y and lat and lon; pass `metric`"),
        ("id,lat,latitude,lon,demand\n", "2 columns for lat: 'lat' and 'latitude'"),
    ],
)
def test_ambiguous_columns_are_rejected(text: str, message: str) -> None:
    with pytest.raises(sr.InputError, match=f"it.csv:2: {message}"):
        parse("# capacity: 9\n" + text, "it.csv")


def test_the_metric_selects_the_coordinates() -> None:
    text = "# capacity: 9\nid,x,y,lat,lon,demand,street\ndepot,1,2,3,4,,\na,5,6,7,8,1,here\n"
    assert parse(text, "it.csv", metric="haversine").places == ((4, 3), (8, 7))
    plane = parse("# metric: exact\n" + text, "it.csv")
    assert plane.places == ((1, 2), (5, 6))
    assert plane.customers[0].note == "here"  # the other coordinates are not for people


def test_missing_coordinates_are_not_blamed_on_the_metric() -> None:
    with pytest.raises(
        sr.InputError,
        match=r"it.csv:2: no column 'x', 'y'; required: .*x, y .or lat, lon.; found: id",
    ):
        parse("# capacity: 9\nid,demand\n", "it.csv", metric="exact")


def test_contradicting_settings_are_rejected_and_repeated_ones_warned_about() -> None:
    with pytest.raises(sr.InputError, match=r"it.csv:2: '# capacity' is 8 here and 9 on line 1"):
        parse("# capacity: 9\n# capacity: 8\n" + BASE.format(s=","), "it.csv")
    with pytest.warns(sr.InputWarning, match=r"it.csv:2: '# capacity' repeats line 1"):
        parse("# capacity: 9\n# capacity: 9\n" + BASE.format(s=","), "it.csv")


@pytest.mark.parametrize(
    ("first", "second"), [("80", "80.0"), ("80,00", "80"), ("1 250", "1250"), ("12,5", "12,50")]
)
def test_repeated_settings_are_compared_as_numbers(first: str, second: str) -> None:
    text = f"# capacity: {first}\n# capacity: {second}\n" + BASE.format(s=";") + "a;1;1;1,5\n"
    with pytest.warns(sr.InputWarning, match="repeats line 1"):
        parse(text, "it.csv")


@pytest.mark.parametrize("comment", ["# name, id and demand", "# unit, boxes", "# capacity"])
def test_comments_that_start_like_a_setting_are_ignored(comment: str) -> None:
    instance = parse(f"{comment}\n# capacity: 9\n" + BASE.format(s=","), "it.csv")
    assert (instance.name, instance.unit, instance.capacity) == ("it", Decimal(1), 9)


@pytest.mark.parametrize("demand", ["5", "n/a", "2,5"])
def test_the_demand_of_the_depot_is_ignored_with_a_warning(demand: str) -> None:
    text = f"# capacity: 9\nid;x;y;demand\ndepot;0;0;{demand}\na;1;1;2\n"
    with pytest.warns(sr.InputWarning, match=r"it.csv:3: ignoring the demand of the depot, "):
        assert amounts(parse(text, "it.csv")) == [2]
    for nothing in ("", "0", "0,00"):
        parse(text.replace(demand, nothing), "it.csv")


def test_the_demand_of_the_depot_of_a_vrplib_file_is_ignored_with_a_warning() -> None:
    text = (
        "DIMENSION: 2\nCAPACITY: 9\nNODE_COORD_SECTION\n1 0 0\n2 1 1\n"
        "DEMAND_SECTION\n1 4\n2 5\nDEPOT_SECTION\n1\n-1\nEOF\n"
    )
    with pytest.warns(sr.InputWarning, match="ignoring the demand of the depot, node 1"):
        parse(text, "it.vrp")


@pytest.mark.parametrize(
    ("demands", "capacity", "unit"),
    [
        (["12.5", "30"], "100", "0.5"),
        (["12.5", "0.1"], "100", "0.1"),
        (["0.25", "0.75"], "100", "0.25"),
        (["0.4", "3"], "100", "0.2"),
        (["3", "4"], "10", "1"),
        (["3", "4.0"], "10", "1"),
        (["3", "4"], "10.5", "0.5"),
        (["0.05", "7"], "10", "0.05"),
        (["0.000001", "7"], "10", "0.000001"),
        (["1e-2", "7"], "10", "0.01"),
    ],
)
def test_the_unit_is_inferred(demands: list[str], capacity: str, unit: str) -> None:
    text = table(*demands, separator=",", capacity=capacity)
    rows = "".join(f'{{"x":1,"y":1,"demand":{d}}},' for d in demands)[:-1]
    texts = {
        "it.csv": text,
        "it.txt": f"{len(demands)} {capacity}\n{' '.join(demands)}\n0 0\n" + "1 2\n" * len(demands),
        "it.json": f'{{"capacity":{capacity},"depot":{{"x":0,"y":0}},"customers":[{rows}]}}',
        "it.vrp": f"DIMENSION: {len(demands) + 1}\nCAPACITY: {capacity}\nNODE_COORD_SECTION\n"
        + "".join(f"{k} 1 2\n" for k in range(1, len(demands) + 2))
        + "DEMAND_SECTION\n"
        + "".join(f"{k} {d}\n" for k, d in enumerate(["0", *demands], 1)),
    }
    for name, content in texts.items():
        instance = parse(content, name)
        assert instance.unit == Decimal(unit), name
        assert amounts(instance) == [Decimal(d) for d in demands]


def test_a_given_unit_overrides_the_inferred_one() -> None:
    text = table("12.5", separator=",")
    assert parse(text, "it.csv", unit="0.1").unit == Decimal("0.1")
    assert parse("# unit: 0.25\n" + text, "it.csv").unit == Decimal("0.25")
    with pytest.raises(sr.InputError, match=r"demand of 'c0' is 12.5; it must be a whole number"):
        parse(text, "it.csv", unit=1)


def test_too_many_decimals_to_infer_a_unit_are_rejected() -> None:
    with pytest.raises(
        sr.InputError, match=r"it.csv:4: .* is 0.30000000000000004; it must have at most 6"
    ):
        parse(table("0.30000000000000004", separator=","), "it.csv")


def test_the_summary_states_the_unit(tmp_path: Path, run: Callable[..., Any]) -> None:
    (path := tmp_path / "it.csv").write_text(table("12.5", "3", separator=","))
    assert "unit             0.5" in run("solve", path, "--iterations", 10).stdout
    path.write_text(table("12", "3", separator=","))
    assert "unit" not in run("solve", path, "--iterations", 10).stdout


def test_ids_are_compared_without_case_but_with_spelling() -> None:
    rows = "Straße,1,1,1\nStrasse,2,2,2\n"
    text = "# capacity: 9\n" + BASE.format(s=",") + rows
    assert [c.id for c in parse(text, "it.csv").customers] == ["Straße", "Strasse"]
    with pytest.raises(sr.InputError, match="duplicate id 'STRASSE'"):
        parse(text + "STRASSE,3,3,3\n", "it.csv")


def test_an_open_quote_does_not_swallow_customers() -> None:
    text = (
        '# capacity: 9\nid,x,y,demand,note\ndepot,0,0,,\nA,1,1,7,"2 in pipe\nB,2,2,5,\nC,3,3,4,\n'
    )
    with pytest.raises(sr.InputError, match=r"it\.csv:4: a quote is opened here and never closed"):
        parse(text, "it.csv")
    closed = text.replace("pipe\n", 'pipe\nof steel"\n')
    assert [c.id for c in parse(closed, "it.csv").customers] == ["A", "B", "C"]
