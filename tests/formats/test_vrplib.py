"""VRPLIB as TSPLIB defines it: every EDGE_WEIGHT_FORMAT and every EDGE_WEIGHT_TYPE."""

import math

import numpy as np
import pytest

import splitroute as sr
from splitroute.formats import parse

FULL = [[0, 12, 13, 14], [12, 0, 23, 24], [13, 23, 0, 34], [14, 24, 34, 0]]
MATRICES = {
    "FULL_MATRIX": "0 12 13 14\n12 0 23 24\n13 23 0 34\n14 24 34 0",
    "UPPER_ROW": "12 13 14\n23 24\n34",
    "LOWER_ROW": "12\n13 23\n14 24 34",
    "UPPER_DIAG_ROW": "0 12 13 14\n0 23 24\n0 34\n0",
    "LOWER_DIAG_ROW": "0\n12 0\n13 23 0\n14 24 34 0",
    "UPPER_COL": "12\n13 23\n14 24 34",
    "LOWER_COL": "12 13 14\n23 24\n34",
    "UPPER_DIAG_COL": "0\n12 0\n13 23 0\n14 24 34 0",
    "LOWER_DIAG_COL": "0 12 13 14\n0 23 24\n0 34\n0",
}


def explicit(form: str, numbers: str, *, depot: int = 1, more: str = "") -> str:
    return (
        f"NAME: it\nTYPE: CVRP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
        f"EDGE_WEIGHT_FORMAT: {form}\nCAPACITY: 9\nEDGE_WEIGHT_SECTION\n{numbers}\n{more}"
        f"DEMAND_SECTION\n1 0\n2 0\n3 3\n4 4\nDEPOT_SECTION\n{depot}\n-1\nEOF\n"
    )


@pytest.mark.parametrize("form", MATRICES)
@pytest.mark.parametrize("end", ["\n", "\r\n", " "])
def test_every_edge_weight_format(form: str, end: str) -> None:
    numbers = MATRICES[form]
    instance = parse(explicit(form, numbers.replace("\n", end)), "it.vrp")
    assert instance.table.tolist() == FULL
    assert [c.demand for c in instance.customers] == [0, 3, 4]


def test_a_matrix_with_the_depot_at_another_node() -> None:
    order = [1, 0, 2, 3]
    instance = parse(explicit("UPPER_ROW", MATRICES["UPPER_ROW"], depot=2), "it.vrp")
    assert instance.table.tolist() == np.array(FULL)[np.ix_(order, order)].tolist()


def test_a_matrix_may_have_display_data() -> None:
    display = "DISPLAY_DATA_SECTION\n1 0 0\n2 0 1\n3 0 2\n4 0 3\n"
    instance = parse(explicit("UPPER_ROW", MATRICES["UPPER_ROW"], more=display), "it.vrp")
    assert instance.places[3] == (0, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (explicit("FUNCTION", "1"), "it.vrp:5: EDGE_WEIGHT_FORMAT is FUNCTION; known: FULL_MATRIX"),
        (explicit("UPPER_ROW", "1 2 3"), "it.vrp:7: .* has 3 numbers; UPPER_ROW of 4 nodes has 6"),
        (explicit("LOWER_DIAG_ROW", "1 " * 11), "it.vrp:7: .* has more than 10 numbers"),
        (
            explicit("UPPER_ROW", "1 2 3\n4 five 6"),
            "it.vrp:9: distance is five; it must be a number",
        ),
        (explicit("UPPER_ROW", "1 2 3 4 5 nan"), "from 2 to 3 is nan"),
        (explicit("UPPER_ROW", "1 2 3 4 5 6_0"), "it.vrp:8: distance is 6_0; it must be a number"),
        (explicit("UPPER_ROW", "1 2 3 4 5 6").replace("EXPLICIT", "XRAY1"), "TYPE is XRAY1; known"),
        (explicit("UPPER_ROW", "1").replace("EDGE_WEIGHT_SECTION\n1\n", ""), "no EDGE_WEIGHT_SEC"),
        ("DIMENSION: 2\nCAPACITY: 9\n7\n", "it.vrp:3: found '7' outside a section"),
        ("DIMENSION: 2\nDIMENSION: 3\n", "it.vrp:2: duplicate DIMENSION"),
        ("DIMENSION: 2\nCAPACITY 9\n", "it.vrp:2: found 'CAPACITY 9'; expected KEY : VALUE"),
        ("DIMENSION: 2\nBACKHAUL_SECTION\n", "BACKHAUL_SECTION is not supported"),
    ],
)
def test_bad_vrplib_instances(text: str, message: str) -> None:
    with pytest.raises(sr.InputError, match=message):
        parse(text, "it.vrp")


