"""Output tables follow the dialect of the input."""

import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import splitroute as sr
from splitroute.files import Dialect
from splitroute.formats import parse, read_solution
from written_tables import table

DIALECTS = [
    Dialect(";", ",", "utf-8-sig"),
    Dialect("\t", ",", "utf-16"),
    Dialect("\t", ".", "utf-8"),
    Dialect(",", ".", "cp1252"),
    Dialect(";", ".", "utf-8"),
    Dialect(",", ".", "utf-8"),
]


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def test_output_has_the_dialect_of_the_input(dialect: Dialect, tmp_path: Path) -> None:
    rows = [
        ["# capacity: 12.5"],
        ["id", "x", "y", "demand"],
        ["depot", "0.5", "0", ""],
        ["Müller", "1.5", "2.1255", "2.5"],
        ["b", "9.971", "2", "20"],
    ]
    text = "\n".join(dialect.separator.join(row) for row in rows).replace(".", dialect.decimal)
    (path := tmp_path / "in.csv").write_bytes(text.encode(dialect.encoding))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sr.InputWarning)  # of the encoding
        instance = sr.read(path)
        assert instance.dialect == dialect
        sr.write(instance, again := tmp_path / "again.csv")
        assert sr.read(again) == instance
        assert sr.read(again).dialect == dialect
        solution = sr.solve(instance, stop=sr.Stop(iterations=10)).solution
        sr.write(solution, visits := tmp_path / "visits.csv", instance=instance)
        assert read_solution(visits, instance).solution == solution
    written = visits.read_bytes().decode(dialect.encoding)
    assert (
        dialect.separator.join(["Müller", "1.5", "2.1255", "2.5"]).replace(".", dialect.decimal)
        in written
    )
    assert visits.read_bytes().startswith("\ufeff".encode()) == (dialect.encoding == "utf-8-sig")


def test_the_command_line_writes_the_dialect_of_the_input(
    tmp_path: Path, run: Callable[..., Any]
) -> None:
    text = "\ufeff# capacity: 9\nid;x;y;demand\ndepot;0;0;\na;1,5;2;2,5\n"
    (path := tmp_path / "in.csv").write_text(text, encoding="utf-8")
    out = tmp_path / "out.csv"
    assert run("solve", path, "--iterations", 10, "--out", out, "--quiet").exit_code == 0
    assert out.read_bytes().decode() == (
        "\ufeffroute;visit;number;id;x;y;quantity;remaining\n1;1;1;a;1,5;2;2,5;0\n"
    )


def test_characters_outside_the_encoding_are_written_as_utf_8(tmp_path: Path) -> None:
    instance = sr.Instance.create(
        9, [1], [(0, 0), (1, 1)], ids=["Łódź"], dialect=Dialect(encoding="cp1252")
    )
    sr.write(instance, path := tmp_path / "it.csv")
    assert sr.read(path) == instance
    assert path.read_bytes().startswith("\ufeff".encode())


def test_the_dialect_does_not_affect_equality() -> None:
    one = parse(table("5"), "it.csv")
    other = parse(table("5", separator=","), "it.csv")
    assert one.dialect != other.dialect
    assert one == other
    assert hash(one) == hash(other)


@pytest.mark.filterwarnings("ignore:.*far from all other places")
@settings(deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), min_size=4, max_size=10),
    st.lists(st.integers(0, 10**7), min_size=1, max_size=4),
    st.sampled_from(["1", "0.5", "0.001"]),
    st.sampled_from(",;\t"),
    st.sampled_from([".", ","]),
)
def test_every_dialect_round_trips(
    numbers: list[float], demands: list[int], unit: str, separator: str, decimal: Any
) -> None:
    places = [(numbers[k % len(numbers)], numbers[-k]) for k in range(len(demands) + 1)]
    instance = sr.Instance.create(
        1234567, demands, places, unit=unit, name="it", dialect=Dialect(separator, decimal)
    )
    solution = sr.Solution.unsplit(instance, [[k] for k in range(1, len(demands) + 1)])
    with tempfile.TemporaryDirectory() as folder:
        sr.write(instance, path := Path(folder, "it.csv"))
        assert sr.read(path) == instance
        sr.write(solution, path := Path(folder, "visits.csv"), instance=instance)
        assert read_solution(path, instance).solution == solution
