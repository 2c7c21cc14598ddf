"""splitroute: split delivery vehicle routing."""

from splitroute.errors import EngineError, InputError, LimitError, SplitRouteError
from splitroute.formats import read, write
from splitroute.instance import Customer, Instance
from splitroute.pipeline import solve, split
from splitroute.plan import SplitPlan
from splitroute.result import Result
from splitroute.solution import Progress, Route, Solution, Visit
from splitroute.stop import Stop
from splitroute.validation import validate

__all__ = [
    "Customer",
    "EngineError",
    "InputError",
    "Instance",
    "LimitError",
    "Progress",
    "Result",
    "Route",
    "Solution",
    "SplitPlan",
    "SplitRouteError",
    "Stop",
    "Visit",
    "read",
    "solve",
    "split",
    "validate",
    "write",
]
