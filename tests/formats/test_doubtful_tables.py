"""Tables as new users write them: what is doubtful is pointed out, never dropped in silence."""

import pytest

import splitroute as sr
from splitroute.formats import NamedText, parse
from spreadsheets import Rows, xlsx

DEPOT = (0.0, 0.0)


@pytest.mark.parametrize(
    "title", ["Total", "Grand total", "Total général", "Gesamtmenge", "Total kg", "Summe (kg):"]
)
def test_totals_are_neither_customers_nor_vehicles(title: str) -> None:
    fleet = NamedText("fleet.csv", f"type,count,capacity\nvan,2,10\n{title},2,20\n")
    with pytest.warns(sr.InputWarning) as caught:
        instance = parse(
            f"id,x,y,demand\na,1,1,2\n{title},,,2\n", "it.csv", depot=DEPOT, fleet=fleet
        )
    assert [str(w.message) for w in caught] == [
        f"it.csv:3: ignoring the row {title!r}", f"fleet.csv:3: ignoring the row {title!r}",
    ]  # fmt: skip
    assert len(instance.customers) == len(instance.fleet) == 1


def test_a_customer_may_be_called_total() -> None:
    text = "# capacity: 9\nid,x,y,demand\nTotal,1,1,2\n"
    assert parse(text, "it.csv", depot=DEPOT).customers[0].id == "Total"


def customers(*columns: str) -> sr.Instance:
    """Two customers on the globe; each further column is its title and their cells."""
    table = [["id", "a", "b"], ["lat", "53.5", "53.6"], ["lon", "10", "10"], ["demand", "2", "3"]]
    table += [column.split("|") for column in columns]
    rows = "".join(f"{';'.join(row)}\n" for row in zip(*table, strict=True))
    return parse(f"# capacity: 9\n{rows}", "it.csv", depot=(53.5, 10.0))


@pytest.mark.parametrize(
    "titles",
    ["Hora apertura|Hora cierre", "Lieferzeit von|Lieferzeit bis", "Anlieferung ab|Anlieferung bis",
     "opens at|closes at", "Delivery from|Delivery until", "Hora inicio|Hora fin",
     "Orario apertura|Orario chiusura", "Heure d'ouverture|Heure de fermeture",
     "Hora abertura|Hora fecho", "Starttijd|Eindtijd"],
)  # fmt: skip
def test_opening_hours_have_many_titles(titles: str) -> None:
    first, last = titles.split("|")
    instance = customers(f"{first}|08:00|", f"{last}|12:00|")
    assert [c.windows for c in instance.customers] == [((480, 720),), ()]


@pytest.mark.parametrize(
    ("title", "text", "windows"),
    [
        ("opening hours", "08:00-12:00", [(480, 720)]),
        ("Öffnungszeiten", "8-12 Uhr", [(480, 720)]),
        ("Zeitfenster", "von 8.30 bis 12 Uhr und 14 - 18 Uhr", [(510, 720), (840, 1080)]),
        ("Horaires d'ouverture", "9h à 12h30 / 14h-18h", [(540, 750), (840, 1080)]),
        ("Horario", "14:00-18:00, 08:00–12:00", [(480, 720), (840, 1080)]),
        ("Orari", "dalle 8:00 alle 12:00", [(480, 720)]),
        ("Openingstijden", "0800-1730", [(480, 1050)]),
        ("Horário", "8:00 às 12:00", [(480, 720)]),
        ("time window", "9am - 5 p.m.", [(540, 1020)]),
        ("Delivery window", "9:30 a.m. to 5 p.m.", [(570, 1020)]),
    ],
)
def test_a_cell_may_hold_all_opening_hours(
    title: str, text: str, windows: list[tuple[float, float]]
) -> None:
    instance = customers(f"{title}|{text}|")
    assert [c.windows for c in instance.customers] == [tuple(windows), ()]
    assert instance.clock


@pytest.mark.parametrize(
    "text", ["mornings", "12:00-08:00", "9-5pm", "8-99", "08:00", "-", "8-9-10"]
)
def test_other_opening_hours_are_errors(text: str) -> None:
    with pytest.raises(sr.InputError, match=r"windows of 'b' is .*; it must be times of day such"):
        customers(f"opening hours||{text}")


