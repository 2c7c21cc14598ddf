"""splitroute: split delivery vehicle routing."""

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
from splitroute.pipeline import solve, split
from splitroute.progress import Progress
from splitroute.repair import repair
from splitroute.result import Result
from splitroute.roads import with_geometry, with_roads
from splitroute.solution import Route, Solution, Visit, timetable
from splitroute.split_plan import SplitPlan
from splitroute.stop import Stop
from splitroute.validation import validate

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
    "Progress",
    "Result",
    "RoadServerError",
    "Route",
    "Solution",
    "SplitPlan",
    "SplitRouteError",
    "Stop",
    "VehicleType",
    "Visit",
    "lower_bound",
    "read",
    "read_solution",
    "repair",
    "schema",
    "solve",
    "split",
    "timetable",
    "validate",
    "with_geometry",
    "with_roads",
    "write",
]
