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
