"""A job in a child process: what to solve, how it is going, and what became of it."""

from __future__ import annotations

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
from splitroute.report import json_number
from splitroute.result import Result
from splitroute.solution import Solution, cost
from splitroute.stop import Stop
from splitroute.validation import validate
from splitroute.web.models import (
    BenchmarkInstance,
    GeneratedInstance,
    GivenInstance,
    JobRequest,
)

REPORT_SECONDS = 0.25  # between two reports


def file_name(request: JobRequest) -> str:
    """What messages call the file of the instance."""
    given = request.instance
    return (isinstance(given, GivenInstance) and given.name) or "the instance"


def instance_of(request: JobRequest) -> Instance:
    """The instance that is to be solved."""
    given = request.instance
    if isinstance(given, GivenInstance):
        # The name is for people: it is never the name of a file that is opened.
        instance = formats.parse(
            given.text,
            file_name(request),
            metric=request.metric,
            unit=given.unit,
            capacity=given.capacity,
            format=given.format,
        )
        instance = replace(instance, name=instance.name or given.name)
    else:
        instance = _made(given)
        if request.metric not in (None, "exact", "dimacs"):
            said = f"the metric {request.metric!r} does not go with x and y"
            raise InputError(said, field="metric", value=request.metric)
        instance = replace(instance, metric=request.metric or instance.metric)
    if request.vehicles is not None:
        instance = replace(instance, vehicles=request.vehicles)
    return replace(instance, pass_through=True) if request.pass_through else instance


def _made(given: GeneratedInstance | BenchmarkInstance) -> Instance:
    if isinstance(given, BenchmarkInstance):
        return set1(int(given.benchmark.removeprefix("SD")))
    return random_instance(
        given.customers,
        capacity=given.capacity,
        low=given.low,
        high=given.high,
        seed=given.seed,
    )


def options_of(request: JobRequest) -> dict[str, Any]:
    """What `solve` is to be called with beside the instance."""
    return {
        **method_of(request),
        "stop": Stop(seconds=request.seconds),
        "seed": request.seed,
        "bound": request.bound,
        "baseline": request.baseline,
    }


def method_of(request: JobRequest) -> dict[str, Any]:
    """The rule, the engine and their options."""
    options = {"levels": request.levels, "base": request.base}
    given = {name: value for name, value in options.items() if value is not None}
    return {"rule": request.rule, "engine": request.engine, **given}


def run_job(call: Call, request: dict[str, Any], known: dict[str, Any] | None) -> dict[str, Any]:
    """What became of a job, on from its best solution so far; runs in a child process."""
    job = JobRequest.model_validate(request)
    instance = instance_of(job)
    reporter = _Reporter(instance, call)
    result = _solve(job, instance, known, reporter)
    return {
        "cost": result.cost,
        "bound": result.bound,
        "solution": solution_data(result.instance, result.solution),
        "result": _outcome(result),
        "cut": reporter.stopped is not None and reporter.stopped < result.seconds,
    }


def _solve(
    request: JobRequest, instance: Instance, known: dict[str, Any] | None, reporter: _Reporter
) -> Result:
    options = options_of(request)
    start = None
    if known is not None:  # the service was killed meanwhile; the answer is to be no worse
        start = parse_solution(json.dumps(known), instance, "the best so far").solution
    if start is None or validate(instance, start):
        return solve(instance, listener=reporter, **options)
    if check_method(instance, **method_of(request)).free:
        return solve(instance, start=start, listener=reporter, **options)
    # From a solution an engine goes on free to split; under another rule it has to begin anew.
    result = solve(instance, listener=reporter, **options)
    before = cost(instance, start)
    return result if result.cost <= before else replace(result, solution=start, cost=before)


class _Reporter:
    """Reports now and then how the search stands; remembers when it was first asked to stop."""

    def __init__(self, instance: Instance, call: Call) -> None:
        self.stopped: float | None = None
        self._instance, self._call = instance, call
        self._best: Solution | None = None  # that was not reported yet
        self._last = -math.inf

    def __call__(self, progress: Progress) -> bool:
        self._best = progress.solution or self._best
        now = time.monotonic()
        if now - self._last >= REPORT_SECONDS:
            self._last = now
            self._report(progress)
        if self._call.is_stop_requested and self.stopped is None:
            self.stopped = progress.seconds
        return self.stopped is not None

    def _report(self, progress: Progress) -> None:
        best, self._best = self._best, None
        report = {
            "seconds": round(progress.seconds, 2),
            "iterations": progress.iterations,
            "cost": None if progress.cost == math.inf else json_number(progress.cost),
            "bound": json_number(progress.bound),
            "phase": progress.phase,
        }
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
        "optimal": result.optimal,
        "visits": result.solution.num_visits,
        "split_customers": len(result.solution.split_customers()),
        "unsplit_cost": result.unsplit_cost,
        "unsplit": result.unsplit and solution_data(result.instance, result.unsplit),
        "saving": result.saving,
        "trace": result.trace,
        "bound_trace": result.bound_trace,
        "versions": dict(result.versions),
    }