def placed(kind: str, *rows: str) -> str:
    coordinates = "".join(f"{k} {row}\n" for k, row in enumerate(rows, 1))
    demands = "".join(f"{k} {k - 1}\n" for k in range(1, len(rows) + 1))
    return (
        f"DIMENSION: {len(rows)}\nEDGE_WEIGHT_TYPE: {kind}\nCAPACITY: 9\n"
        f"NODE_COORD_SECTION\n{coordinates}DEMAND_SECTION\n{demands}EOF\n"
    )


@pytest.mark.parametrize(
    ("kind", "rows", "expected"),
    [
        ("EUC_2D", ["0 0", "1 1.2"], 2),
        ("CEIL_2D", ["0 0", "1 0.1"], 2),
        ("FLOOR_2D", ["0 0", "1 1.7"], 1),
        ("MAN_2D", ["0 0", "-3 4.4"], 7),
        ("MAX_2D", ["0 0", "-3 4.6"], 5),
        ("EUC_3D", ["0 0 0", "2 3 6"], 7),
        ("MAN_3D", ["0 0 0", "2 3 6"], 11),
        ("MAX_3D", ["0 0 0", "2 3 6"], 6),
        ("ATT", ["0 0", "10 0"], 4),  # the root of 100 / 10 is 3.16, and always rounded up
    ],
)
def test_every_edge_weight_type(kind: str, rows: list[str], expected: int) -> None:
    assert parse(placed(kind, *rows), "it.vrp").table[0, 1] == expected


def geo(a: tuple[float, float], b: tuple[float, float]) -> int:
    """The formula of TSPLIB, one pair at a time."""

    def radians(value: float) -> float:
        degrees = int(value)
        return 3.141592 * (degrees + 5.0 * (value - degrees) / 3.0) / 180.0

    (lat1, lon1), (lat2, lon2) = ((radians(x) for x in place) for place in (a, b))
    q1, q2, q3 = math.cos(lon1 - lon2), math.cos(lat1 - lat2), math.cos(lat1 + lat2)
    return int(6378.388 * math.acos(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)) + 1.0)


def test_geographical_distances() -> None:
    places = [(16.47, 96.10), (16.47, 94.44), (-20.09, 92.54), (22.39, -93.37)]
    instance = parse(placed("GEO", *(f"{lat} {lon}" for lat, lon in places)), "it.vrp")
    assert instance.table[0, 1] == 153  # as published for burma14
    for i, a in enumerate(places):
        for j, b in enumerate(places):
            assert instance.table[i, j] == (geo(a, b) if i != j else 0)
    lon, lat = instance.places[0]  # 16 degrees and 47 minutes
    assert [lat, lon] == pytest.approx([16 + 47 / 60, 96 + 10 / 60])


def test_metrics_that_match_a_file() -> None:
    text = placed("GEO", "53.33 10.00", "54.20 10.08")
    assert parse(text, "it.vrp", metric="haversine").table[0, 1] == pytest.approx(87, abs=1)
    with pytest.raises(sr.InputError, match="does not match the EDGE_WEIGHT_TYPE GEO"):
        parse(text, "it.vrp", metric="exact")
    with pytest.raises(sr.InputError, match="does not match the EDGE_WEIGHT_TYPE EUC_2D"):
        parse(placed("EUC_2D", "0 0", "1 1"), "it.vrp", metric="haversine")
