"""File formats, one file each. Parsers are pure: text in, value out; this module opens the files.

A format has some of `parse_instance`, `dump_instance`, `parse_solution` and `dump_solution`, and
names the endings by which it is recognised in INSTANCE_SUFFIXES and SOLUTION_SUFFIXES.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Literal

from splitroute import formats
from splitroute.catalogue import load, names
from splitroute.distances import Metric
from splitroute.errors import InputError
from splitroute.files import read_text, write_bytes
from splitroute.instance import Instance
from splitroute.solution import Solution
from splitroute.validation import Claims, Violation, validate

Kind = Literal["instance", "solution"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read an instance: what the file does not say, or says otherwise."""

    name: str = ""  # the file's name, for messages and for instances that have none
    metric: Metric | None = None  # None: the one natural to the file
    unit: Decimal | None = None  # None: the file's own, else 1
    scale: float = 1.0  # coordinates are divided by this
    capacity: Decimal | None = None
    depot: tuple[float, float] | None = None  # as in the file: x and y, or lat and lon

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return Path(self.name).stem


@dataclass(frozen=True, slots=True)
class StatedSolution:
    """A solution and what its file claims about it."""

    solution: Solution
    claims: Claims
    metric: Metric | None = None
    instance: str = ""  # the name of the instance that it is said to be of

    def violations(self, instance: Instance) -> list[Violation]:
        """Everything that is wrong with it and with what is claimed."""
        found = validate(instance, self.solution, self.claims)
        if self.metric not in (None, instance.metric):
            said = f"the solution is said to be in the metric {self.metric}, not {instance.metric}"
            found.append(Violation("metric", said))
        return found

    def foreign(self, instance: Instance) -> bool:
        """Whether it is said to be of another instance."""
        return self.instance not in ("", instance.name)


def read(
    path: str | os.PathLike[str],
    *,
    metric: Metric | None = None,
    unit: Decimal | float | str | None = None,
    scale: float = 1.0,
    capacity: Decimal | float | str | None = None,
    depot: tuple[float, float] | None = None,
    format: str | None = None,
) -> Instance:
    """The instance in a file; the format follows from the file's ending unless it is given."""
    path = Path(path)
    _format("instance", "parse", path, format)
    return parse(
        read_text(path), str(path),
        metric=metric, unit=unit, scale=scale, capacity=capacity, depot=depot, format=format,
    )  # fmt: skip


def parse(
    text: str,
    name: str,
    *,
    metric: Metric | None = None,
    unit: Decimal | float | str | None = None,
    scale: float = 1.0,
    capacity: Decimal | float | str | None = None,
    depot: tuple[float, float] | None = None,
    format: str | None = None,
) -> Instance:
    """The same for a text; its name is for messages, and its ending for the format."""
    module = _format("instance", "parse", Path(name), format)
    if not 0 < scale < float("inf"):
        raise InputError(f"the scale is {scale}; it is a number above 0")
    reading = Reading(
        name=name,
        metric=metric,
        unit=None if unit is None else _decimal("unit", unit),
        scale=scale,
        capacity=None if capacity is None else _decimal("capacity", capacity),
        depot=depot,
    )
    try:
        instance: Instance = module.parse_instance(text, reading)
    except InputError as error:
        raise _located(error, Path(name)) from None
    return instance


def read_solution(
    path: str | os.PathLike[str], instance: Instance, *, format: str | None = None
) -> StatedSolution:
    """The solution in a file, with what the file claims; every customer it names exists."""
    path = Path(path)
    module = _format("solution", "parse", path, format)
    try:
        stated: StatedSolution = module.parse_solution(read_text(path), instance, str(path))
    except InputError as error:
        raise _located(error, path) from None
    last = len(instance.customers)
    for number, route in enumerate(stated.solution.routes, 1):
        for visit in route.visits:
            if not 1 <= visit.customer <= last:
                raise InputError(
                    f"{path}: route {number} visits customer {visit.customer}, who does not exist; "
                    f"customers are 1 to {last}"
                )
    return stated


def write(
    value: Instance | Solution,
    path: str | os.PathLike[str],
    *,
    instance: Instance | None = None,
    about: Mapping[str, object] | None = None,
    format: str | None = None,
) -> None:
    """Saves an instance, or a solution of the instance given with it.

    Formats that have a place for it keep what is said `about` the solution.
    """
    path = Path(path)
    if isinstance(value, Instance):
        text = _format("instance", "dump", path, format).dump_instance(value)
    elif instance is None:
        raise InputError("a solution is written together with its instance: write(.., instance=..)")
    else:
        text = _format("solution", "dump", path, format).dump_solution(instance, value, about)
    write_bytes(path, text.encode())


def check_known(kind: Kind, path: Path, format: str | None = None, *, splits: bool = False) -> None:
    """Raises if there is no format to write such a file in, or none that holds split visits."""
    module = _format(kind, "dump", path, format)
    if splits and not getattr(module, "HOLDS_SPLITS", True):
        raise InputError(f"{path}: that format cannot hold split visits; write .json, .csv or .txt")


def endings(kind: Kind) -> list[str]:
    """The endings by which files of that kind are recognised."""
    modules = [load(formats, known) for known in names(formats)]
    return sorted({e for m in modules for e in getattr(m, f"{kind.upper()}_SUFFIXES", ())})


def _format(kind: Kind, verb: str, path: Path, name: str | None) -> ModuleType:
    """The module that reads or writes that kind of value, by name or by the file's ending."""
    able = {
        known: module
        for known in names(formats)
        if hasattr(module := load(formats, known), f"{verb}_{kind}")
    }
    if name is not None:
        if name not in able:
            raise InputError(f"unknown {kind} format {name!r}; known: {', '.join(able)}")
        return able[name]
    suffixes = {
        suffix: module
        for module in able.values()
        for suffix in getattr(module, f"{kind.upper()}_SUFFIXES")
    }
    if path.suffix.lower() not in suffixes:
        known = f"known: {', '.join(sorted(suffixes))}"
        if verb == "parse":
            known += f"; or give the format: {', '.join(able)}"
        raise InputError(f"{path}: unknown ending {path.suffix!r} for {kind} files; {known}")
    return suffixes[path.suffix.lower()]


def _located(error: InputError, path: Path) -> InputError:
    """The error with the file's name in front, unless it has it."""
    message = str(error)
    return error if message.startswith(str(path)) else InputError(f"{path}: {message}")


def _decimal(what: str, value: Decimal | float | str) -> Decimal:
    try:
        number = Decimal(str(value))
        if number.is_finite() and number > 0:
            return number
    except ArithmeticError:
        pass
    raise InputError(f"the {what} is {value}; it is a number above 0")
