"""The public surface is exact."""

import subprocess
import sys

import splitroute as sr

PUBLIC = (
    "Instance Customer Depot VehicleType Solution Route Visit SplitPlan Stop Progress Result Bound "
    "solve split timetable validate repair lower_bound read read_solution write schema "
    "SplitRouteError InputError InputWarning EngineError InfeasibleError LimitError "
    "MissingPackageError RoadServerError with_roads with_geometry Model TracePoint RaceEntry "
    "solve_async"
)


def test_the_public_names_are_exact() -> None:
    assert sorted(sr.__all__) == sorted(PUBLIC.split())
    assert all(hasattr(sr, name) for name in sr.__all__)


def test_importing_loads_no_optional_package() -> None:
    heavy = [
        "matplotlib",
        "ortools",
        "hybgensea",
        "pyvrp",
        "pydantic",
        "typer",
        "rich",
        "highspy",
        "narwhals",
        "pandas",
        "polars",
        "asyncio",
    ]
    code = f"import sys, splitroute; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
