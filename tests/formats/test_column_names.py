"""Titles of columns in seven languages, and mappings of the rest."""

from collections import Counter

import pytest

import splitroute as sr
from splitroute.formats import NamedText, _column_names, parse
from splitroute.formats._cells import CUSTOMER_COLUMNS, FLEET_COLUMNS
from splitroute.formats._columns import (
    customer_names,
    depot_names,
    simplified,
    vehicle_names,
)
from splitroute.formats._preview import preview
from splitroute.formats._times import parse_clock_cell

DEPOT = (0.0, 0.0)


@pytest.mark.parametrize("kind", ["CUSTOMER_NAMES", "DEPOT_NAMES", "VEHICLE_NAMES"])
def test_no_title_has_two_meanings(kind: str) -> None:
    table: dict[str, tuple[str, ...]] = getattr(_column_names, kind)
    meanings = {
        (simplified(name), key, rank)
        for key, ranks in table.items()
        for rank, names in enumerate(ranks)
        for name in names.split(",")
    }
    assert [name for name, n in Counter(name for name, *_ in meanings).items() if n > 1] == []


def test_every_column_has_names_in_every_language() -> None:
    assert {*CUSTOMER_COLUMNS} <= {*customer_names().keys}
    assert {*FLEET_COLUMNS} == {*vehicle_names().keys}
    assert {*depot_names().keys} == {"id", "lat", "lon", "x", "y", "open", "close", "windows"}


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Kd.-Nr.", "id"),
        ("KUNDENNUMMER", "id"),
        ("N° client", "id"),
        ("Menge (kg)", "demand"),
        ("Demand [pallets]", "demand"),
        ("Quantité", "demand"),
        ("quantite", "demand"),
        ("Oeffnet", "open"),
        ("öffnet", "open"),
        ("Öffnung 2", "open2"),
        ("Zeitfenster 2 bis", "close2"),
        ("open1", "open"),
        ("min-drop", "min_drop"),
        ("Mindestmenge", "min_drop"),
        ("Teillieferung erlaubt?", "splittable"),
        ("Tipo de vehículo", "vehicle_types"),
        ("Größe", None),
        ("Breite", None),
        ("Telefon", None),
        ("", None),
    ],
)
def test_titles_are_recognised(title: str, key: str | None) -> None:
    found = customer_names().find(title)
    assert (found and found.key) == key


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("8:30 AM", 510), ("8:30 pm", 1230), ("12 a.m.", 0), ("12:15PM", 735), ("8h30", 510),
        ("8h", 480), ("8 Uhr", 480), ("8:30 Uhr", 510), ("9.30 Uhr", 570), ("08:30:30", 510.5),
        ("13 PM", None), ("8.30", None), ("noon", None),
    ],
)  # fmt: skip
def test_times_as_people_write_them(text: str, minutes: float | None) -> None:
    assert parse_clock_cell(text) == minutes


def test_a_csv_may_have_times_of_half_days() -> None:
    text = "# capacity: 9\nid,x,y,demand,open,close\na,1,1,2,8:30 AM,5:00 PM\n"
    assert parse(text, "it.csv", depot=DEPOT).customers[0].windows == ((510, 1020),)


def test_tables_with_tabs_have_a_suffix_of_their_own() -> None:
    text = "# capacity: 9\nKunde\tx\ty\tMenge\na\t1\t1\t2\n"
    assert parse(text, "it.tsv", depot=DEPOT).customers[0].demand == 2


def test_a_mapped_column_replaces_a_recognised_one() -> None:
    text = "# capacity: 9\nid,x,y,demand,tons\na,1,1,2,3\n"
    instance = parse(text, "it.csv", depot=DEPOT, columns={"demand": "tons"})
    assert (instance.customers[0].demand, instance.customers[0].note) == (3, "2")


def test_doubtful_choices_are_warned_about() -> None:
    text = "# capacity: 9\nid,x,y,Menge,Gewicht\na,1,1,2,3\n"
    with pytest.warns(sr.InputWarning, match="demand is the column 'Menge', not 'Gewicht'"):
        assert parse(text, "it.csv", depot=DEPOT).customers[0].demand == 2
    text = "# capacity: 9\nid,x,y,Menge,ab\na,1,1,2,Werk\n"
    with pytest.warns(sr.InputWarning, match="column 'ab' is a note, as there is no column"):
        assert parse(text, "it.csv", depot=DEPOT).customers[0].note == "Werk"
    text = "# capacity: 9\nid,x,y,demand\na,1,1,2\nTotal,,,2\n"
    with pytest.warns(sr.InputWarning, match="it.csv:4: ignoring the row 'Total'"):
        assert len(parse(text, "it.csv", depot=DEPOT).customers) == 1


def test_a_total_may_have_sums_of_columns_that_are_not_used() -> None:
    text = "# capacity: 9\nid,x,y,crates,pallets\na,1,1,2,5\nTotal,,,2,5\n"
    for column in ("crates", "pallets"):
        with pytest.warns(sr.InputWarning, match="it.csv:4: ignoring the row 'Total'"):
            instance = parse(text, "it.csv", depot=DEPOT, columns={"demand": column})
        assert len(instance.customers) == 1


def test_a_mapping_needs_a_table_and_one_column() -> None:
    with pytest.raises(sr.InputError, match="`columns` is only for CSV, workbooks and GeoJSON"):
        parse("{}", "it.json", columns={"demand": "x"})
    with pytest.raises(sr.InputError, match=r"columns is list .*, not titles by what they hold"):
        parse("id\n", "it.csv", columns=["demand"])  # type: ignore[arg-type]
    text = "# capacity: 9\nid,x,y,kg,kg\na,1,1,2,3\n"
    with pytest.raises(sr.InputError, match="2 columns 'kg', given as demand"):
        parse(text, "it.csv", depot=DEPOT, columns={"demand": "kg"})


def test_vehicles_are_recognised_in_other_languages() -> None:
    fleet = NamedText("flotte.csv", "Véhicule;Nombre;Capacité;Début de service;Fin de service\n"
                      "camion;2;9;6h;14h30\n")  # fmt: skip
    [kind] = parse("id,x,y,demand\na,1,1,2\n", "it.csv", depot=DEPOT, fleet=fleet).fleet
    assert (kind.type, kind.count, kind.capacity, kind.shift) == ("camion", 2, 9, (360, 870))


def test_a_preview_has_columns_rows_and_what_is_missing() -> None:
    text = "Kunde;lat;Länge;Gewicht;Paletten\nA;53;10;5;6\nB;54;10;5;6\n"
    found = preview(text, "it.csv", rows=1)
    assert found.columns == {"id": "Kunde", "lat": "lat"}
    assert found.missing == ["demand", "lon"]
    assert found.rows == [["A", "53", "10", "5", "6"]]
    columns = {"demand": "Paletten", "lon": "Länge"}
    assert preview(text, "it.csv", columns=columns).missing == []
