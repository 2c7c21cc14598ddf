"""Instances from data frames, and data frames from results."""

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import splitroute as sr
from conftest import ROOT
from splitroute import registry
from splitroute.formats import _write_dataframe

EXAMPLES = ROOT / "examples"
LIBRARIES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "lazy polars": lambda frame: pl.from_pandas(frame).lazy(),
}
ORDERS = pd.DataFrame(
    {
        "id": ["depot", "Anna", "Bert"],
        "x": [0.0, 3.0, 0.0],
        "y": [0.0, 0.0, 4.0],
        "demand": [0, 6, 8],
    }
)
each_library = pytest.mark.parametrize("convert", LIBRARIES.values(), ids=LIBRARIES)


def table(name: str) -> pd.DataFrame:
    return pd.read_csv(EXAMPLES / name, comment="#")


def create(frame: Any = ORDERS, **options: Any) -> sr.Instance:
    return sr.Instance.from_dataframe(frame, **{"capacity": 10, **options})


@each_library
def test_a_data_frame_is_read_like_its_csv(convert: Callable[[pd.DataFrame], Any]) -> None:
    frame = convert(table("bakeries.csv"))
    instance = sr.Instance.from_dataframe(frame, capacity=40, name="bakeries")
    assert instance == sr.read(EXAMPLES / "bakeries.csv")
    assert {"windows", "service_per_unit"} <= instance.rules


@each_library
def test_vehicles_and_depots_are_data_frames_too(convert: Callable[[pd.DataFrame], Any]) -> None:
    files = [EXAMPLES / f"drinks{kind}.csv" for kind in ("", "-fleet", "-depots")]
    expected = sr.read(files[0], fleet=files[1], depots=files[2])
    frames = [convert(table(file.name)) for file in files]
    instance = sr.Instance.from_dataframe(
        frames[0], vehicles=frames[1], depots=frames[2], name="drinks"
    )
    assert instance == expected


def test_options_are_those_of_read() -> None:
    frame = ORDERS.rename(columns={"demand": "load"}).drop(index=0)
    instance = create(frame, columns={"demand": "load"}, depot=(0.0, 0.0), vehicles=2, partial=True)
    assert instance.vehicles == 2
    assert instance.partial
    assert instance.distance(1, 2) == 5


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT, ""])
def test_missing_values_are_empty_cells(missing: object) -> None:
    frame = ORDERS.assign(
        demand=pd.Series([missing, 6, 8], dtype=object),
        open=pd.Series([missing, missing, datetime.timedelta(hours=8)], dtype=object),
        close=pd.Series([missing, missing, datetime.time(9, 30)], dtype=object),
    )
    assert [c.windows for c in create(frame).customers] == [(), ((480, 570),)]


@pytest.mark.parametrize(
    ("demands", "unit"),
    [
        (np.array([0, 0.1, 0.7], dtype=np.float32), "0.1"),
        ([Decimal(0), Decimal("2.000"), Decimal("2.250")], "0.25"),
        (pd.array([0, 6, 8], dtype="Int64"), "1"),
        (["0", "1,5", "2"], "0.5"),
    ],
)
def test_quantities_of_any_type_are_exact(demands: Any, unit: str) -> None:
    assert create(ORDERS.assign(demand=demands)).unit == Decimal(unit)


def test_ids_of_64_bits_stay_distinct() -> None:
    frame = ORDERS.assign(id=[0, 2**62, 2**62 + 1])
    instance = create(frame, depot="0")
    assert [c.id for c in instance.customers] == [str(2**62), str(2**62 + 1)]


def test_an_index_with_a_name_is_a_column() -> None:
    assert create(ORDERS.set_index("id")) == create()


def test_the_error_for_a_data_frame_instead_of_an_instance_says_how_to_read_it() -> None:
    with pytest.raises(sr.InputError, match=r"call solve\(Instance.from_dataframe\(..\)\)"):
        sr.solve(ORDERS)


