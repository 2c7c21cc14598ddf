"""Runs a job in a child process: builds the instance, solves it and reports progress."""

from __future__ import annotations

import base64
import json
import math
import time
from dataclasses import replace
from typing import Any

from splitroute import formats
from splitroute.errors import InputError
from splitroute.formats.json import parse_solution, solution_data
from splitroute.generate import random_instance, set1
from splitroute.instance import Instance
from splitroute.pipeline import check_method, solve
from splitroute.processes.calls import Call
from splitroute.progress import Progress
from splitroute.report import json_number, pluralize
from splitroute.result import Result
from splitroute.solution import Solution, cost, rank
from splitroute.stop import Stop
from splitroute.validation import validate
from splitroute.web.models import BenchmarkInstance, FileInstance, JobRequest, RandomInstance
from splitroute.web.roads import RoadServers, pack, unpack

UNNAMED_FILE = "the instance"  # in messages
REPORT_SECONDS = 0.25  # between reports
# Names of the tables of a request, for messages.
FLEET_FILE, DEPOTS_FILE = "vehicles.csv", "depots.csv"


def file_name(job: JobRequest) -> str:
    """Return the name of the instance's file for messages."""
    return (isinstance(job.instance, FileInstance) and job.instance.name) or UNNAMED_FILE


def file_content(source: FileInstance) -> str | bytes:
    """Return the content of a file: bytes of a workbook, text of any other."""
    if source.format != "workbook":
        return source.text
    try:
        return base64.b64decode(source.text, validate=True)
    except ValueError:
        message = "the text of a workbook must be its content in Base64"
        raise InputError(message, field="instance.text") from None


def build_instance(job: JobRequest) -> Instance:
    """Return the instance of a job, with straight lines if it is for roads."""
    source = job.instance
    if isinstance(source, FileInstance):
        # The name is for messages only; no file of that name is opened.
        instance = formats.parse(
            file_content(source),
            file_name(job),
            metric=job.metric,
            unit=source.unit,
            capacity=source.capacity,
            format=source.format,
            fleet=_table(FLEET_FILE, source.fleet),
            depots=_table(DEPOTS_FILE, source.depots),
            columns=source.columns,
            sheet=source.sheet,
            speed=job.speed,
            partial=bool(job.partial),
        )
        instance = replace(instance, name=_name(instance, source))
    else:
        instance = _generate(source)
        if job.metric not in (None, "exact", "dimacs"):
            raise InputError(
                f"metric {job.metric!r} does not apply to planar coordinates",
                field="metric",
                value=job.metric,
            )
        name = source.name or instance.name
        instance = replace(instance, name=name, metric=job.metric or instance.metric)
    return replace(instance, **_overrides(job, instance))


def stored_instance(request: str, tables: bytes | None) -> Instance:
    """Return the instance of a stored job, on roads with the tables that it was solved with."""
    job = JobRequest.model_validate_json(request)
    instance = build_instance(job)
    if job.roads is None:
        return instance
    if tables is None:
        message = "the job has no distances on roads yet; wait until it runs"
        raise InputError(message, code="no_road_tables", field="roads", value=job.roads)
    return unpack(tables).add_to(instance)


def _name(instance: Instance, source: FileInstance) -> str:
    """Return the name of an instance, by which people recognise its job."""
    if instance.name == UNNAMED_FILE:
        return source.sheet or pluralize(len(instance.customers), "customer")
    return instance.name or source.name


def _table(name: str, text: str | None) -> formats.NamedText | None:
    return None if text is None else formats.NamedText(name, text)


def _overrides(job: JobRequest, instance: Instance) -> dict[str, Any]:
    """Return the fields of the instance that the job states."""
    if job.vehicles is not None and instance.fleet:
        raise InputError(
            "the instance has vehicle types; state the number of each as its `count`",
            field="vehicles",
            value=job.vehicles,
        )
    stated = {"vehicles": job.vehicles, "speed": job.speed, "partial": job.partial}
    overrides: dict[str, Any] = {k: value for k, value in stated.items() if value is not None}
    return overrides | ({"pass_through": True} if job.pass_through else {})


def _generate(source: RandomInstance | BenchmarkInstance) -> Instance:
    if isinstance(source, BenchmarkInstance):
        return set1(int(source.benchmark.removeprefix("SD")))
    return random_instance(
        source.customers,
        capacity=source.capacity,
        low=source.low,
        high=source.high,
        seed=source.seed,
    )


