"""A job in a process of its own: reads what to do, says how it goes, and leaves when told to.

Both ways it is lines of JSON, so nothing that comes over HTTP is ever unpickled.
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import IO, Any

from splitroute import formats
from splitroute.errors import InputError, SplitRouteError
from splitroute.formats.json import parse_solution, solution_model
from splitroute.generate import random_instance, set1
from splitroute.instance import Instance
from splitroute.pipeline import check, solve
from splitroute.report import number
from splitroute.result import Result
from splitroute.solution import Progress, Solution, cost
from splitroute.stop import Stop
from splitroute.validation import validate
from splitroute.web.models import (
    BenchmarkInstance,
    GeneratedInstance,
    GivenInstance,
    JobRequest,
)
from splitroute.workers import limit_memory

EVERY = 0.25  # seconds between two reports


def instance_of(request: JobRequest) -> Instance:
    """The instance that is to be solved."""
    given = request.instance
    if isinstance(given, GivenInstance):
        # The name is for people: it is never the name of a file that is opened.
        instance = formats.parse(
            given.text,
            given.name or "the instance",
            metric=request.metric,
            unit=given.unit,
            capacity=given.capacity,
            format=given.format,
        )
        instance = replace(instance, name=instance.name or given.name)
    else:
        instance = _made(given)
        if request.metric not in (None, "exact", "dimacs"):
            raise InputError(f"the metric {request.metric!r} does not go with x and y")
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


def main() -> None:
    """The child's side: one job from standard input."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever is printed must not end up among the messages
    told = json.loads(sys.stdin.readline())
    limit_memory(told["memory"])
    stop = threading.Event()
    threading.Thread(target=_listen, args=(sys.stdin, stop), daemon=True).start()

    def say(**message: Any) -> None:
        channel.write(json.dumps(message) + "\n")
        channel.flush()

    try:
        request = JobRequest.model_validate(told["request"])
        instance = instance_of(request)
        reporter = _Reporter(instance, stop, say)
        result = _carry_out(request, instance, told["solution"], reporter)
    except SplitRouteError as error:
        say(kind="failed", error=str(error))
    except MemoryError:
        say(kind="failed", error="it took more memory than a job may have")
    else:
        say(
            kind="done",
            cost=result.cost,
            bound=result.bound,
            solution=as_json(result.instance, result.solution),
            result=_outcome(result),
            cut=reporter.asked is not None and reporter.asked < result.seconds,
        )


def as_json(instance: Instance, solution: Solution) -> dict[str, Any]:
    """A solution as in our files."""
    model = solution_model(instance, solution)
    return model.model_dump(mode="json", exclude_none=True)


def _carry_out(
    request: JobRequest, instance: Instance, known: dict[str, Any] | None, reporter: _Reporter
) -> Result:
    options = options_of(request)
    start = None
    if known is not None:  # the service was killed meanwhile; the answer is to be no worse
        start = parse_solution(json.dumps(known), instance, "the best so far").solution
    if start is None or validate(instance, start):
        return solve(instance, listener=reporter, **options)
    if check(instance, **method_of(request)).free:
        return solve(instance, start=start, listener=reporter, **options)
    # From a solution an engine goes on free to split; under another rule it has to begin anew.
    result = solve(instance, listener=reporter, **options)
    before = cost(instance, start)
    return result if result.cost <= before else replace(result, solution=start, cost=before)


class _Reporter:
    """Says now and then how the search stands; remembers when it was first asked to stop."""

    def __init__(self, instance: Instance, stop: threading.Event, say: Callable[..., None]) -> None:
        self.asked: float | None = None
        self._instance, self._stop, self._say = instance, stop, say
        self._best: Solution | None = None  # that was not told yet
        self._last = -math.inf

    def __call__(self, progress: Progress) -> bool:
        self._best = progress.solution or self._best
        now = time.monotonic()
        if now - self._last >= EVERY:
            self._last = now
            self._tell(progress)
        if self._stop.is_set() and self.asked is None:
            self.asked = progress.seconds
        return self.asked is not None

    def _tell(self, progress: Progress) -> None:
        best, self._best = self._best, None
        self._say(
            kind="progress",
            report={
                "seconds": round(progress.seconds, 2),
                "iterations": progress.iterations,
                "cost": None if progress.cost == math.inf else number(progress.cost),
                "bound": number(progress.bound),
                "phase": progress.phase,
            },
            solution=None if best is None else as_json(self._instance, best),
        )


def _outcome(result: Result) -> dict[str, Any]:
    return {
        "rule": result.rule,
        "engine": result.engine,
        "seed": result.seed,
        "seconds": round(result.seconds, 3),
        "baseline_seconds": round(result.baseline_seconds, 3),
        "gap": result.gap,
        "optimal": result.optimal,
        "visits": result.solution.visits,
        "split_customers": len(result.solution.split_customers()),
        "unsplit_cost": result.unsplit_cost,
        "unsplit": None if result.unsplit is None else as_json(result.instance, result.unsplit),
        "saving": result.saving,
        "trace": result.trace,
        "bound_trace": result.bound_trace,
        "versions": dict(result.versions),
    }


def _listen(source: IO[str], stop: threading.Event) -> None:
    """Any line asks to stop; the end of the input means that the service is gone."""
    for _ in source:
        stop.set()
    os._exit(1)
