"""What is done with the input of clients, in a parser process with a memory limit.

Everything that needs a parsed instance is here: nothing of it runs in the process of the service.
Requests come as JSON, and what goes back is text or bytes: never an instance with its matrix.
"""

from __future__ import annotations

import csv
import io
import json
import re
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from splitroute.errors import InputError, InputWarning, LimitError, SplitRouteError
from splitroute.formats.json import instance_model
from splitroute.instance import Instance
from splitroute.pipeline import check, split, warn_about_units
from splitroute.report import number, quantity
from splitroute.web import files
from splitroute.web.checks import Limits, check_limits
from splitroute.web.invalid import explain
from splitroute.web.models import (
    BenchmarkInstance,
    GeneratedInstance,
    GivenInstance,
    JobRequest,
    LevelModel,
    PlanModel,
)
from splitroute.web.work import instance_of, method_of

# Which field an error is about that does not say so itself.
FIELDS = {
    "capacity": r"(^|: )(no capacity;|capacity is )",
    "unit": r"state a unit|(^|: )the unit is ",
    "vehicles": r"^\d+ vehicles? carry |number of vehicles",
    "metric": r"metric '\w+' does not go|unknown metric",
}


@dataclass(frozen=True)
class Parsed:
    """A request that is as described, and its instance."""

    name: str
    customers: int
    instance: str  # JSON, without a matrix
    warnings: tuple[str, ...]  # about what is probably not meant
    request: str = ""  # JSON, of a job to be carried out
    shown_request: str = ""  # the same without the text of the instance
    method: str = ""


@dataclass(frozen=True)
class Refused:
    """What is wrong with the request, and with which field of it."""

    detail: str
    field: str | None = "instance"
    status: int = 400


@dataclass(frozen=True)
class Bug:
    """An exception that nobody expected."""

    traceback: str


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function returns, or a Refused or a Bug."""
    try:
        return function(*arguments)
    except SplitRouteError as error:
        return _refused(error)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return Refused(*explain(first, _path(first["loc"])), status=422)
    except MemoryError:
        return Refused("reading this takes more memory than is allowed")
    except RecursionError:
        return Refused("the file is nested too deeply to be read")
    except Exception:
        return Bug(traceback.format_exc())


def parse(request: bytes, limits: Limits, solvable: bool) -> Parsed | Refused:
    """A request for a job, as it came; if it has to be solvable, so is the method."""
    job = JobRequest.model_validate_json(request)
    if solvable:
        check_limits(job, limits)
    _check_size(min_customers(job.instance), limits.max_customers)
    with warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always", InputWarning)
        instance = instance_of(job)
        warn_about_units(instance)
    _check_size(len(instance.customers), limits.max_customers)
    if not instance.customers:
        raise InputError("there are no customers", field="instance")
    if solvable:
        try:
            check(instance, **method_of(job))
        except SplitRouteError as error:
            refused = _refused(error)
            return refused if refused.field == "vehicles" else Refused(refused.detail, "rule")
    name = printable(instance.name)
    said = (str(doubt.message) for doubt in doubts if issubclass(doubt.category, InputWarning))
    about = (name, len(instance.customers), _json(instance), tuple(dict.fromkeys(said)))
    if not solvable:
        return Parsed(*about)
    return Parsed(*about, job.model_dump_json(), shown_request(job), _method(job))


def shown_request(job: JobRequest) -> str:
    """What was asked for as JSON, without the text of the instance."""
    return job.model_dump_json(exclude={"instance": {"text"}})


def instance_json(request: str) -> str:
    """The instance of a job that was accepted, as JSON without a matrix."""
    return _json(instance_of(JobRequest.model_validate_json(request)))


def split_plan(request: str, levels: int, base: int) -> str | Refused:
    """How PASA would split the demands of a job's instance, as JSON."""
    instance = instance_of(JobRequest.model_validate_json(request))
    try:
        plan = split(instance, "pasa", levels=levels, base=base)
    except SplitRouteError as error:
        return Refused(str(error), "levels")

    def amounts(sizes: tuple[int, ...]) -> list[float]:
        return [number(quantity(instance, size) / plan.scale) for size in sizes]

    levels_ = [
        LevelModel(
            reach=level.reach,
            denominations=amounts(level.denominations),
            customers=level.customers,
        )
        for level in plan.levels
    ]
    pieces = [amounts(sizes) for sizes in plan.pieces]
    return PlanModel(rule=plan.rule, levels=levels_, pieces=pieces).model_dump_json()


def solution_file(request: str, kind: files.Kind, solution: str, name: str) -> files.Made:
    """The solution of a job as a file."""
    instance = instance_of(JobRequest.model_validate_json(request))
    if kind in ("png", "sheets"):  # for people, who may have renamed the job
        instance = replace(instance, name=name)
    return files.make(kind, instance, json.loads(solution))


def printable(name: str) -> str:
    """The name without control characters."""
    return "".join(letter for letter in name if letter.isprintable())


def min_customers(given: GivenInstance | GeneratedInstance | BenchmarkInstance) -> int:
    """How many customers there are at least, at a small part of the cost of reading them."""
    if isinstance(given, GeneratedInstance):
        return given.customers
    if isinstance(given, BenchmarkInstance):
        return 0
    if given.format == "csv":
        return _count_rows(given.text) - 2  # the header and the depot
    if given.format == "json":
        return given.text.count('"demand"')
    if given.format == "coordlist":
        stated = re.match(r"\s*(\d{1,15})\s", given.text)
        return int(stated[1]) if stated else 0
    stated = re.search(r"^\s*DIMENSION\s*:\s*(\d{1,15})", given.text[:100_000], re.MULTILINE)
    return int(stated[1]) - 1 if stated else 0


def _count_rows(text: str) -> int:
    """How many rows of a table are neither empty nor a comment."""
    start = next((line for line in io.StringIO(text) if line.strip() and line[0] != "#"), "")
    separator = max(",;\t", key=start.count)
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        return sum(1 for row in rows if any(map(str.strip, row)) and not row[0].startswith("#"))
    except csv.Error:
        return 0  # what is wrong with it, its reader says


def _check_size(count: int, max_customers: int) -> None:
    if count > max_customers:
        raise LimitError(
            f"{count} customers; at most {max_customers} are allowed", field="instance", value=count
        )


def _method(job: JobRequest) -> str:
    rings = [f"L={job.levels}"] * bool(job.levels) + [f"p={job.base}"] * bool(job.base)
    rule = ":".join([job.rule or ("pasa" if rings else ""), *rings])
    return f"{rule}{'+' if rule else ''}{job.engine}, {job.seconds:g} s, seed {job.seed}"


def _path(parts: tuple[int | str, ...]) -> list[int | str]:
    """Where in a request something is, without the kind of instance that was understood."""
    return [part for k, part in enumerate(parts) if k != 1 or parts[0] != "instance"]


def _refused(error: SplitRouteError) -> Refused:
    # The command line's options are fields here.
    detail = re.sub(r"--(\w+)", r"\1", str(error))
    if error.field in FIELDS or error.field in JobRequest.model_fields:
        return Refused(detail, str(error.field))
    about = (name for name, words in FIELDS.items() if re.search(words, detail))
    return Refused(detail, next(about, "instance"))


def _json(instance: Instance) -> str:
    return instance_model(instance, matrix=False).model_dump_json(exclude_none=True)
