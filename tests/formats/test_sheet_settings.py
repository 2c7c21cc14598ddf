"""Settings above the table of a sheet."""

import pytest

import splitroute as sr
from splitroute.formats import parse
from spreadsheets import xlsx

TABLE: list[list[object]] = [["id", "x", "y", "demand"], ["depot", 0, 0], ["a", 1, 2, 3]]


def read(*rows: list[object]) -> sr.Instance:
    return parse(xlsx([*rows, [], *TABLE]), "it.xlsx")


def test_a_sheet_may_name_the_instance() -> None:
    assert read(["Name", "Montag"], ["Capacity", 9]).name == "Montag"
    assert read(["Name", "Street", "Town"], ["Capacity", 9]).name == "it"


def test_units_and_remarks_may_follow_a_number() -> None:
    instance = read(["Capacity", 9, "t"], ["Vehicles", None, 3, "from the north"])
    assert (instance.capacity, instance.vehicles) == (9, 3)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (["Vehicels", 1], "it.xlsx:Sheet1!2: ignoring 'Vehicels'; did you mean 'vehicles'?"),
        (["Fahrzeug", 1], "ignoring 'Fahrzeug'; did you mean 'vehicles'?"),
        (["Speed", 50, None, "Vehicles", 1], "ignoring 'Vehicles', '1' next to 'Speed'; settings"),
        (["Vehicles", "Driver", "Date"], "ignoring 'Vehicles': its value must be alone in the"),
    ],
)
def test_other_layouts_and_misspelt_words_are_warned_about(row: list[object], message: str) -> None:
    with pytest.warns(sr.InputWarning) as caught:
        assert read(["Capacity", 9], row).vehicles is None
    assert [message in str(warning.message) for warning in caught] == [True]


@pytest.mark.parametrize("row", [["Vehicles"], ["Date:", "12 May"], ["Note", "call"], ["Total", 3]])
def test_titles_and_remarks_are_not(row: list[object]) -> None:
    assert read(["Capacity", 9], row).capacity == 9
