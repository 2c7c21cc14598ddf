"""Numbers whose meaning depends on the decimal sign."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import splitroute as sr
from splitroute.formats import parse
from splitroute.formats._decimals import Column, interpretations
from splitroute.formats._numbers import Field
from written_tables import amounts, table


@pytest.mark.parametrize(
    ("separator", "cells", "expected"),
    [
        ("\t", ["2.000", "1.234,5"], ["2000", "1234.5"]),
        ("\t", ["2.000", "12,5"], ["2000", "12.5"]),
        ("\t", ["2.000", "12.5"], ["2", "12.5"]),
        ("\t", ["2,000", "12.5"], ["2000", "12.5"]),
        ("\t", ["2,000", "1,234.5"], ["2000", "1234.5"]),
        ("\t", ["2,000", "0,5"], ["2", "0.5"]),
        ("\t", ["12.000", "1.000.000"], ["12000", "1000000"]),
        (";", ["2,000", "12,5"], ["2", "12.5"]),
        (";", ["2,000", "12.5"], ["2000", "12.5"]),
        (";", ["2.000", "0,5"], ["2000", "0.5"]),
        (";", ["0.500", "3.250"], ["0.5", "3.25"]),  # nobody writes 0500 like that
        (",", ["3.500", "2.000"], ["3.5", "2"]),
        (",", ['"2,000"', "3.5"], ["2000", "3.5"]),
        (",", ['"12,5"', "7"], ["12.5", "7"]),
        (";", ["1 234", "1'234,5", "1\u00a0234", "1\u202f234"], ["1234", "1234.5", "1234", "1234"]),
        (",", ["1 234", "7"], ["1234", "7"]),
    ],
)
def test_the_column_decides_on_the_decimal_sign(
    separator: str, cells: list[str], expected: list[str]
) -> None:
    instance = parse(table(*cells, separator=separator), "it.csv")
    assert amounts(instance) == [Decimal(value) for value in expected]


@pytest.mark.parametrize(
    ("separator", "cell", "values"),
    [
        ("\t", "2.000", "2000 or 2"),
        ("\t", "12.000", "12000 or 12"),
        ("\t", "2,000", "2 or 2000"),
        (";", "2,000", "2 or 2000"),
        (";", "2.000", "2000 or 2"),
        (",", '"2,000"', "2 or 2000"),
    ],
)
def test_ambiguous_numbers_are_rejected(separator: str, cell: str, values: str) -> None:
    with pytest.raises(sr.InputError, match=f"demand of 'c1' is .*; it could mean {values}") as bad:
        parse(table("7", cell, separator=separator), "it.csv")
    assert (bad.value.line, bad.value.field) == (5, "demand")
    mixed = table("1.5", "1,5", cell, separator="\t")
    with pytest.raises(sr.InputError, match="it could mean"):
        parse(mixed, "it.csv")


def test_the_capacity_has_the_decimal_sign_of_the_demands() -> None:
    assert parse(table("1,5", capacity="1.250"), "it.csv").capacity * Decimal("0.5") == 1250
    assert parse(table("1.5", capacity="1.250"), "it.csv").capacity == 5  # quarters
    with pytest.raises(sr.InputError, match=r"it.csv:1: capacity is 1.250; it could mean"):
        parse(table("7", capacity="1.250"), "it.csv")


def test_coordinates_have_their_own_decimal_sign() -> None:
    head = "# capacity: 9\nid;lat;lon;demand\n"
    for lat, lon in (("53.550", "9.971"), ("53,550", "9,971")):  # no latitude has thousands
        instance = parse(f"{head}depot;{lat};{lon};\na;{lat};{lon};2\n", "it.csv")
        assert instance.places[0] == (9.971, 53.55)
    plane = "# capacity: 9\nid;x;y;demand\ndepot;1.500;7,5;\na;1.500;2.000;2\n"
    assert parse(plane, "it.csv").places == ((1500, 7.5), (1500, 2000))
    with pytest.raises(sr.InputError, match=r"it.csv:3: x of 'depot' is 1.500; it could mean"):
        parse(plane.replace("7,5", "7"), "it.csv")


numbers = st.decimals(0, 10**7, places=4).map(lambda value: value.normalize())


@given(st.lists(numbers, min_size=1, max_size=8), st.sampled_from(["de", "us"]), st.booleans())
def test_columns_are_read_correctly_or_rejected(
    values: list[Decimal], country: str, grouped: bool
) -> None:
    cells = [f"{value:,f}" if grouped else f"{value:f}" for value in values]
    if country == "de":
        cells = [cell.translate(str.maketrans(",.", ".,")) for cell in cells]
    for separator in ";\t":
        column = Column(cells, separator=separator)
        for cell, value in zip(cells, values, strict=True):
            try:
                text = column.read(cell, Field("demand", "it.csv", 1))
            except sr.InputError:
                assert None not in interpretations(cell)
                assert column.sign is None
            else:
                assert Decimal(text) == value