def test_depots_have_opening_hours_in_one_cell_too() -> None:
    depots = NamedText("depots.csv", "id,x,y,Öffnungszeiten\nd,0,0,6-20 Uhr\n")
    text = "# capacity: 9\nid,x,y,demand\na,1,1,2\n"
    assert parse(text, "it.csv", depots=depots).depots[0].windows == ((360, 1200),)


@pytest.mark.parametrize(
    ("column", "assignment"),
    [("Rampe|08:00|", "open=Rampe"), ("Rampe|2026-11-17 08:00|", "open=Rampe"),
     ("Rampe||8-12 Uhr", "windows=Rampe"), ("Etage|1-2|3", ""), ("Rampe|8:00|links", "")],
)  # fmt: skip
@pytest.mark.filterwarnings("error")
def test_times_in_other_columns_are_pointed_out(column: str, assignment: str) -> None:
    if not assignment:
        customers(column)
        return
    message = f"column 'Rampe' looks like times and is only a note; .* such as {assignment}"
    with pytest.raises(sr.InputWarning, match=message):
        customers(column)


@pytest.mark.parametrize(
    ("first", "last", "message"),
    [
        ("8", "18", "close is 18, a number: it was read as minutes after midnight, 00:18; write"),
        ("8.30", "12.30", "close is 12.30, a number: .*, 00:12; write hours as 08:00"),
        ("900", "1700", "close is 1700, a number: .*, 28:20"),
        ("0830", "1200", "close is 1200, a number: .*, 20:00"),
    ],
)
def test_numbers_that_look_like_hours_are_pointed_out(first: str, last: str, message: str) -> None:
    with pytest.warns(sr.InputWarning, match=message):
        customers(f"open|{first}|", f"close|{last}|")
    with pytest.warns(sr.InputWarning, match="close is 18, a number"):
        customers("open|08:00|8", "close|12:00|18")


@pytest.mark.filterwarnings("error")
def test_minutes_after_midnight_are_not_doubtful() -> None:
    assert customers("open|480|0", "close|720|1000").customers[0].windows == ((480, 720),)
    assert customers("open (h)|8|8", "close (h)|18|18").customers[0].windows == ((480, 1080),)
    text = "# capacity: 9\nid,x,y,demand,open,close\na,1,1,2,8,18\n"  # the plane has no clock
    assert parse(text, "it.csv", depot=DEPOT).customers[0].windows == ((8, 18),)


def test_times_that_lost_their_format_are_parts_of_a_day() -> None:
    rows: Rows = [
        ["id", "lat", "lon", "demand", "open", "close"],
        ["a", 53.5, 10, 2, 1 / 3, 0.75],
        ["b", 53.6, 10, 2, 0, 1],
    ]
    with pytest.warns(sr.InputWarning, match="parts of a day: 0.5 is 12:00"):
        instance = parse(xlsx(rows), "it.xlsx", capacity=9, depot=(53.5, 10.0))
    assert [c.windows for c in instance.customers] == [((480, 1080),), ((0, 1440),)]
    assert instance.clock


@pytest.mark.parametrize("title", ["Vehicle", "Fahrzeug", "Name"])
def test_vehicles_without_a_number_are_pointed_out(title: str) -> None:
    fleet = NamedText("fleet.csv", f"{title},capacity\nAB-1,10\n")
    text = "id,x,y,demand\na,1,1,2\n"
    with pytest.warns(sr.InputWarning, match=f"no column count: any number of each '{title}'"):
        assert parse(text, "it.csv", depot=DEPOT, fleet=fleet).fleet[0].count is None


@pytest.mark.filterwarnings("error")
def test_types_and_plates_need_no_number() -> None:
    for title, count in (("type", None), ("Licence plate", 1)):
        fleet = NamedText("fleet.csv", f"{title},capacity\nAB-1,10\n")
        [found] = parse("id,x,y,demand\na,1,1,2\n", "it.csv", depot=DEPOT, fleet=fleet).fleet
        assert found.count == count


