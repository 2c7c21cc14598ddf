"""Everything that needs a parsed instance; runs in parser processes with a memory limit.

Requests arrive as JSON, and text or bytes go back: never an instance with its matrix.
"""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from splitroute import formats
from splitroute.errors import InputError, InputWarning, LimitError, SplitRouteError
from splitroute.formats._distances import warn_about_speed
from splitroute.formats.json import instance_model, parse_solution
from splitroute.instance import Instance
from splitroute.pipeline import check_method, split, warn_about_instance
from splitroute.report import PRICES, json_number, user_quantity
from splitroute.web import files
from splitroute.web.errors import INVALID_REQUEST, explain, shorten
from splitroute.web.limits import Limits, check_limits
from splitroute.web.models import (
    BenchmarkInstance,
    FileInstance,
    JobRequest,
    LevelModel,
    ProblemItem,
    RandomInstance,
    SplitPlanModel,
)
from splitroute.web.worker import (
    DEPOTS_FILE,
    FLEET_FILE,
    build_instance,
    method_options,
    stored_instance,
)

# Fields of a request that errors of the library may name; all others are part of the instance.
FIELDS = {*JobRequest.model_fields, "capacity", "unit"}
SCALARS = str | int | float | Decimal  # types of values shown in errors
MAX_FULL_LOADS = 20_000  # per job, plus one per customer
MAX_DEPOTS = 1000
LISTS = {"fleet": "vehicles"}  # names of lists in JSON that differ from those of the library
PATH = re.compile(r"[a-z_]+(\[[0-9]+\])?(\.[a-z_]+)?(\[[0-9]+\])*")


@dataclass(frozen=True)
class Parsed:
    """A valid request and its instance."""

    name: str
    customers: int
    instance: str  # JSON, without a matrix
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class ParsedJob(Parsed):
    """A job that can be queued."""

    request: str  # JSON
    request_summary: str  # JSON, without the text of the instance
    method: str
    unit: str | None  # of costs


@dataclass(frozen=True)
class Refused:
    """An error in the request."""

    detail: str
    field: str | None = "instance"
    status: int = 400
    code: str = InputError.code
    line: int | None = None  # of the file
    cell: str | None = None  # of a workbook
    value: str | None = None
    path: str | None = None  # in the instance
    errors: list[ProblemItem] | None = None  # if there are several


@dataclass(frozen=True)
class Bug:
    """An unexpected exception."""

    traceback: str


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the function's result, or a Refused or a Bug."""
    try:
        return function(*arguments)
    except SplitRouteError as error:
        return _refuse(error)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return Refused(*explain(first, _path(first["loc"])), status=422, code=INVALID_REQUEST)
    except MemoryError:
        return Refused("reading the instance takes more memory than allowed", code=LimitError.code)
    except RecursionError:
        return Refused("the file is nested too deeply")
    except Exception:
        return Bug(traceback.format_exc())


def parse_instance(request: bytes, limits: Limits) -> Parsed | Refused:
    """Parse the instance of a request."""
    result = _parse(JobRequest.model_validate_json(request), limits)
    return result if isinstance(result, Refused) else result[0]


def parse_job(request: bytes, limits: Limits) -> ParsedJob | Refused:
    """Parse a request and check that it can be solved."""
    job = JobRequest.model_validate_json(request)
    check_limits(job, limits)
    result = _parse(job, limits)
    if isinstance(result, Refused):
        return result
    parsed, instance = result
    _check_depots(instance)
    _check_loads(instance)
    if job.roads is not None:
        limits.roads.check(instance, job.roads, speed=job.speed, metric=job.metric)
    try:
        check_method(instance, **method_options(job))
    except SplitRouteError as error:
        return _refuse(error, default="rule")
    summary = job.model_dump_json(exclude={"instance": {"text", "fleet", "depots"}})
    return ParsedJob(
        **vars(parsed),
        request=job.model_dump_json(),
        request_summary=summary,
        method=_describe_method(job),
        unit="km" if instance.is_in_km and not PRICES & instance.rules else None,
    )


def _parse(job: JobRequest, limits: Limits) -> tuple[Parsed, Instance] | Refused:
    _check_size(_min_customers(job.instance), limits.max_customers)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        try:
            instance = build_instance(job)
        except SplitRouteError as error:
            return _refuse(error)
        warn_about_instance(instance)
        if job.roads is not None:
            warn_about_speed(instance)
    _check_size(len(instance.customers), limits.max_customers)
    if not instance.customers:
        raise InputError("the instance has no customers", field="instance")
    messages = (_describe(w.message) for w in caught if isinstance(w.message, InputWarning))
    parsed = Parsed(
        printable(instance.name),
        len(instance.customers),
        instance_model(instance, matrix=False).model_dump_json(exclude_none=True),
        tuple(dict.fromkeys(messages)),
    )
    return parsed, instance