def method_options(job: JobRequest) -> dict[str, Any]:
    """Return the rule, the engine and their options."""
    options = {"levels": job.levels, "base": job.base}
    chosen = {name: value for name, value in options.items() if value is not None}
    return {"rule": job.rule, "engine": job.engine, **chosen}


def run_job(
    call: Call, request: dict[str, Any], best: dict[str, Any] | None, roads: RoadServers
) -> dict[str, Any]:
    """Solve a job, starting from the best solution of earlier attempts."""
    job = JobRequest.model_validate(request)
    instance = build_instance(job)
    if job.roads is not None:
        tables = roads.tables(instance, job.roads)
        call.report({"road_tables": pack(tables)})
        instance = tables.add_to(instance)
    reporter = _Reporter(instance, call)
    result = _solve(job, instance, best, reporter)
    return {
        "cost": result.cost,
        "bound": result.bound,
        "undelivered": _undelivered(instance, result.solution),
        "solution": solution_data(instance, roads.draw(instance, result.solution, job.roads)),
        "outcome": _outcome(result),
        "was_cut_short": reporter.stopped_at is not None and reporter.stopped_at < result.seconds,
    }


def _undelivered(instance: Instance, solution: Solution) -> float | None:
    """Return the mandatory demand that is not delivered, by which solutions are compared first."""
    return float(rank(instance, solution)[0] * instance.unit) if instance.partial else None


def _solve(
    job: JobRequest, instance: Instance, best: dict[str, Any] | None, reporter: _Reporter
) -> Result:
    options = {
        **method_options(job),
        "stop": Stop(seconds=job.seconds),
        "seed": job.seed,
        "bound": job.bound,
        "baseline": job.baseline,
        "listener": reporter,
    }
    start = None
    if best is not None:
        start = parse_solution(json.dumps(best), instance, "the best solution").solution
    if start is None or validate(instance, start):
        return solve(instance, **options)
    if check_method(instance, **method_options(job)).free:
        return solve(instance, start=start, **options)
    # Only rule `free` can start from a solution; the others start over and keep the better one.
    result = solve(instance, **options)
    if rank(instance, result.solution) <= rank(instance, start):
        return result
    return replace(result, solution=start, cost=cost(instance, start))


class _Reporter:
    """Reports progress at intervals and passes on requests to stop."""

    def __init__(self, instance: Instance, call: Call) -> None:
        self.stopped_at: float | None = None  # seconds
        self._instance, self._call = instance, call
        self._unreported: Solution | None = None
        self._undelivered: float | None = None  # by the best solution
        self._last_report = -math.inf

    def __call__(self, progress: Progress) -> bool:
        if progress.solution is not None:
            self._unreported = progress.solution
            self._undelivered = _undelivered(self._instance, progress.solution)
        now = time.monotonic()
        if now - self._last_report >= REPORT_SECONDS:
            self._last_report = now
            self._report(progress)
        if self._call.is_stop_requested and self.stopped_at is None:
            self.stopped_at = progress.seconds
        return self.stopped_at is not None

    def _report(self, progress: Progress) -> None:
        best, self._unreported = self._unreported, None
        report = {
            "seconds": round(progress.seconds, 2),
            "iterations": progress.iterations,
            "cost": None if progress.cost == math.inf else json_number(progress.cost),
            "bound": json_number(progress.bound),
            "phase": progress.phase,
        }
        if self._undelivered is not None:
            report["undelivered"] = self._undelivered
        solution = None if best is None else solution_data(self._instance, best)
        self._call.report({"report": report, "solution": solution})


def _outcome(result: Result) -> dict[str, Any]:
    return {
        "rule": result.rule,
        "engine": result.engine,
        "seed": result.seed,
        "seconds": round(result.seconds, 3),
        "baseline_seconds": round(result.baseline_seconds, 3),
        "gap": result.gap,
        "bound_relaxed": sorted(result.bound_relaxed),
        "optimal": result.optimal,
        "visits": result.solution.num_visits,
        "split_customers": len(result.solution.split_customers()),
        "unsplit_cost": result.unsplit_cost,
        "unsplit": result.unsplit and solution_data(result.instance, result.unsplit),
        "saving": result.saving,
        "trace": [(point.seconds, point.cost) for point in result.trace],
        "bound_trace": result.bound_trace,
        "versions": dict(result.versions),
    }
