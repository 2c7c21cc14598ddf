"""splitroute: split delivery vehicle routing."""

import logging
from typing import TYPE_CHECKING

from splitroute.bounds import Bound, lower_bound
from splitroute.errors import (
    EngineError,
    InfeasibleError,
    InputError,
    InputWarning,
    LimitError,
    MissingPackageError,
    RoadServerError,
    SplitRouteError,
)
from splitroute.formats import read, read_solution, schema, write
from splitroute.instance import Customer, Depot, Instance, VehicleType
from splitroute.model import Model
from splitroute.pipeline import solve, solve_async, split
from splitroute.progress import Progress, RaceEntry, TracePoint
from splitroute.repair import repair
from splitroute.result import Result
from splitroute.roads import with_geometry, with_roads
from splitroute.solution import Route, Solution, Visit, timetable
from splitroute.split_plan import SplitPlan
from splitroute.stop import Stop
from splitroute.validation import validate

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """Return the version of the installed package, whose lookup is slow."""
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib.metadata import version

        return version(__name__)


logging.getLogger("splitroute").addHandler(logging.NullHandler())

__all__ = [
    "Bound",
    "Customer",
    "Depot",
    "EngineError",
    "InfeasibleError",
    "InputError",
    "InputWarning",
    "Instance",
    "LimitError",
    "MissingPackageError",
    "Model",
    "Progress",
    "RaceEntry",
    "Result",
    "RoadServerError",
    "Route",
    "Solution",
    "SplitPlan",
    "SplitRouteError",
    "Stop",
    "TracePoint",
    "VehicleType",
    "Visit",
    "__version__",
    "lower_bound",
    "read",
    "read_solution",
    "repair",
    "schema",
    "solve",
    "solve_async",
    "split",
    "timetable",
    "validate",
    "with_geometry",
    "with_roads",
    "write",
]
