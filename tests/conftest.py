"""Shared fixtures: small instances, benchmark files and the command line."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import settings
from typer.testing import CliRunner

import splitroute as sr
from fake_roads import FakeServer, fake_server
from road_servers import osrm_server, valhalla_server
from splitroute.bench.sets import SETS
from splitroute.generate import set1
from splitroute.instance import Depot, VehicleType
from splitroute.roads import _http

ROOT = Path(__file__).parents[1]
FOLDER = Path(os.environ.get("SPLITROUTE_INSTANCES", ROOT.parent / "shared" / "instances"))

pytest.register_assert_rewrite("stores")  # a plugin of some tests that others import
settings.register_profile("no deadline", deadline=None)  # a busy machine is no failure
settings.load_profile("no deadline")


@pytest.fixture
def benchmark_file() -> Callable[[str], Path]:
    """Path of a benchmark file such as "SET-1/SD6.txt"; skips the test if it is absent."""

    def find(name: str) -> Path:
        path = FOLDER / name
        if not path.exists():
            pytest.skip(f"benchmark file {name} is absent; set SPLITROUTE_INSTANCES to its folder")
        return path

    return find


@pytest.fixture
def benchmark(benchmark_file: Callable[[str], Path]) -> Callable[[str], sr.Instance]:
    """The instance of a benchmark file, in the exact metric and true units."""

    def load(name: str) -> sr.Instance:
        path = benchmark_file(name)
        owner = next(s for s in SETS if s.name == path.parent.name)
        return owner.read(path)

    return load


@pytest.fixture
def square() -> sr.Instance:
    """Four customers around the depot, two with demands above half the capacity."""
    corners = [(0, 0), (0, 3), (4, 0), (0, -3), (-4, 0)]
    return sr.Instance.create(10, [6, 6, 4, 4], corners, name="square")


@pytest.fixture
def sd1(tmp_path: Path) -> Path:
    """A file with the first instance of SET-1."""
    sr.write(set1(1), tmp_path / "SD1.txt")
    return tmp_path / "SD1.txt"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run the command line in this process; the result has exit_code, stdout and stderr."""
    from splitroute.cli import app

    monkeypatch.setenv("COLUMNS", "200")

    def invoke(*arguments: object) -> Any:
        return CliRunner().invoke(app, [str(a) for a in arguments])

    return invoke


@pytest.fixture
def fake_osrm(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[FakeServer, str]]:
    """A server that responds as told, and what `roads` takes; requests are repeated at once."""
    monkeypatch.setattr(_http, "FIRST_WAIT_SECONDS", 0.001)
    with fake_server() as fake:
        yield fake


@pytest.fixture(scope="module")
def osrm() -> Iterator[str]:
    """The address of a real OSRM in Monaco."""
    with osrm_server() as (address, _):
        yield address


@pytest.fixture(scope="module")
def valhalla() -> Iterator[str]:
    """The address of a real Valhalla in Monaco."""
    with valhalla_server() as address:
        yield address


def located(
    places: Sequence[tuple[float, float]], metric: Literal["exact", "dimacs", "haversine"]
) -> dict[str, Any]:
    """Arguments of `Instance.create` for places (x, y), or (longitude, latitude), in a metric."""
    if metric == "haversine":
        return {"lat": [y for _, y in places], "lon": [x for x, _ in places]}
    return {"coordinates": places, "metric": metric}


def routes(*visits: list[tuple[int, int]]) -> sr.Solution:
    """A solution from plain lists of (customer, quantity)."""
    return sr.Solution(tuple(sr.Route(tuple(sr.Visit(*v) for v in route)) for route in visits))


@pytest.fixture
def two_depots() -> tuple[sr.Instance, sr.Solution]:
    """Vans from one depot, one of them with two trips, and a truck that ends at the other."""
    instance = sr.Instance.create(
        None,
        [6, 8, 5],
        lat=[53.6, 53.5, 53.55, 53.4, 53.45],
        lon=[10.0, 9.9, 10.1, 9.95, 10.2],
        ids=["Anna", "Bert", "Cafe"],
        name="bakery",
        depots=[Depot("north", windows=((300, 1200),)), Depot("south")],
        vehicles=[
            VehicleType("van", 10, 2, "north", fixed_cost=10, max_trips=2, loading=15),
            VehicleType("truck", 15, None, "south", "north", shift=(390, 1000)),
        ],
        windows=[((480, 600), (900, 960)), (), ((420, 500),)],
        service=10,
        penalty=[None, 3.0, None],
    )
    solution = sr.Solution(
        (
            sr.Route((sr.Visit(1, 6), sr.Visit(2, 3)), 0, 1, 1),
            sr.Route((sr.Visit(3, 5), sr.Visit(2, 1)), 1),
            sr.Route((sr.Visit(2, 3),), 0, 1, 2),
        )
    )
    return instance, solution
