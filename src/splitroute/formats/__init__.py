"""File formats, one file each. Parsers are pure: text in, value out; this module opens the files.

A format has some of `parse_instance`, `dump_instance`, `parse_solution` and `dump_solution`, and
names the endings by which it is recognised in INSTANCE_SUFFIXES and SOLUTION_SUFFIXES. One whose
files are not always UTF-8 has `encode`.
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
from splitroute.distances import Metric
from splitroute.errors import InputError
from splitroute.files import read_encoded, read_text, write_bytes
from splitroute.formats._numbers import amount, unit_of
from splitroute.instance import Instance
from splitroute.registry import load, names
from splitroute.solution import Solution
from splitroute.validation import Claims, Violation, validate

Kind = Literal["instance", "solution"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read an instance: what the file does not say, or says otherwise."""

    name: str = ""  # the file's name, for messages and for instances that have none
    metric: Metric | None = None  # None: the one natural to the file
    unit: Decimal | None = None  # None: the file's own, else what its quantities are multiples of
    scale: float = 1.0  # coordinates are divided by this
    capacity: Decimal | None = None
    # A point as in the file, x and y or lat and lon; or the id of the row that is the depot.
    depot: tuple[float, float] | str | None = None
    encoding: str = "utf-8"  # that the text was in

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
    depot: tuple[float, float] | str | None = None,
    format: str | None = None,
) -> Instance:
    """The instance in a file; the format follows from the file's ending unless it is given."""
    path = Path(path)
    _format("instance", "parse", path, format)
    text = read_encoded(path)
    return parse(
        text.text, str(path), metric=metric, unit=unit, scale=scale, capacity=capacity,
        depot=depot, format=format, encoding=text.encoding,
    )  # fmt: skip


def parse(
    text: str,
    name: str,
    *,
    metric: Metric | None = None,
    unit: Decimal | float | str | None = None,
    scale: float = 1.0,
    capacity: Decimal | float | str | None = None,
    depot: tuple[float, float] | str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
) -> Instance:
    """The same for a text; its name is for messages, and its ending for the format."""
    module = _format("instance", "parse", Path(name), format)
    if not 0 < scale < float("inf"):
        said = f"the scale is {scale}; it is a number above 0"
        raise InputError(said, field="scale", value=scale)
    if text.startswith("\ufeff"):
        text, encoding = text[1:], "utf-8-sig"
    reading = Reading(
        name=name,
        metric=metric,
        unit=None if unit is None else unit_of(str(unit), ""),
        scale=scale,
        capacity=None if capacity is None else Decimal(amount(str(capacity), "capacity", "")),
        depot=depot,
        encoding=encoding,
    )
    try:
        instance: Instance = module.parse_instance(text, reading)
    except InputError as error:
        raise _located(error, Path(name)) from None
    return instance


def min_customers(text: str, format: str) -> int:
    """How many customers there are at least, at a small part of the cost of parsing them."""
    count = getattr(_format("instance", "parse", Path(), format), "min_customers", None)
    return 0 if count is None else int(count(text))


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

    Formats that have a place for it keep what is said `about` the solution. A CSV is written in
    the dialect of the table that the instance was read from.
    """
    path = Path(path)
    if isinstance(value, Instance):
        instance = value
        module = _format("instance", "dump", path, format)
        text = module.dump_instance(value)
    elif instance is None:
        raise InputError("a solution is written together with its instance: write(.., instance=..)")
    else:
        module = _format("solution", "dump", path, format)
        text = module.dump_solution(instance, value, about)
    encode = getattr(module, "encode", None)
    write_bytes(path, encode(text, instance) if encode else text.encode())


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
    able: dict[str, ModuleType] = {
        known: module
        for known in names(formats)
        if hasattr(module := load(formats, known), f"{verb}_{kind}")
    }
    if name is not None:
        if name not in able:
            known = ", ".join(able)
            raise InputError(
                f"unknown {kind} format {name!r}; known: {known}", field="format", value=name
            )
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
        raise InputError(
            f"{path}: unknown ending {path.suffix!r} for {kind} files; {known}", field="format"
        )
    return suffixes[path.suffix.lower()]


def _located(error: InputError, path: Path) -> InputError:
    """The error with the file's name in front, unless it has it."""
    message = str(error)
    if not message.startswith(str(path)):
        error.args = (f"{path}: {message}",)
    return error
