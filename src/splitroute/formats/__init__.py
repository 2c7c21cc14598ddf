"""File formats, one module each. Parsers are pure functions of a text; this module opens files.

A format has some of `parse_instance`, `dump_instance`, `parse_solution` and `dump_solution`, and
lists its file extensions in INSTANCE_SUFFIXES and SOLUTION_SUFFIXES. Optional: `encode` if files
are not always UTF-8, `min_customers`, HOLDS_SPLITS = False if solutions cannot hold split visits,
and ACCEPTS_DEPOT = True if files need not state their depot.
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
from splitroute.formats._numbers import Field, parse_quantity, parse_unit
from splitroute.instance import Instance
from splitroute.registry import load, names
from splitroute.solution import Solution
from splitroute.validation import Claims, Violation, validate

Kind = Literal["instance", "solution"]
Verb = Literal["parse", "dump"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read an instance; overrides what the file states."""

    name: str = ""  # of the file, for messages and for instances without a name
    metric: Metric | None = None  # None: the default of the file
    unit: Decimal | None = None  # None: the file's, or else inferred from its quantities
    scale: float = 1.0  # divisor of the coordinates
    capacity: Decimal | None = None
    depot: tuple[float, float] | str | None = None  # x and y, lat and lon, or the id of a row
    encoding: str = "utf-8"  # of the file

    @property
    def stem(self) -> str:
        """File name without its extension."""
        return Path(self.name).stem


@dataclass(frozen=True, slots=True)
class ParsedSolution:
    """A solution and what its file claims about it."""

    solution: Solution
    claims: Claims
    metric: Metric | None = None
    instance: str = ""  # name of the instance that it is meant for

    def violations(self, instance: Instance) -> list[Violation]:
        """Every violation of the instance and every false claim."""
        violations = validate(instance, self.solution, self.claims)
        if self.metric not in (None, instance.metric):
            message = f"the solution states the metric {self.metric}; the instance has "
            violations.append(Violation("metric", message + instance.metric))
        return violations

    def is_for_other_instance(self, instance: Instance) -> bool:
        """Whether it names another instance."""
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
    """Read an instance; the file extension decides on the format unless that is given."""
    path = Path(path)
    _find_format("instance", "parse", path, format)
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
    """Parse an instance; `name` is the file name for messages and its extension."""
    module = _find_format("instance", "parse", Path(name), format)
    if not 0 < scale < float("inf"):
        message = f"scale is {scale}; it must be a number above 0"
        raise InputError(message, field="scale", value=scale)
    if depot is not None and not getattr(module, "ACCEPTS_DEPOT", False):
        message = f"{name}: `depot` is only for CSV; the file states its depot"
        raise InputError(message, field="depot", value=depot)
    if not text.strip():
        raise InputError(f"{name}: the file is empty", code="empty_file")
    if text.startswith("\ufeff"):
        text, encoding = text[1:], "utf-8-sig"
    options = ReadOptions(
        name=name,
        metric=metric,
        unit=None if unit is None else parse_unit(str(unit), Field("unit")),
        scale=scale,
        capacity=(
            None if capacity is None else Decimal(parse_quantity(str(capacity), Field("capacity")))
        ),
        depot=depot,
        encoding=encoding,
    )
    try:
        instance: Instance = module.parse_instance(text, options)
    except InputError as error:
        raise _located(error, Path(name)) from None
    return instance


def min_customers(text: str, format: str) -> int:
    """Lower bound on the number of customers, much cheaper than parsing."""
    count = getattr(_find_format("instance", "parse", Path(), format), "min_customers", None)
    return 0 if count is None else int(count(text))


def read_solution(
    path: str | os.PathLike[str], instance: Instance, *, format: str | None = None
) -> ParsedSolution:
    """Read a solution and what its file claims; raise if it visits an unknown customer."""
    path = Path(path)
    module = _find_format("solution", "parse", path, format)
    try:
        parsed: ParsedSolution = module.parse_solution(read_text(path), instance, str(path))
    except InputError as error:
        raise _located(error, path) from None
    last = len(instance.customers)
    for number, route in enumerate(parsed.solution.routes, 1):
        for visit in route.visits:
            if not 1 <= visit.customer <= last:
                raise InputError(
                    f"{path}: route {number} visits customer {visit.customer}; "
                    f"customers are 1 to {last}",
                    field="customer",
                    value=visit.customer,
                )
    return parsed


def write(
    value: Instance | Solution,
    path: str | os.PathLike[str],
    *,
    instance: Instance | None = None,
    about: Mapping[str, object] | None = None,
    format: str | None = None,
) -> None:
    """Save an instance, or a solution of the given instance.

    JSON keeps `about`. CSV is written in the dialect of the table that the instance was read from.
    """
    path = Path(path)
    if isinstance(value, Instance):
        instance = value
        module = _find_format("instance", "dump", path, format)
        text = module.dump_instance(value)
    elif instance is None:
        raise InputError(
            "a solution needs its instance: write(solution, path, instance=instance)",
            field="instance",
        )
    else:
        module = _find_format("solution", "dump", path, format)
        text = module.dump_solution(instance, value, about)
    encode = getattr(module, "encode", None)
    write_bytes(path, encode(text, instance) if encode else text.encode())


def check_output_format(
    kind: Kind, path: Path, format: str | None = None, *, has_splits: bool = False
) -> None:
    """Raise if no format can write the file, or if its format cannot hold split visits."""
    module = _find_format(kind, "dump", path, format)
    if has_splits and not getattr(module, "HOLDS_SPLITS", True):
        message = f"{path}: the format cannot hold split visits; write .json, .csv or .txt"
        raise InputError(message, field="path", value=str(path))


def suffixes(kind: Kind, verb: Verb = "parse") -> list[str]:
    """File extensions that can be read ("parse") or written ("dump"), sorted."""
    return sorted(_by_suffix(kind, _modules(kind, verb)))


def _find_format(kind: Kind, verb: Verb, path: Path, name: str | None) -> ModuleType:
    """Return the module that can parse or dump, by its name or by the file extension."""
    modules = _modules(kind, verb)
    if name is not None:
        if name not in modules:
            raise InputError(
                f"unknown {kind} format {name!r}; known: {', '.join(modules)}",
                field="format",
                value=name,
            )
        return modules[name]
    by_suffix = _by_suffix(kind, modules)
    suffix = path.suffix.lower()
    if suffix not in by_suffix:
        hint = f"; or pass `format`: {', '.join(modules)}" if verb == "parse" else ""
        raise InputError(
            f"{path}: unknown {kind} file extension {path.suffix!r}; "
            f"known: {', '.join(sorted(by_suffix))}{hint}",
            code="unknown_extension",
            field="format" if verb == "parse" else "path",
            value=path.suffix,
        )
    return by_suffix[suffix]


def _modules(kind: Kind, verb: Verb) -> dict[str, ModuleType]:
    loaded = {name: load(formats, name) for name in names(formats)}
    return {name: module for name, module in loaded.items() if hasattr(module, f"{verb}_{kind}")}


def _by_suffix(kind: Kind, modules: Mapping[str, ModuleType]) -> dict[str, ModuleType]:
    key = f"{kind.upper()}_SUFFIXES"
    return {suffix: module for module in modules.values() for suffix in getattr(module, key)}


def _located(error: InputError, path: Path) -> InputError:
    """Return the error with the file name in front, unless it is there already."""
    message = str(error)
    if not message.startswith(str(path)):
        error.args = (f"{path}: {message}",)
    return error