@pytest.mark.parametrize("titles", ["Código,Cliente", "Code,Name", "Order no,Customer"])
def test_duplicate_ids_name_another_column(titles: str) -> None:
    text = f"# capacity: 9\n{titles},x,y,demand\nK1,Lidl,1,1,2\nK2,Lidl,1,2,2\nK3,Lidl,1,2,2\n"
    code, _ = titles.split(",")
    with pytest.raises(sr.InputError) as caught:
        parse(text, "it.csv", depot=DEPOT)
    first, second = caught.value.errors
    hint = f"; use another column with `columns`, such as id={code}"
    assert first.message == f"duplicate id 'Lidl'; the first one is on line 3{hint}"
    assert "columns" not in second.message
    parse(text, "it.csv", depot=DEPOT, columns={"id": code})
    with pytest.raises(sr.InputError, match=r"the first one is on line 3$"):
        parse(text.replace("K2", "K1").replace("K3,Lidl", "K1,Aldi"), "it.csv", depot=DEPOT)


MATRIX = "or pass `matrix` instead of coordinates"
COLUMNS = "assign other columns with `columns`"
TABLE = "# capacity: 9\nid,x,y,demand\na,1,1,2\n"


def test_a_sum_below_the_customers_needs_no_name() -> None:
    with pytest.warns(sr.InputWarning, match="it.csv:4: ignoring a row with nothing but a demand"):
        assert len(parse(f"{TABLE},,,2\n", "it.csv", depot=DEPOT).customers) == 1
    with pytest.raises(sr.InputError, match=r"it\.csv:4: id is empty"):  # among the customers
        parse(f"{TABLE},,,2\nb,1,1,2\n", "it.csv", depot=DEPOT)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("* please call,,,", "'* please call' has neither a demand nor a place; move notes above"),
        (",[deg],[deg],[kg]", "id is empty"),
    ],
)
def test_a_row_that_is_no_customer_is_one_error(row: str, message: str) -> None:
    with pytest.raises(sr.InputError) as caught:
        parse(f"{TABLE}{row}\nb,1,1,2\n", "it.csv", depot=DEPOT)
    assert caught.value.message.startswith(message)
    assert caught.value.line == 4


def test_advice_on_the_capacity_fits_the_file() -> None:
    point = '{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 53.5]}'
    features = f'{point}, "properties": {{"id": "a", "demand": 2}}}}'
    texts: dict[str, str | bytes] = {
        "it.csv": "id,x,y,demand\na,1,1,2\n",
        "it.xlsx": xlsx([["id", "x", "y", "demand"], ["a", 1, 1, 2]]),
        "it.geojson": f'{{"type": "FeatureCollection", "features": [{features}]}}',
    }
    advice = {
        "it.csv": "a first line '# capacity: 100'",
        "it.xlsx": "a row with Capacity and 100 above the header, or a sheet 'vehicles'",
        "it.geojson": 'a member "capacity": 100 beside the features',
    }
    for name, text in texts.items():
        with pytest.raises(sr.InputError) as caught:
            parse(text, name, depot=DEPOT)
        assert caught.value.message == f"no capacity; pass `capacity`, or add {advice[name]}"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("id,address,demand\na,Street 1,2\n", f"; {MATRIX}; {COLUMNS}"),
        ("id,demand\na,2\n", f"; {MATRIX}"),
        ("Kunde;Breite;Länge;Menge\na;53,5;9,97;2\n",
         f"; {MATRIX}; {COLUMNS}, such as lat=Breite,lon=Länge"),
        ("id,lat,longitude_deg,demand\na,53,10,2\n", f"; {COLUMNS}, such as lon=longitude_deg"),
        ("id,Address,lat,lon,weight_kg\na,Street 1,53,10,2\n",
         f"; {COLUMNS}, such as demand=weight_kg"),
        ("id,Address,lat,lon\na,Street 1,53,10\n", f"; {COLUMNS}"),
        ("id|lat|lon|demand\na|53|10|2\n", "; commas, semicolons or tabs separate columns"),
    ],
)  # fmt: skip
def test_suggested_columns_hold_what_is_missing(text: str, hint: str) -> None:
    with pytest.raises(sr.InputError, match="no column") as caught:
        parse(text, "it.csv", capacity=9, depot=DEPOT)
    _, found = caught.value.message.split("; found: ")
    assert found[found.index(";") :] == hint
