"""Engines, one file each: `run(instance, stop, seed, start, listener)` returns a Solution.

CAPABILITIES declares what an engine can do. An engine that needs another package or program has
`check()`, which raises if it is missing and takes the options of `run` that say where it is.
Third-party libraries run through `_supervised`, so that none of them can crash the caller.
"""

import inspect
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from splitroute.errors import InputError, SplitRouteError
from splitroute.instance import Instance
from splitroute.progress import Listener
from splitroute.registry import load, names
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
    rules: frozenset[str] = frozenset()  # that it respects, by their names in `instance.rules`
    package: str | None = None  # distribution that it needs, for the versions in a result


def capabilities_of(engine: Any) -> Capabilities:
    """Return the capabilities that an engine declares, or the defaults."""
    declared = getattr(engine, "CAPABILITIES", Capabilities())
    if not isinstance(declared, Capabilities):
        message = f"CAPABILITIES of the engine {engine.__name__} is {declared!r}, not Capabilities"
        raise InputError(f"{message}(...)", field="engine", value=declared)
    return declared


def declared_capabilities() -> dict[str, Capabilities]:
    """Return the capabilities of every engine that can be loaded, by its name."""
    folder, declared = sys.modules[__name__], {}
    for name in names(folder):
        with suppress(SplitRouteError):  # of another package
            declared[name] = capabilities_of(load(folder, name))
    return declared


def supporting_engines(rules: frozenset[str], *, splits: bool) -> list[str]:
    """Names of the engines that respect these rules, with or without splitting."""
    return [
        name
        for name, declared in declared_capabilities().items()
        if rules <= declared.rules
        and (declared.splits if splits else not declared.requires_splitting)
    ]


def check_installed(engine: Any, options: Mapping[str, object] | None = None) -> None:
    """Raise if a package or program that an engine needs is missing; see `check` above."""
    if (check := getattr(engine, "check", None)) is not None:
        parameters = inspect.signature(check).parameters
        check(**{k: v for k, v in (options or {}).items() if k in parameters})
