import csv
import io
from dataclasses import replace

import pytest

from example_records import record, some_records
from splitroute.bench.render import FORMATS, csv_text
from splitroute.bench.results import Results
from splitroute.bench.tables import BelowBound, tables


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_every_row(name: str) -> None:
    (table,) = tables(Results("exact", some_records()))
    text = FORMATS[name](table)
    for word in ("SD1", "SD10", "708.28"):
        assert word in text


def test_markdown_rows_have_the_same_number_of_cells() -> None:
    (table,) = tables(Results("exact", some_records()))
    lines = FORMATS["markdown"](replace(table, notes=())).splitlines()[2:]
    assert len({line.count("|") for line in lines}) == 1


def test_csv_has_unrounded_values_of_every_method() -> None:
    (table,) = tables(Results("exact", some_records()))
    rows = list(csv.DictReader(io.StringIO(csv_text([table]))))
    (bad,) = (row for row in rows if (row["instance"], row["method"]) == ("SD1", "bad"))
    assert float(bad["gap_to_best_known"]) == pytest.approx(1.0)
    assert len(rows) == 3 * (4 + 2)


def test_csv_names_the_values_below_the_lower_bound() -> None:
    (table,) = tables(Results("exact", some_records()))
    first, *rest = table.rows
    impossible = (first[0], BelowBound(228.0), *first[2:])
    table = replace(table, rows=(impossible, *rest))
    rows = list(csv.DictReader(io.StringIO(csv_text([table]))))
    marked = {row["instance"]: row["below_bound"] for row in rows}
    assert marked == {"SD1": "best_known", "SD2": "", "SD10": ""}
    assert {row["best_known"] for row in rows if row["instance"] == "SD1"} == {"228.0"}


def test_latex_is_balanced_and_escaped() -> None:
    rows = [record("p01_110", "pasa:L=3+rtr", 460.0, set="SET-3")]
    text = FORMATS["latex"](tables(Results("exact", rows))[0])
    assert r"p01\_110" in text
    assert text.count("{") == text.count("}")
    columns = text[text.index("tabular}{") :].split("}")[1].count("r") + 1
    assert columns == 2 + 8 + 3 - 2
    body = [line for line in text.splitlines() if line.startswith("p01")]
    assert all(line.count("&") == columns - 1 for line in body)
