"""Engines, one file each: `run(instance, stop, seed, start, listener)` returns a Solution.

CAPABILITIES declares what an engine can do. Where something else must be installed, `check()`
raises unless it is; it takes the options of `run` that say where it is. Solvers made by others run
through `_supervised`, so that none of them can bring the caller down.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from splitroute.instance import Instance
from splitroute.progress import Listener
from splitroute.solution import Solution
from splitroute.stop import Stop


class Engine(Protocol):
    """What every module of this folder has under the name `run`."""

    def __call__(
        self,
        instance: Instance,
        stop: Stop,
        seed: int,
        start: Solution | None,
        listener: Listener,
        /,
        **options: object,
    ) -> Solution: ...


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an engine can do; the defaults are those of a plain CVRP solver."""

    splits: bool = False  # solves instances whose demands may be split
    requires_splitting: bool = False  # and no others
    warm_start: bool = False  # continues from a start
    iteration_limit: bool = False  # can be limited in iterations alone
    fleet_limit: bool = False  # keeps to a number of vehicles
    keeps_time: bool = False  # returns early enough for its solution to be validated in time
    package: str | None = None  # distribution that it needs, for the versions in a result


def capabilities_of(engine: Any) -> Capabilities:
    """What an engine declares."""
    declared: Capabilities = getattr(engine, "CAPABILITIES", Capabilities())
    return declared
