"""Bad files: one clear error that says where, what was found and what is allowed."""

from pathlib import Path

import pytest

import splitroute as sr
from splitroute.formats import parse
from splitroute.generate import set1

VRP = (
    "DIMENSION : {n}\nEDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : {q}\nNODE_COORD_SECTION\n"
    "1 0 0\n2 1 {y}\nDEMAND_SECTION\n1 0\n2 {d}\nDEPOT_SECTION\n{depot}\n-1\nEOF\n"
)
MATRIX = (
    "DIMENSION : 2\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX\nCAPACITY : 9\n"
    "EDGE_WEIGHT_SECTION\n{rows}\nDEMAND_SECTION\n1 0\n2 5\nDEPOT_SECTION\n1\n-1\nEOF\n"
)


def vrp(**changes: object) -> str:
    return VRP.format(**{"n": 2, "q": 9, "y": 1, "d": 5, "depot": 1, **changes})


def customers(*rows: str, head: str = "# capacity: 9\nid,x,y,demand\ndepot,0,0,0\n") -> str:
    return head + "\n".join(rows) + "\n"


BAD = [
    ("it.txt", "", "it.txt: the file is empty"),
    ("it.txt", " \n\n", "it.txt: the file is empty"),
    ("it.txt", "hello\nworld", "it.txt:1: found 'hello'; the first line"),
    ("it.txt", "\n\n2\n", "it.txt:3: found '2'; the first line"),
    ("it.txt", "2 100\n60\n0 0\n1 1\n2 2\n", "it.txt:1: 7 numbers below .*; 2 customers"),
    ("it.txt", "2 100\n60 90\n0 0\n1 1\n2\n", "need 8: 2 demands and 6 coordinates"),
    ("it.txt", "2 100\n60 90\n0 0\n1 1\n2 2 3\n", "it.txt:1: more than 8 numbers"),
    ("it.txt", "1 100\nsix\n0 0\n1 1\n", "txt:2: demand of customer 1 is six; it must be a"),
    ("it.txt", "1 100\n6\n0 0\n1 one\n", "it.txt:4: y of place 1 is one; it must be a finite"),
    ("it.txt", "1 100\n6\n0 0\n1 nan\n", "it.txt:4: y of place 1 is nan"),
    ("it.txt", "1 100\nnan\n0 0\n1 1\n", "txt:2: demand of customer 1 is nan; it must be a"),
    ("it.txt", "1 100\ninf\n0 0\n1 1\n", "it.txt:2: demand of customer 1 is inf"),
    ("it.txt", "1 100\n-3\n0 0\n1 1\n", "demand of customer 1 is -3; it must be a number of"),
    ("it.txt", "1 100\n1.1234567\n0 0\n1 1\n", "is 1.1234567; it must have at most 6 decimals"),
    ("it.txt", "1 100\n1e-999999\n0 0\n1 1\n", "is 1e-999999; it must have at most 6 decimals"),
    ("it.txt", "1 100\n1e999999\n0 0\n1 1\n", "is 1e999999; it must be at most"),
    ("it.txt", "1 0\n1\n0 0\n1 1\n", "it.txt:1: capacity is 0; it must be a number above 0"),
    ("it.txt", "1 -5\n1\n0 0\n1 1\n", "it.txt:1: capacity is -5"),
    ("it.txt", "-1 5\n1\n0 0\n1 1\n", "it.txt:1: found '-1 5'"),
    ("it.txt", "999999999999 5\n1\n", "it.txt:1: found"),
    ("it.vrp", "hello", "no DIMENSION"),
    ("it.vrp", vrp(q=0), "capacity is 0"),
    ("it.vrp", vrp().replace("CAPACITY : 9\n", ""), "no CAPACITY"),
    ("it.vrp", vrp(n=3), "DEMAND_SECTION has 2 rows; DIMENSION is 3"),
    ("it.vrp", vrp(n="two"), "DIMENSION is two"),
    ("it.vrp", vrp(d=-5), "it.vrp:9: demand of node 2 is -5"),
    ("it.vrp", vrp(d="five"), "it.vrp:9: demand of node 2 is five; it must be a number"),
    ("it.vrp", vrp(y="north"), "it.vrp:6: y of node 2 is north"),
    ("it.vrp", vrp(depot=7), "vrp:10: DEPOT_SECTION is 7; it must be nodes from 1 to 2"),
    ("it.vrp", vrp().replace("EUC_2D", "XRAY1"), "vrp:2: EDGE_WEIGHT_TYPE is XRAY1; known: EUC_2D"),
    ("it.vrp", MATRIX.format(rows="0 1 2\n1 0 3"), "EDGE_WEIGHT_SECTION has more than 4 numbers"),
    ("it.vrp", MATRIX.format(rows="0 1"), "vrp:5: .* has 2 numbers; FULL_MATRIX of 2 nodes"),
    ("it.vrp", MATRIX.format(rows="0 -1\n1 0"), "from 0 to 1 is -1"),
    ("it.json", "{", "it.json:1: not valid JSON at column 2"),
    ("it.json", "[]", "it.json"),
    ("it.json", '{"capacity": 9}', "it.json: customers: missing"),
    ("it.json", '{"customers": [], "depot": {"x": 0, "y": 0}}', "capacity: missing"),
    ("it.json", '{"capacity": 9, "customers": [], "capcity": 3}', "unknown field 'capcity'"),
    ("it.json", '{"capacity": 0, "customers": [], "depot": {"x":0,"y":0}}', "capacity is 0"),
    (
        "it.json",
        '{"capacity": 9, "depot": {"x":0,"y":0}, "customers": [{"x":1,"y":1,"demand":-2}]}',
        "it.json: demand of customer 1 is -2",
    ),
    (
        "it.json",
        '{"capacity": 9, "depot": {"x":0,"y":0}, "customers": [{"x":1,"y":1,"demand":"2"}]}',
        r"customers\[0\].demand: expected a number; found '2'",
    ),
    (
        "it.json",
        '{"capacity": 9, "depot": {"x":0,"y":0}, "customers": [{"x":1,"y":1,"demand":NaN}]}',
        r"it.json: customers\[0\].demand: expected a finite number",
    ),
    (
        "it.json",
        '{"capacity": 9, "depot": {"x":0,"y":0}, "customers": [{"x":1,"demand":2}]}',
        "customer 1 has no x and y",
    ),
    ("it.json", '{"capacity": 9, "customers": [{"demand":2}]}', "no coordinates"),
    (
        "it.json",
        '{"capacity": 9, "customers": [{"demand":2}], "matrix": [[0,1],[2]]}',
        "it.json: the matrix has 2 rows of 1, 2 entries",
    ),
    (
        "it.json",
        '{"capacity": 9, "customers": [{"demand":2}], "matrix": [[0,-1],[2,0]]}',
        "it.json: the distance from 0 to 1 is -1",
    ),
    ("it.csv", "# capacity: 9\n", "no header"),
    ("it.csv", customers("a,1,2", head="id,x,y\n"), "it.csv:1: no column 'demand'"),
    ("it.csv", customers("a,1,2", head="id,x,demand\n"), "it.csv:1: no column"),
    ("it.csv", customers("depot,1,2,0", head="id,x,y,demand\n"), "no capacity; pass `capacity`"),
    ("it.csv", customers("a,1,2,3", head="# capacity: 9\nid,x,y,demand\n"), "no depot; give one"),
    ("it.csv", customers("a,1,5,2,5,3"), "it.csv:4: 6 cells; the header has 4"),
    ("it.csv", customers(",1,5,2"), "it.csv:4: id is empty"),
    ("it.csv", customers("a,,5,2"), "it.csv:4: x of 'a' is empty"),
    ("it.csv", customers("a,1,5,1_000"), "it.csv:4: demand of 'a' is 1_000; it must be a number"),
    (
        "it.csv",
        "# capacity: 9\nid;x;y;demand\ndepot;0;0;\na;1;2;2.000\n",
        "it.csv:4: demand of 'a' is 2.000; it could mean 2000 or 2,",
    ),
    ("it.csv", "PK\x03\x04...", "a workbook or archive, not text"),
    ("it.txt", "1 100\n6\n0 0\n1 1e200\n", "at most 1e.09"),
    ("it.vrp", vrp().replace("1 0\n2 5", "2 5\n1 0"), "it.vrp:8: found node 2; expected node 1"),
    ("it.vrp", vrp().replace("CAP", "VEHICLES : two\nCAP"), "VEHICLES is two; it must be a whole"),
    ("it.vrp", vrp().replace("CAP", "STANDTIME : 9\nCAP"), "STANDTIME is not supported"),
    (
        "it.json",
        '{"capacity":9, "metric":"exact", "depot":{"lat":1,"lon":1}, "customers":[]}',
        "does not match the coordinates lat",
    ),
    ("it.json", '{"capacity":9,"unit":0,"customers":[],"depot":{"x":1,"y":1}}', "unit is 0"),
    ("it.csv", customers("a,1,2,3", "b,1,2,3", "a,5,6,7"), "6: duplicate id 'a'; .* on line 4"),
    ("it.csv", customers("a,1,2,many"), "it.csv:4: demand of 'a' is many; it must be a number"),
    ("it.csv", customers("a,1,2,-1"), "it.csv:4: demand of 'a' is -1"),
    ("it.csv", customers("a,1,2,nan"), "it.csv:4: demand of 'a' is nan"),
    ("it.csv", "# unit: 1\n" + customers("a,1,2,0.5"), "demand of 'a' is 0.5; it must be a whole"),
    ("it.csv", customers("a,here,2,5"), "it.csv:4: x of 'a' is here"),
    ("it.csv", customers("a,1,2"), "it.csv:4: 3 cells"),
    ("it.csv", customers("a,1,2,3").replace("9", "0", 1), "capacity is 0"),
    ("it.csv", "# capcity: 9\n" + customers(), "csv:1: .* did you mean 'capacity'.* vehicles"),
    ("it.csv", "#\n# Vehicle: 2\n" + customers(), "it.csv:2: unknown .* did you mean 'vehicles'"),
    ("it.csv", "# metric: taxi\n" + customers("a,1,2,3"), "unknown metric 'taxi'"),
    ("it.csv", "# metric: haversine\n" + customers("a,1,2,3"), "does not match the columns x"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "message"), BAD)