def split_plan(request: str, levels: int, base: int, tables: bytes | None) -> str | Refused:
    """Return PASA's split plan for the instance of a job as JSON."""
    instance = stored_instance(request, tables)
    try:
        plan = split(instance, "pasa", levels=levels, base=base)
    except SplitRouteError as error:
        return _refuse(error, default="levels")

    def quantities(sizes: tuple[int, ...]) -> list[float]:
        return [json_number(user_quantity(instance, size) / plan.scale) for size in sizes]

    return SplitPlanModel(
        rule=plan.rule,
        levels=[
            LevelModel(
                reach=level.max_distance,
                denominations=quantities(level.denominations),
                customers=level.num_customers,
            )
            for level in plan.levels
        ],
        pieces=[quantities(sizes) for sizes in plan.pieces],
    ).model_dump_json()


def solution_file(
    request: str, kind: files.Kind, solution: str, name: str, tables: bytes | None
) -> bytes:
    """Return the solution of a job as a file."""
    instance = stored_instance(request, tables)
    if kind in ("png", "html", "sheets"):  # which show the name that people gave to the job
        instance = replace(instance, name=name)
    return files.dump(kind, instance, parse_solution(solution, instance, "the solution").solution)


def printable(name: str) -> str:
    """Return the name without control and invisible characters."""
    return "".join(letter for letter in name if letter.isprintable()).strip()


def _min_customers(source: FileInstance | RandomInstance | BenchmarkInstance) -> int:
    if isinstance(source, RandomInstance):
        return source.customers
    if isinstance(source, BenchmarkInstance):
        return 0
    return formats.min_customers(source.text, source.format)


def _check_loads(instance: Instance) -> None:
    """Raise if a solution would have too many routes: a few bytes could ask for megabytes."""
    total = int(instance.demands.sum())
    loads = sum(
        min(total // v.capacity, total if v.count is None else v.count * v.max_trips)
        for v in instance.vehicle_types
    )
    if loads > MAX_FULL_LOADS + len(instance.customers):
        raise LimitError(
            f"the demands fill {loads:,} vehicles; at most {MAX_FULL_LOADS:,} are allowed here",
            field="instance",
            value=loads,
        )


def _check_depots(instance: Instance) -> None:
    """Raise if there are too many depots for the memory of a job."""
    if (count := len(instance.depots)) > MAX_DEPOTS:
        raise LimitError(
            f"{count:,} depots; at most {MAX_DEPOTS:,} are allowed here",
            field="instance",
            value=count,
        )


def _check_size(count: int, max_customers: int) -> None:
    if count > max_customers:
        raise LimitError(
            f"{count} customers; at most {max_customers} are allowed", field="instance", value=count
        )


def _describe_method(job: JobRequest) -> str:
    options = [f"p={job.base}"] * bool(job.base) + [f"L={job.levels}"] * bool(job.levels)
    rule = ":".join([job.rule or ("pasa" if options else ""), *options])
    return f"{rule}{'+' if rule else ''}{job.engine}, {job.seconds:g} s, seed {job.seed}"


def _path(location: tuple[int | str, ...]) -> list[int | str]:
    """Return the path of a field without pydantic's tag of the kind of instance."""
    return [part for k, part in enumerate(location) if k != 1 or location[0] != "instance"]


def _refuse(error: SplitRouteError, default: str = "instance") -> Refused:
    """Translate an error of the library; `default` is the field if it does not name one."""
    errors = getattr(error, "errors", ())
    messages = [error.message] * bool(errors) + [_describe(item) for item in errors or (error,)]
    tables = {FLEET_FILE: "instance.fleet", DEPOTS_FILE: "instance.depots"}
    field = tables.get(error.file) or (error.field if error.field in FIELDS else default)
    value = shorten(str(error.value)) if isinstance(error.value, SCALARS) else None
    items = [
        ProblemItem(detail=e.message, code=e.code, path=_instance_path(e), line=e.line, cell=e.cell)
        for e in errors
    ]
    return Refused(
        "\n".join(messages),
        field,
        code=error.code,
        line=error.line,
        cell=error.cell,
        value=value,
        path=items[0].path if items else _instance_path(error),
        errors=items or None,
    )


def _instance_path(error: SplitRouteError) -> str | None:
    """Return where in the instance the error is, in the notation of our JSON files."""
    if error.owner is not None and "[" not in (error.field or ""):
        owner, index = error.owner
        return f"{LISTS.get(owner, owner)}[{index}].{error.field}"
    return error.field if error.field and PATH.fullmatch(error.field) else None


def _describe(error: SplitRouteError | InputWarning) -> str:
    """Return the message with its line, but without the file, which the client has just sent."""
    place = error.cell or (None if error.line is None else f"line {error.line}")
    return error.message if place is None else f"{place}: {error.message}"
