"""Spreadsheets as people keep them: twelve are read without options, six name the faulty cell."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

import splitroute as sr
from splitroute.formats import NamedText, parse
from spreadsheets import Book, Formula, Merged, Rows, ods, xlsx
from written_tables import amounts

# Three places near Hamburg, and what each spreadsheet below says about two of them.
PLACES = ((10.0, 53.55), (9.97, 53.54), (10.14, 53.6))
CAPACITY = 80


def places(instance: sr.Instance) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in instance.places)


ENGLISH: Rows = [
    ["Capacity", 80],
    [],
    ["Customer ID", "Name", "Latitude", "Longitude", "Demand [pallets]", "Opens", "Closes"],
    ["depot", None, 53.55, 10.0],
    ["C-1", "Harbour", 53.54, 9.97, 54, "8:30 AM", "5 PM"],
    ["C-2", "Fair", 53.6, 10.14, 210],
]
GERMAN = Book(
    {
        "Kunden": [
            [Merged("Tourenplan Woche 12", 6)],
            [None, "Stand:", date(2026, 3, 16)],
            [],
            ["Kd.-Nr.", "Firma", "Straße", "Breitengrad", "Längengrad", "Menge (kg)", "von", "bis"],
            [1001, "Hafen", "Elbchaussee 1", "53,54", "9,97", "54", time(8, 30), time(17)],
            [],
            [1002, "Messe", "Messeplatz 4", "53,60", "10,14", 210, None, None],
            ["Summe", None, None, None, None, Formula("=SUM(F5:F7)", 264)],
        ],
        "Fahrzeuge": [
            ["Typ", "Anzahl", "Nutzlast (kg)", "Kosten pro km", "Schichtbeginn", "Schichtende"],
            ["LKW", 4, 80, 1.2, time(6), time(18)],
        ],
        "Depots": [["Lager", "Breitengrad", "Längengrad"], ["Zentrale", 53.55, 10]],
    }
)
FRENCH: Rows = [
    [Merged("Livraisons du lundi", 5)],
    ["Capacité du véhicule :", 80],
    ["N° client", "Nom", "Latitude", "Longitude", "Quantité (colis)", "Ouverture", "Fermeture"],
    ["dépôt", "Entrepôt", 53.55, 10.0, 0, None, None],
    ["A12", "Port", 53.54, 9.97, 54, "8h30", "17h"],
    ["A13", "Foire", 53.6, 10.14, 210, None, None],
]
SPANISH: Rows = [
    ["Capacidad", 80],
    ["Código cliente", "Dirección", "Latitud", "Longitud", "Cantidad", "Desde", "Hasta"],
    ["depósito", None, 53.55, 10.0, None, None, None],
    ["001", "Puerto", 53.54, 9.97, 54, time(8, 30), time(17)],
    ["002", "Feria", 53.6, 10.14, 210, None, None],
]
ITALIAN: Rows = [
    [None, "Capacità veicolo", 80],
    [],
    [None, "Cliente", "Latitudine", "Longitudine", "Quantità", "Apertura", "Chiusura"],
    [None, "magazzino", 53.55, 10.0, None],
    [None, "Porto", 53.54, 9.97, 54, "08:30", "17:00"],
    [None, "Fiera", 53.6, 10.14, 210],
]
DUTCH: Rows = [
    ["Capaciteit", 80],
    ["Klantnummer", "Naam", "Breedtegraad", "Lengtegraad", "Aantal", "Van", "Tot"],
    ["magazijn", None, 53.55, 10.0, None, None, None],
    [7, "Haven", 53.54, 9.97, 54, time(8, 30), time(17)],
    [8, "Beurs", 53.6, 10.14, 210, None, None],
]
PORTUGUESE: Rows = [
    ["Capacidade do veículo", 80],
    ["Código do cliente", "Nome", "Latitude", "Longitude", "Quantidade", "Abertura", "Fecho"],
    ["armazém", None, 53.55, 10.0, 0],
    ["P1", "Porto", 53.54, 9.97, 54, "8:30", "17:00"],
    ["P2", "Feira", 53.6, 10.14, 210],
]
# One row per vehicle, and titles in two rows, some of which are merged.
TWO_ROWS_OF_TITLES = Book(
    {
        "Orders": [
            [Merged("Store", 1, 2), Merged("Position", 2), None, Merged("Qty", 1, 2),
             Merged("Time window", 2)],
            [None, "Lat", "Lon", None, "From", "To"],
            ["Harbour", 53.54, 9.97, 54, datetime(2026, 3, 16, 8, 30), datetime(2026, 3, 16, 17)],
            ["Fair", 53.6, 10.14, 210],
        ],
        "Fleet": [["Licence plate", "Payload"], ["HH-AB 1", 80], ["HH-AB 2", 80],
                  ["HH-AB 3", 80], ["HH-AB 4", 80]],
        "Warehouses": [["Name", "Lat", "Lon"], ["Main", 53.55, 10.0]],
        "Prices": [["Product", "Price"], ["Bread", 2.5]],
    },
    hidden=frozenset({"Prices"}),
)  # fmt: skip
FORMULAS: Rows = [
    ["# capacity: 80"],
    ["id", "lat", "lon", "boxes", "weight each", "Demand (kg)", "open", "close", "service (h)"],
    ["depot", 53.55, 10],
    ["a", 53.54, 9.97, 10, 5.4, Formula("=D4*E4", 54.00000000000001), time(8, 30),
     Formula("=G4+8.5/24", 17 * 60), 0.25],
    ["b", 53.6, 10.14, 30, 7, Formula("=D5*E5", 210)],
]  # fmt: skip
NUMBERS_AS_TEXT: Rows = [
    ["Kapazität: 80"],
    [" KdNr ", "Breitengrad", "Längengrad", "Menge", "Öffnet", "Schließt"],
    ["Depot", "53.55", "10.00", "", "", ""],
    ["0815", "53.54", "9.97", "54,00", "8:30 Uhr", "17 Uhr"],
    ["0816", "53.60", "10.14", "210,0", "", ""],
]
DURATIONS: Rows = [
    ["Vehicle capacity", 80],
    ["Order", "Lat.", "Long.", "Pallets", "Earliest", "Latest", "Unloading time", "Splittable"],
    ["Depot", 53.55, 10.0],
    [4711, 53.54, 9.97, 54, timedelta(hours=8, minutes=30), time(17), time(0, 15), False],
    [4712, 53.6, 10.14, 210, None, None, None, True],
]
SECOND_SHEET = Book(
    {
        "Notes": [["Call the harbour before seven."]],
        "Customers": [
            ["# capacity", 80],
            [],
            [None, None, "ID", "LAT", "LNG", "QTY", "open", "close", "open 2", "close 2"],
            [],
            [None, None, "depot", 53.55, 10.0],
            [None, None, "a", 53.54, 9.97, 54, time(8, 30), time(17), time(18), time(19)],
            [],
            [None, None, "b", 53.6, 10.14, 210],
        ],
    }
)

TWELVE = {
    "english": xlsx(ENGLISH),
    "german": xlsx(GERMAN),
    "french": xlsx(FRENCH),
    "spanish": ods(SPANISH),
    "italian": xlsx(ITALIAN),
    "dutch": ods(DUTCH),
    "portuguese": xlsx(PORTUGUESE),
    "two rows of titles": xlsx(TWO_ROWS_OF_TITLES),
    "formulas": xlsx(FORMULAS),
    "numbers as text": xlsx(NUMBERS_AS_TEXT),
    "durations": xlsx(DURATIONS),
    "second sheet": ods(SECOND_SHEET),
}


@pytest.mark.parametrize("name", TWELVE)
@pytest.mark.filterwarnings("ignore:.*using .* as the depot", "ignore:.*ignoring the row 'Summe'")
def test_realistic_spreadsheets_are_read_without_options(name: str) -> None:
    suffix = ".ods" if TWELVE[name].find(b"opendocument") > 0 else ".xlsx"
    instance = parse(TWELVE[name], f"{name}{suffix}")
    assert places(instance) == PLACES
    assert amounts(instance) == [54, 210]
    assert {kind.capacity * instance.unit for kind in instance.vehicle_types} == {CAPACITY}
    assert instance.customers[0].windows[0] == (8.5 * 60, 17 * 60)
    assert not instance.customers[1].windows
    assert instance.clock


def header(*rows: list[object]) -> Rows:
    return [
        ["Kapazität", 80],
        ["Kunde", "lat", "lon", "Menge", "von", "bis"],
        ["Depot", 53, 10],
        *rows,
    ]


@pytest.mark.parametrize(
    ("book", "message"),
    [
        (header(["a", 53, 10, "viel"]), "Sheet1!D4: demand of 'a' is viel; it must be a number"),
        (header(["a", 53, None, 5]), "Sheet1!C4: lon of 'a' is empty; it must be a finite number"),
        (header(["a", 53, 10, Formula("=1/0", "#DIV/0!")]), "Sheet1!D4: demand of 'a' is #DIV/0!"),
        (header(["a", 53, 10, Formula("=1+1")]), "Sheet1!D4: demand of 'a' is a formula without a"),
        (header(["a", 53, 10, 5, time(9), time(8)]), "Sheet1!F4: close of 'a' is 08:00; it must"),
        (
            Book({"Mein Blatt": header(["a", 53, 10, 5], ["a", 53, 11, 6])}),
            "'Mein Blatt'!A5: duplicate id 'a'; the first one is in row 4",
        ),
        (header(["a", 53, 10, "2.000"]), "Sheet1!D4: demand of 'a' is 2.000; it could mean 2000"),
        (header(["a", 153, 10, 2]), "Sheet1!B4: lat of 'a' is 153; it must be from -90 to 90"),
        (header([None, 53, 10, 2]), "Sheet1!A4: id is empty"),
        (
            header(["a", 53, 10, 2, datetime(2026, 1, 1, 8), datetime(2026, 1, 2, 8)]),
            "Sheet1!F4: close of 'a' is 2026-01-02 08:00; all times must be on one day",
        ),
        (
            Book({"A": header(["a", 53, 10, 2]), "Fahrzeuge": [["Typ", "Anzahl"], ["A", 1.5]]}),
            "Fahrzeuge!B2: count of vehicle type 'A' is 1.5; it must be a whole number",
        ),
        (
            [["Kunde", "lat", "lon", "Gewicht", "Paletten"], ["Depot", 53, 10]],
            "Sheet1!D1: 2 columns for demand: 'Gewicht' and 'Paletten'; rename",
        ),
    ],
)  # fmt: skip
def test_broken_spreadsheets_are_rejected_with_the_cell(book: Book | Rows, message: str) -> None:
    with pytest.raises(sr.InputError) as caught:
        parse(xlsx(book), "it.xlsx", capacity=8)
    assert str(caught.value).startswith(f"it.xlsx:{message}")
    assert caught.value.cell == message.partition(":")[0]


def test_every_error_of_a_sheet_is_reported() -> None:
    with pytest.raises(sr.InputError) as caught:
        parse(xlsx(header(["a", 53, 10, "x"], ["b", "north", 10, 5])), "it.xlsx")
    assert [(error.cell, error.line) for error in caught.value.errors] == [
        ("Sheet1!D4", 4),
        ("Sheet1!B5", 5),
    ]


def test_columns_are_mapped_and_missing_ones_named() -> None:
    data = xlsx([["Ref.", "lat", "lon", "weight_kg", "Town"], ["depot", 53, 10], ["a", 53, 9, 7]])
    with pytest.raises(
        sr.InputError,
        match=r"it.xlsx:Sheet1!1: no column 'demand'; required: .*; found: Ref. \(id\), lat, lon, "
        r"weight_kg, Town; assign other columns with `columns`, such as demand=weight_kg",
    ) as caught:
        parse(data, "it.xlsx", capacity=9)
    assert caught.value.code == "no_column"
    instance = parse(data, "it.xlsx", capacity=9, columns={"demand": "Weight KG", "id": "Ref."})
    assert amounts(instance) == [7]
    with pytest.raises(sr.InputError, match=r"no column 'Gewicht', given as demand; found: Ref"):
        parse(data, "it.xlsx", capacity=9, columns={"demand": "Gewicht"})
    with pytest.raises(sr.InputError, match=r"unknown column 'bedarf'; known: id, demand, "):
        parse(data, "it.xlsx", capacity=9, columns={"bedarf": "weight_kg"})
    with pytest.raises(sr.InputError, match=r"'count' is a column of vehicle types, and there is"):
        parse(data, "it.xlsx", capacity=9, columns={"count": "weight_kg"})


@pytest.mark.filterwarnings("ignore:.*ignoring the column 'Zul.'")
def test_columns_of_vehicles_and_depots_are_mapped() -> None:
    data = xlsx(
        Book(
            {
                "Customers": [["id", "lat", "lon", "kilos"], ["a", 53, 9, 7]],
                "Vehicles": [["type", "Zul."], ["van", 9]],
                "Depots": [["Ort", "lat", "lon"], ["Kiel", 54, 10]],
            }
        )
    )
    columns = {"demand": "kilos", "capacity": "Zul.", "id": "Ort"}
    instance = parse(data, "it.xlsx", columns=columns)
    assert (instance.depots[0].id, instance.fleet[0].capacity, instance.customers[0].id) == (
        "Kiel",
        9,
        "a",
    )
    with pytest.raises(sr.InputError, match=r"Vehicles!1: no column 'Last', given as capacity"):
        parse(data, "it.xlsx", columns=columns | {"capacity": "Last"})


def test_a_sheet_is_chosen_by_name_or_position() -> None:
    days = {"Mon": header(["a", 53, 10, 1]), "Tue": header(["a", 53, 10, 2])}
    data = xlsx(Book(days))
    with pytest.warns(sr.InputWarning, match="ignoring other sheets with tables: 'Tue'; choose"):
        assert amounts(parse(data, "it.xlsx")) == [1]
    assert amounts(parse(data, "it.xlsx", sheet="tue")) == [2]
    with pytest.raises(sr.InputError, match=r"no sheet 'Wed'; the workbook has: Mon, Tue"):
        parse(data, "it.xlsx", sheet="Wed")
    both = xlsx(Book({"Kunden": days["Mon"], "Orders": days["Tue"]}))
    with pytest.raises(sr.InputError, match=r"2 sheets for the customers: 'Kunden' and 'Orders'"):
        parse(both, "it.xlsx")
    with pytest.raises(sr.InputError, match=r"`sheet` is only for workbooks"):
        parse("id,x,y,demand\n", "it.csv", sheet="Mon")


def test_a_row_per_vehicle_is_one_vehicle_each() -> None:
    instance = parse(TWELVE["two rows of titles"], "it.xlsx")
    assert [(kind.type, kind.count) for kind in instance.fleet][1] == ("HH-AB 2", 1)


def test_units_in_titles_count() -> None:
    assert parse(TWELVE["formulas"], "it.xlsx").customers[0].service == 15
    fleet = NamedText("fleet.csv", "type,capacity (t)\nvan,3\n")
    with pytest.raises(sr.InputError, match=r"capacity is in t and demand in kg; use one unit"):
        parse("id,x,y,Menge (kg)\na,1,2,3\n", "it.csv", depot=(0, 0), fleet=fleet)


def test_cells_keep_their_types() -> None:
    instance = parse(TWELVE["durations"], "it.xlsx")
    first, second = instance.customers
    assert (first.id, first.service, first.splittable, second.splittable) == (
        "4711",
        15,
        False,
        True,
    )
    rows = header(["a", 53, 10, 1.1, None, time(23, 59, 59, 999000)], ["b", 53, 9, 2.2, 0, 1440])
    rows[3][4] = time(0)  # type: ignore[index]
    read = parse(xlsx(rows), "it.xlsx")
    assert read.unit == Decimal("0.1")
    assert read.customers[0].windows == ((0, 1440),)


def test_tables_of_their_own_may_be_workbooks(tmp_path: Path) -> None:
    folder = tmp_path
    (folder / "c.csv").write_text("id,x,y,demand\na,1,2,3\n")
    (folder / "f.xlsx").write_bytes(xlsx([["Fahrzeugtyp", "Kapazität"], ["A", 5]]))
    (folder / "d.ods").write_bytes(ods([["Depot", "x", "y"], ["Nord", 0, 0]]))
    instance = sr.read(folder / "c.csv", fleet=folder / "f.xlsx", depots=folder / "d.ods")
    assert (instance.fleet[0].capacity, instance.depots[0].id) == (5, "Nord")