def test_lists_are_vehicle_types() -> None:
    fleet = pl.DataFrame({"type": ["van", "truck"], "capacity": [10, 20]})
    orders = pl.from_pandas(ORDERS).with_columns(
        vehicle_types=pl.Series([None, ["van"], ["van", "truck"]])
    )
    instance = sr.Instance.from_dataframe(orders, vehicles=fleet)
    assert [c.vehicle_types for c in instance.customers] == [("van",), ("van", "truck")]


def test_errors_name_row_and_column() -> None:
    frame = ORDERS.rename(columns={"demand": "Menge (kg)"}).astype(object)
    frame.loc[1, "Menge (kg)"] = "many"
    frame.loc[2, "x"] = "west"
    with pytest.raises(sr.InputError) as caught:
        create(frame)
    assert [(e.line, e.field, e.value) for e in caught.value.errors] == [
        (1, "demand", "many"),
        (2, "x", "west"),
    ]
    assert "customers, row 1, column 'Menge (kg)': demand of 'Anna' is many" in str(caught.value)
    with pytest.raises(sr.InputError, match=r"^vehicles, row 0, column 'capacity': capacity"):
        create(capacity=None, vehicles=pd.DataFrame({"type": ["van"], "capacity": [-1]}))


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (ORDERS.drop(columns="demand"), {}, "^customers: no column 'demand'"),
        (ORDERS, {"capacity": None}, "^no capacity; pass `capacity`$"),
        (ORDERS.iloc[:0], {}, "no row called 'depot'|no depot"),
        ([1, 2], {}, "customers is list .* not a data frame of pandas, polars, pyarrow"),
        (
            ORDERS.set_index(ORDERS["id"].rename(None)).drop(columns="id"),
            {},
            r"no column 'id'.*; if the index holds the ids, name it: customers.rename_axis\('id'\)",
        ),
        (ORDERS, {"vehicles": "two"}, "vehicles is str 'two', not a data frame"),
        (ORDERS, {"vehicles": 1}, "1 vehicle carries 10; the total demand is 14"),
        (ORDERS, {"columns": ["demand"]}, "columns is list"),
        (ORDERS, {"depot": "depot", "depots": ORDERS}, "depot or depots"),
        (ORDERS, {"roads": "osrm:http://localhost", "speed": 3}, "omit roads or speed"),
        (pd.concat([ORDERS, ORDERS["x"]], axis=1), {}, "customers: .*x"),
    ],
)
def test_bad_data_frames(frame: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(sr.InputError, match=message):
        create(frame, **options)


@pytest.mark.parametrize(
    "matrix",
    [
        [[0, 1, 2], [3, 0, 4], [5, 6, 0]],
        pd.DataFrame([[0, 1, 2], [3, 0, 4], [5, 6, 0]]),
        pl.DataFrame([[0, 3, 5], [1, 0, 6], [2, 4, 0]]),
        pd.DataFrame(
            [[0, 6, 5], [4, 0, 3], [2, 1, 0]],
            index=["Bert", "Anna", "depot"],
            columns=["Bert", "Anna", "depot"],
        )[["Anna", "depot", "Bert"]],
        pl.DataFrame({"Bert": [0, 4, 2], "Anna": [6, 0, 1], "depot": [5, 3, 0]}),
        pa.table({"Bert": [0, 4, 2], "Anna": [6, 0, 1], "depot": [5, 3, 0]}),
    ],
    ids=["list", "pandas", "polars", "labelled pandas", "labelled polars", "labelled pyarrow"],
)
def test_a_matrix_may_be_a_data_frame(matrix: Any) -> None:
    instance = create(ORDERS.drop(columns=["x", "y"]), matrix=matrix, durations=matrix)
    assert instance.table.tolist() == [[0, 1, 2], [3, 0, 4], [5, 6, 0]]
    assert instance.durations is not None
    assert instance.durations.tolist() == instance.table.tolist()


def test_labels_of_rows_and_columns_must_match() -> None:
    matrix = pd.DataFrame(np.zeros((3, 3)), index=[*"abc"], columns=[*"abd"])
    with pytest.raises(sr.InputError, match="rows and the columns of matrix have different"):
        create(matrix=matrix)


@pytest.mark.parametrize(
    ("library", "kind"),
    [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)],
)
def test_stops_and_routes_are_of_the_library_of_the_instance(library: str, kind: type) -> None:
    result = sr.solve(create(LIBRARIES[library](ORDERS)), stop=sr.Stop(iterations=10))
    assert isinstance(result.stops(), kind)
    assert isinstance(result.routes(), kind)
    assert isinstance(result.stops("polars"), pl.DataFrame)


