"""Distances and travel times from matrices in files."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from splitroute import files

CUSTOMERS = "# capacity: 10\nid,demand\ndepot,\nAnn,4\nBob,5\n"
TABLE = [[0, 1, 2], [3, 0, 4], [5, 6, 0]]
PLAIN = "0,1,2\n3,0,4\n5,6,0\n"


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., sr.Instance]:
    """Read customers without coordinates and a matrix with the given text."""

    def load(text: str, customers: str = CUSTOMERS, name: str = "m.csv") -> sr.Instance:
        (tmp_path / "c.csv").write_text(customers)
        (tmp_path / name).write_text(text)
        return sr.read(tmp_path / "c.csv", matrix=tmp_path / name)

    return load


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "0;1,0;2\n3;0;4\n5;6;0\n",
        "0\t1\t2\r\n3\t0\t4\r\n5\t6\t0\r\n",
        ",1,2\n3,,4\n5,6,\n",  # empty diagonal
        "0;1;2;\n3;0;4;\n5;6;0;\n",  # a separator after each cell
        "depot;Ann;Bob;\n0;1;2;\n3;0;4;\n5;6;0;\n",
        ",depot,Ann,Bob\ndepot,0,1,2\nAnn,3,0,4\nBob,5,6,0\n",
        "from,Bob,depot,ANN\nann,4,3,0\ndepot,2,0,1\nbob,0,5,6\n",
        "depot,Ann,Bob\n0,1,2\n3,0,4\n5,6,0\n",  # header only
        "depot,0,1,2\nAnn,3,0,4\nBob,5,6,0\n",  # first column only
        ",Main Street 5,Ann,Bob\nMain Street 5,0,1,2\nAnn,3,0,4\nBob,5,6,0\n",  # the depot's name
        ",x,0,Ann,Bob\nx,0,9,9,9\n0,9,0,1,2\nAnn,9,3,0,4\nBob,9,5,6,0\n",  # further places
    ],
)
def test_rows_and_labels_in_any_order(read: Callable[..., sr.Instance], text: str) -> None:
    instance = read(text)
    assert instance.table.tolist() == TABLE
    assert (instance.metric, instance.places, instance.has_times) == ("matrix", (), False)
    assert sr.solve(instance, stop=sr.Stop(iterations=10)).cost == 10


@pytest.mark.parametrize(
    ("text", "distance"),
    [
        ('0,"1,234","2,345.5"\n3,0,4\n5,6,0\n', 1234),
        ('0,"1,234","2,5"\n3,0,4\n5,6,0\n', 1.234),
        ("0;1.234;2,5\n3;0;4\n5;6;0\n", 1234),
        ("0;1.234;2.5\n3;0;4\n5;6;0\n", 1.234),
        ("0,1.234,2\n3,0,4\n5,6,0\n", 1.234),
    ],
)
def test_other_numbers_tell_thousands_from_decimals(
    read: Callable[..., sr.Instance], text: str, distance: float
) -> None:
    assert read(text).distance(0, 1) == distance


@pytest.mark.parametrize(
    ("text", "cell"),
    [('0,2,"1,234"\n3,0,4\n5,6,0\n', "1,234"), ("0;2;1.234\n3;0;4\n5;6;0\n", "1.234")],
)
def test_thousands_that_could_be_decimals_are_refused(
    read: Callable[..., sr.Instance], text: str, cell: str
) -> None:
    with pytest.raises(
        sr.InputError, match=f"matrix of 'depot' is {cell}; it could mean"
    ) as caught:
        read(text)
    assert (caught.value.field, caught.value.line) == ("matrix", 1)


@pytest.mark.parametrize("gap", ["", "null", "inf", "NaN", "-", "n/a"])
def test_a_gap_is_bridged_over_other_places(read: Callable[..., sr.Instance], gap: str) -> None:
    with pytest.warns(sr.InputWarning, match="no distance for 1 pair of places; using the short"):
        instance = read(f"0,1,2\n3,0,{gap}\n5,6,0\n")
    assert instance.distance(1, 2) == 3 + 2  # through the depot


def test_travel_times_follow_the_bridge(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(CUSTOMERS)
    nan = float("nan")
    with pytest.warns(sr.InputWarning, match="no distance"):
        instance = sr.read(
            tmp_path / "c.csv",
            matrix=[[0, 1, 2], [3, 0, None], [5, 6, 0]],
            durations=np.array([[0, 10, 20], [30, 0, nan], [50, 60, 0]]),
        )
    assert instance.durations is not None
    assert instance.durations[1, 2] == 50


def test_places_that_cannot_be_reached_are_named(read: Callable[..., sr.Instance]) -> None:
    with pytest.raises(sr.InputError, match="no distance between most places and customer 'Bob'"):
        read("0,1,\n3,0,\n,,0\n")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("0,1,2\n3,0,far\n5,6,0\n", 2, "the distance from 'Ann' to 'Bob', in column 3, is 'far'"),
        ("0,1,2\n3,0,1_0\n5,6,0\n", 2, "the distance from 'Ann' to 'Bob', in column 3, is '1_0'"),
        ("0,1,2\n3,0,4\n\n5,-6,0\n", 4, "from 'Bob' to 'Ann', in column 2, is '-6'; it must be"),
        (",Ann,depot,Bob\ndepot,1,0,x\nAnn,0,3,4\nBob,6,5,0\n", 2, "'depot' to 'Bob', in column 4"),
        ("0,1,2\n3,0\n5,6,0\n", 2, "a row of 2 cells; the first row has 3"),
        ("0,1\n1,0\n", None, "2 rows of 2 cells; the depot and 2 customers need 3 rows of 3"),
        (",a,Ann,Bo\na,0,1,2\nAnn,3,0,4\nBo,5,6,0\n", None, "no row is labelled 'depot'"),
        (",0,Ann,Bo\n0,0,1,2\nAnn,3,0,4\nBo,5,6,0\n", None, "no row is labelled 'Bob'; the labels"),
        (",0,Ann,ann\n0,0,1,2\nAnn,3,0,4\nann,5,6,0\n", None, "two rows are labelled 'ann'"),
    ],
)
def test_errors_name_the_cell(
    read: Callable[..., sr.Instance], text: str, line: int | None, message: str
) -> None:
    with pytest.raises(sr.InputError) as caught:
        read(text)
    error = caught.value
    assert message in str(error)
    assert (error.field, error.line) == ("matrix", line)
    assert error.file.endswith("m.csv")


def header(*shape: int) -> bytes:
    """A .npy that claims to hold an array of the given shape."""
    file = io.BytesIO()
    fields = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, fields)
    return file.getvalue() + bytes(80)


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        (header(10**6, 10**6), sr.LimitError, "an array of 1000000 x 1000000 has more than 256 MB"),
        (header(100, 100), sr.InputError, "not an array of numbers in NumPy's format"),
        (b"no array", sr.InputError, "not an array of numbers in NumPy's format"),
        (header(3, 3).replace(b"(3, 3)", b"(3, 3("), sr.InputError, "not an array of numbers"),
    ],
)
def test_arrays_that_claim_too_much_are_refused(
    tmp_path: Path, data: bytes, kind: type[sr.InputError], message: str
) -> None:
    (path := tmp_path / "c.csv").write_text(CUSTOMERS)
    (tmp_path / "m.npy").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "m.npz", "w") as archive:
        archive.writestr("matrix.npy", data)
    for name in ("m.npy", "m.npz"):
        with pytest.raises(kind, match=message):
            sr.read(path, matrix=tmp_path / name)


def test_the_size_of_array_files_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "c.csv").write_text(CUSTOMERS)
    np.save(tmp_path / "m.npy", np.zeros((20, 20)))
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 1000)
    with pytest.raises(sr.LimitError, match="larger than the maximum"):
        sr.read(path, matrix=tmp_path / "m.npy")


def test_numpy_files(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(CUSTOMERS)
    table = np.array(TABLE, dtype=np.float32)
    np.save(tmp_path / "m.npy", table)
    order = [2, 0, 1]
    np.savez(
        tmp_path / "m.npz",
        distances=table[np.ix_(order, order)],
        durations=10 * table[np.ix_(order, order)],
        ids=np.array(["Bob", "depot", "Ann"]),
    )
    for name in ("m.npy", "m.npz"):
        instance = sr.read(tmp_path / "c.csv", matrix=tmp_path / name)
        assert instance.table.tolist() == TABLE
    assert instance.duration(0, 1) == 10, "those of the same file"
    others = sr.read(tmp_path / "c.csv", matrix=tmp_path / "m.npz", durations=tmp_path / "m.npy")
    assert others.duration(0, 1) == 1
    stream = io.BytesIO((tmp_path / "m.npz").read_bytes())
    assert sr.read(tmp_path / "c.csv", matrix=stream).duration(0, 1) == 10
    (tmp_path / "m.npy").rename(tmp_path / "renamed.npz")  # the contents count
    assert sr.read(tmp_path / "c.csv", matrix=tmp_path / "renamed.npz").table.tolist() == TABLE


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"a": np.zeros((3, 3)), "b": np.zeros((3, 3))}, "no array 'matrix'; found: a, b"),
        ({"durations": np.zeros((3, 3))}, "no array 'matrix'; found: durations"),
        ({"matrix": np.zeros(3)}, "matrix has 1 dimensions"),
        ({"matrix": np.zeros((3, 3)), "ids": np.array(["a"])}, "1 labels for 3 x 3 entries"),
        ({"matrix": np.full((3, 3), -1)}, r"from 'depot' to 'Ann', entry \[0, 1\], is -1"),
        ({"matrix": np.array([["a"]])}, "must be rows of numbers"),
        ({"matrix": np.array([[None]], dtype=object)}, "not an array of numbers"),
    ],
)
def test_wrong_numpy_files_are_rejected(
    tmp_path: Path, arrays: dict[str, Any], message: str
) -> None:
    (tmp_path / "c.csv").write_text(CUSTOMERS)
    np.savez(tmp_path / "m.npz", **arrays)
    with pytest.raises(sr.InputError, match=message) as caught:
        sr.read(tmp_path / "c.csv", matrix=tmp_path / "m.npz")
    assert caught.value.file.endswith("m.npz")


def test_entries_that_are_no_floats_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(CUSTOMERS)
    with pytest.raises(sr.InputError, match="matrix must be rows of numbers"):
        sr.read(tmp_path / "c.csv", matrix=[[0, 10**400, 1], [1, 0, 1], [1, 1, 0]])


def test_other_files_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(CUSTOMERS)
    (tmp_path / "m.npy").write_text("no array")
    for name, message in (
        ("m.npy", "not an array of numbers"),
        ("absent.npy", "no such file"),
        ("absent.csv", "no such file"),
        ("m.pkl", "unknown extension '.pkl' of matrix; known: .csv"),
    ):
        with pytest.raises(sr.InputError, match=message):
            sr.read(tmp_path / "c.csv", matrix=tmp_path / name)


def test_coordinates_stay_for_the_map(tmp_path: Path) -> None:
    text = "# capacity: 9\nid,demand,lat,lon\ndepot,0,53.5,10\nAnn,4,53.6,10.1\nBob,5,53.4,9.9\n"
    (tmp_path / "c.csv").write_text(text)
    instance = sr.read(tmp_path / "c.csv", matrix=TABLE, durations=TABLE)
    assert instance.is_globe
    assert instance.places[1] == (10.1, 53.6)
    assert instance.duration(2, 1) == 6
    sr.write(instance, tmp_path / "c.json")
    assert sr.read(tmp_path / "c.json") == instance
    only_times = sr.read(tmp_path / "c.csv", durations=TABLE)
    assert (only_times.metric, only_times.duration(2, 1)) == ("haversine", 6)


def test_json_without_coordinates(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(
        '{"capacity": 10, "customers": [{"id": "Ann", "demand": 4}, {"demand": 5, "id": "Bob"}]}'
    )
    assert sr.read(tmp_path / "c.json", matrix=TABLE).table.tolist() == TABLE


def test_other_formats_and_several_depots(
    tmp_path: Path, square: sr.Instance, two_depots: tuple[sr.Instance, sr.Solution]
) -> None:
    sr.write(square, tmp_path / "square.vrp")
    table = np.arange(25).reshape(5, 5)
    assert sr.read(tmp_path / "square.vrp", matrix=table).distance(1, 2) == 7
    instance, _ = two_depots
    sr.write(instance, tmp_path / "two.json")
    ids = ["Anna", "south", "Bert", "north", "Cafe"]
    rows = [
        ",".join(["", *ids]),
        *(",".join([id, *map(str, table[k])]) for k, id in enumerate(ids)),
    ]
    (tmp_path / "m.csv").write_text("\n".join(rows))
    read = sr.read(tmp_path / "two.json", matrix=tmp_path / "m.csv")
    assert read.distance(read.depot_places["north"], read.depot_places["south"]) == table[3, 1]


def test_the_command_line(tmp_path: Path, run: Callable[..., Any]) -> None:
    (tmp_path / "c.csv").write_text(CUSTOMERS)
    (tmp_path / "m.csv").write_text(PLAIN)
    files = (tmp_path / "c.csv", "--matrix", tmp_path / "m.csv", "--durations", tmp_path / "m.csv")
    out = tmp_path / "out.json"
    solved = run("solve", *files, "--iterations", 10, "--out", out)
    assert solved.exit_code == 0, solved.output
    assert "from a matrix" in solved.stdout
    assert run("check", files[0], out, *files[1:]).exit_code == 0
    same = run("solve", *files, "--out", tmp_path / "m.csv")
    assert "input and output files must all be different" in same.stderr
    (tmp_path / "m.csv").write_text("0,1,2\n3,0,?\n5,6,0\n")
    wrong = run("solve", *files)
    assert wrong.exit_code == 2
    assert "m.csv:2: the distance from 'Ann' to 'Bob', in column 3, is '?'" in wrong.stderr
    assert "(--matrix)" in wrong.stderr