def test_bad_instances(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(sr.InputError, match=message) as caught:
        sr.read(tmp_path / name)
    for error in caught.value.errors or (caught.value,):
        assert str(error).startswith(str(tmp_path / name))
        assert "\n" not in str(error)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(sr.InputError, match="no such file"):
        sr.read(tmp_path / "none.txt")
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(sr.InputError, match="it is a folder"):
        sr.read(tmp_path / "folder.txt")


@pytest.mark.parametrize("name", ["it.txt", "it.vrp", "it.json", "it.csv"])
def test_an_empty_text(name: str) -> None:
    with pytest.raises(sr.InputError, match=f"{name}: the file is empty"):
        parse(" \n", name)


def test_unknown_extension_and_format(tmp_path: Path) -> None:
    (tmp_path / "it.dat").write_text("1 1\n1\n0 0\n0 0\n")
    with pytest.raises(
        sr.InputError, match=r"extension '.dat'; known: .cri, .csv, .geojson, .json"
    ):
        sr.read(tmp_path / "it.dat")
    with pytest.raises(sr.InputError, match="unknown instance format 'excel'; known: coordlist"):
        sr.read(tmp_path / "it.dat", format="excel")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": 0}, "unit is 0"),
        ({"unit": "x"}, "unit is x"),
        ({"scale": 0}, "scale is 0"),
        ({"capacity": -1}, "capacity is -1"),
        ({"unit": "7"}, "capacity is 100; it must be a multiple of the unit, 7"),
    ],
)
def test_bad_options(options: dict[str, object], message: str, tmp_path: Path) -> None:
    sr.write(set1(1), tmp_path / "it.txt")
    with pytest.raises(sr.InputError, match=message):
        sr.read(tmp_path / "it.txt", **options)  # type: ignore[arg-type]
