"""Engines, one file each: `run(instance, stop, seed, start, listener)` returns a Solution.

CAPABILITIES declares what an engine can do. An engine that needs another package or program has
`check()`, which raises if it is missing and takes the options of `run` that say where it is.
Third-party libraries run through `_supervised`, so that none of them can crash the caller.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from splitroute.instance import Instance
from splitroute.progress import Listener
from splitroute.solution import Solution
from splitroute.stop import Stop


class Engine(Protocol):
    """The function `run` of every module in this folder."""

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


# An engine whose options are bound.
BoundEngine = Callable[[Instance, Stop, int, Solution | None, Listener], Solution]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an engine can do; the defaults are those of a plain CVRP solver."""

    splits: bool = False  # solves instances with splittable demands
    requires_splitting: bool = False  # and no others
    supports_warm_start: bool = False  # continues from a start
    supports_iteration_limit: bool = False  # can be limited by iterations alone
    supports_fleet_limit: bool = False  # respects a number of vehicles
    keeps_time: bool = False  # returns early enough for its solution to be validated in time
    runs_program: bool = False  # runs a program of the machine, so the HTTP service excludes it
    package: str | None = None  # distribution that it needs, for the versions in a result


def capabilities_of(engine: Any) -> Capabilities:
    """Return the capabilities that an engine declares, or the defaults."""
    declared: Capabilities = getattr(engine, "CAPABILITIES", Capabilities())
    return declared


def check_installed(engine: Any, options: Mapping[str, object] | None = None) -> None:
    """Raise if a package or program that an engine needs is missing; see `check` above."""
    if (check := getattr(engine, "check", None)) is not None:
        parameters = inspect.signature(check).parameters
        check(**{k: v for k, v in (options or {}).items() if k in parameters})