def test_stops_have_the_columns_of_the_sheet(two_depots: tuple[sr.Instance, sr.Solution]) -> None:
    instance, solution = two_depots
    result = sr.solve(instance, start=solution, stop=sr.Stop(iterations=1))
    stops, routes = result.stops("pandas"), result.routes("pandas")
    titles = "route vehicle_type vehicle trip depot end_depot departure return visit number id"
    titles += " lat lon quantity remaining arrival start end"
    assert list(stops.columns) == titles.split()
    assert stops["quantity"].sum() == sum(c.demand for c in instance.customers)
    assert stops["quantity"].dtype == np.int64
    # Times are since midnight, so that they can be added to a date.
    first = stops[stops["id"] == "Anna"].iloc[0]
    assert any(a <= first["start"].total_seconds() / 60 <= b for a, b in ((480, 600), (900, 960)))
    assert routes["cost"].sum() == pytest.approx(result.cost)
    assert list(routes["visits"]) == [len(route.visits) for route in result.solution.routes]


def test_stops_leave_out_what_stays_undelivered() -> None:
    result = sr.solve(create(vehicles=1, partial=True), stop=sr.Stop(iterations=10))
    assert result.undelivered
    assert result.stops("pandas")["quantity"].sum() == 10


def test_quantities_in_units_are_numbers_of_users() -> None:
    result = sr.solve(create(ORDERS.assign(demand=[0, 1.5, 2])), stop=sr.Stop(iterations=10))
    assert sorted(result.stops("polars")["quantity"]) == [1.5, 2.0]


def test_the_first_library_installed_is_the_default(
    square: sr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = sr.solve(square, stop=sr.Stop(iterations=10))
    assert isinstance(result.stops(), pd.DataFrame)
    monkeypatch.setattr(_write_dataframe, "is_installed", lambda name: name != "pandas")
    assert isinstance(result.stops(), pl.DataFrame)
    with pytest.raises(sr.MissingPackageError, match="run: pip install pandas"):
        result.stops("pandas")
    monkeypatch.setattr(_write_dataframe, "is_installed", lambda name: False)
    with pytest.raises(sr.MissingPackageError, match=r"pip install 'splitroute\[notebook\]'"):
        result.routes()
    with pytest.raises(sr.InputError, match="unknown library 'excel'; known: pandas, polars"):
        result.routes("excel")


def test_without_narwhals_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "is_installed", lambda name: False)
    with pytest.raises(sr.MissingPackageError, match=r"pip install 'splitroute\[dataframe\]'"):
        create()


def test_problems_of_the_header_name_its_columns() -> None:
    with pytest.raises(sr.InputError, match="2 columns for demand") as caught:
        create(ORDERS.assign(quantity=5))
    assert caught.value.cell == "customers, column 'demand'"
    frame = ORDERS.rename(columns={"demand": "Menge (kg)"})
    vehicles = pd.DataFrame({"type": ["van"], "capacity (t)": [3.5]})
    with pytest.raises(sr.InputError, match="capacity is in t and demand in kg"):
        sr.Instance.from_dataframe(frame, vehicles=vehicles)
    with pytest.warns(sr.InputWarning, match="column 'ab': column 'ab' is a note"):
        create(ORDERS.assign(ab="08:00"))
