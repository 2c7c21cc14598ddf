"""What is done with the input of clients, in a parser process with a memory limit.

Everything that needs a parsed instance is here: nothing of it runs in the process of the service.
Requests come as JSON, and what goes back is text or bytes: never an instance with its matrix.
"""

from __future__ import annotations

import json
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from splitroute import formats
from splitroute.errors import InputError, InputWarning, LimitError, SplitRouteError
from splitroute.formats.json import instance_model
from splitroute.instance import Instance
from splitroute.pipeline import check_method, split, warn_about_units
from splitroute.report import json_number, user_quantity
from splitroute.web import files
from splitroute.web.checks import Limits, check_limits
from splitroute.web.invalid import INVALID, explain, shortened
from splitroute.web.models import (
    BenchmarkInstance,
    GeneratedInstance,
    GivenInstance,
    JobRequest,
    LevelModel,
    PlanModel,
)
from splitroute.web.work import file_name, instance_of, method_of

# Fields of a request; what is at fault in a file is the instance.
FIELDS = {*JobRequest.model_fields, "capacity", "unit"}
SCALAR = str | int | float | Decimal  # values that are shown
MAX_LOADS = 20_000  # full vehicles of a job, and one more per customer


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
    code: str | None = None  # what kind of fault it is
    line: int | None = None  # of the file
    value: str | None = None  # what was found there


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
        return Refused(*explain(first, _path(first["loc"])), status=422, code=INVALID)
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
    _check_size(_min_customers(job.instance), limits.max_customers)
    with warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always", InputWarning)
        name = file_name(job)
        try:
            instance = instance_of(job)
        except SplitRouteError as error:
            return _refused(error, name)
        warn_about_units(instance)
    _check_size(len(instance.customers), limits.max_customers)
    if not instance.customers:
        raise InputError("there are no customers", field="instance")
    if solvable:
        _check_loads(instance)
        try:
            check_method(instance, **method_of(job))
        except SplitRouteError as error:
            return _refused(error, default="rule")
    said = (
        _without_file(str(doubt.message), name, doubt.message.line)
        for doubt in doubts
        if isinstance(doubt.message, InputWarning)
    )
    about = (
        printable(instance.name),
        len(instance.customers),
        _json(instance),
        tuple(dict.fromkeys(said)),
    )
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
        return _refused(error, default="levels")

    def amounts(sizes: tuple[int, ...]) -> list[float]:
        return [json_number(user_quantity(instance, size) / plan.scale) for size in sizes]

    levels_ = [
        LevelModel(
            reach=level.max_distance,
            denominations=amounts(level.denominations),
            customers=level.num_customers,
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


def _min_customers(given: GivenInstance | GeneratedInstance | BenchmarkInstance) -> int:
    if isinstance(given, GeneratedInstance):
        return given.customers
    if isinstance(given, BenchmarkInstance):
        return 0
    return formats.min_customers(given.text, given.format)


def _check_loads(instance: Instance) -> None:
    """A few bytes may ask for a solution of many megabytes."""
    loads, allowed = int(instance.demands.sum()) // instance.capacity, MAX_LOADS
    if loads > allowed + len(instance.customers):
        raise LimitError(
            f"the demands fill {loads:,} vehicles; at most {allowed:,} are allowed here",
            field="instance",
            value=loads,
        )


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


def _refused(error: SplitRouteError, name: str = "", default: str = "instance") -> Refused:
    """An error of the library; the default is the field that an error without one is about."""
    errors = getattr(error, "errors", ())
    said = [_without_file(str(each), name, each.line) for each in errors or (error,)]
    if errors:
        said.insert(0, _without_file(str(error).partition("\n")[0], name, None))
    field = error.field if error.field in FIELDS else default
    value = shortened(str(error.value)) if isinstance(error.value, SCALAR) else None
    return Refused("\n".join(said), field, code=error.code, line=error.line, value=value)


def _without_file(message: str, name: str, line: int | None) -> str:
    """A message about a file that the client has just sent: the line is all that it needs."""
    if name:
        message = message.removeprefix(f"{name}:{line}: ").removeprefix(f"{name}: ")
    return message if line is None else f"line {line}: {message}"


def _json(instance: Instance) -> str:
    return instance_model(instance, matrix=False).model_dump_json(exclude_none=True)
