"""A benchmark run, one method on one instance with one seed, and its record."""

from __future__ import annotations

import functools
import os
import platform
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from splitroute.bench.methods import Method
from splitroute.bench.peer_command import PeerCommand
from splitroute.bench.records import LARGE_FIELDS, Record
from splitroute.bench.sets import BenchmarkInstance
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.processes.pool import Failure, Task
from splitroute.report import json_number
from splitroute.solution import Solution, cost
from splitroute.stop import Stop
from splitroute.validation import validate

GRACE_SECONDS = 10.0  # beyond the time limit before a run is killed
UNTIMED_SECONDS = 3600.0  # for runs with an iteration limit only
MAX_PLACES = 1000  # customers; larger instances are recorded without coordinates


@dataclass(frozen=True)
class Run:
    """One method on one instance with one seed; sent to other processes and machines."""

    benchmark: BenchmarkInstance
    method: Method | PeerCommand
    stop: Stop
    seed: int

    @functools.cached_property
    def key(self) -> str:
        """Identifies the run by the content of its instance, its method, limit and seed."""
        limits = " ".join(f"{value} {name}" for name, value in self._limits().items())
        b = self.benchmark
        instance = f"{b.set_name}/{b.name} {b.instance.metric} {b.fingerprint()}"
        return f"{instance} | {self.method.key} | {limits} | seed {self.seed}"

    @property
    def max_seconds(self) -> float:
        """Seconds after which the run is killed."""
        if self.stop.seconds is None:
            return UNTIMED_SECONDS
        return self.stop.seconds + GRACE_SECONDS

    def task(self) -> Task:
        """Return the run as a task for a pool."""
        return Task(execute, (self,), self.max_seconds)

    def _limits(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self.stop).items() if value is not None}

    def record(self, status: str, **outcome: Any) -> Record:
        """Return the record of the run with this outcome."""
        instance = self.benchmark.instance
        return {
            "instance": self.benchmark.name,
            "set": self.benchmark.set_name,
            "customers": len(instance.customers),
            "demand": round(float(instance.demands[1:].mean()) / instance.capacity, 4),
            "method": self.method.name,
            "metric": instance.metric,
            "pass_through": instance.pass_through,
            "seed": self.seed,
            "limit": self._limits(),
            "status": status,
            "cost": None,
            "seconds": None,
            **{name: value for name, value in outcome.items() if name not in LARGE_FIELDS},
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "key": self.key,
            **{name: outcome[name] for name in LARGE_FIELDS if name in outcome},
        }

    def failure_record(self, failure: Failure) -> Record:
        """Return the record of a run that crashed, overran or was refused."""
        return self.record(failure.status, reason=failure.reason)


def make_runs(
    benchmarks: Iterable[BenchmarkInstance],
    methods: Iterable[Method | PeerCommand],
    stop: Stop,
    seeds: Iterable[int],
) -> list[Run]:
    """Return the distinct runs of every method on every instance with every seed.

    The methods of an instance and seed are adjacent.
    """
    benchmarks = list(benchmarks)
    methods = list({method.key: method for method in methods}.values())
    names = [method.name for method in methods]
    if repeated := [name for name in names if names.count(name) > 1]:
        message = f"two methods are called {repeated[0]!r}; their results would be mixed"
        raise InputError(message, field="methods", value=repeated[0])
    runs = [Run(b, m, stop, seed) for seed in seeds for b in benchmarks for m in methods]
    return list({run.key: run for run in runs}.values())


def execute(run: Run) -> Record:
    """Run the method, validate its solution and return the record."""
    instance = run.benchmark.instance
    result = run.method.run(instance, run.stop, run.seed)
    if isinstance(result, Failure):
        return run.failure_record(result)
    solution = result.solution
    if violations := validate(instance, solution):
        return run.record("invalid", reason=violations[0].message)
    return run.record(
        "ok",
        cost=json_number(cost(instance, solution)),
        seconds=round(result.seconds, 3),
        time_to_best=round(result.trace[-1][0], 3) if result.trace else None,
        routes=len(solution.routes),
        visits=solution.num_visits,
        splits=len(solution.split_customers()),
        pieces=result.pieces,
        versions=dict(result.versions),
        machine=_machine(),
        commit=_commit(),
        trace=[[round(s, 3), json_number(c)] for s, c in result.trace],
        solution=[[list(visit) for visit in route.visits] for route in solution.routes],
        **_vehicles(instance, solution),
        places=_places(instance),
    )


def _vehicles(instance: Instance, solution: Solution) -> dict[str, list[list[float | None]]]:
    """Return type, number, trip and departure of each route if the instance has rules."""
    if not instance.rules:
        return {}
    return {"vehicles": [[r.vehicle_type, r.vehicle, r.trip, r.start] for r in solution.routes]}


def _places(instance: Instance) -> list[list[float]] | None:
    """Return the coordinates of depot and customers, so that the record can be drawn."""
    if not instance.places or len(instance.customers) > MAX_PLACES or "depots" in instance.rules:
        return None
    return [[float(f"{x:.7g}"), float(f"{y:.7g}")] for x, y in instance.xy[instance.sites].tolist()]


@functools.cache
def _machine() -> str:
    return f"{platform.system()}, {_processor()}, {os.cpu_count()} cores"


def _processor() -> str:
    """Return the model name of the processor, or its architecture where that is unknown."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2] for line in lines if line.startswith("model name")]
    return names[0].strip() if names else platform.machine()


@functools.cache
def _commit(folder: Path = Path(__file__).parent) -> str | None:
    """Return the commit of the checkout that the package runs from, if any."""
    try:
        completed = subprocess.run(
            ["git", "rev-parse", "--show-prefix", "--short=12", "HEAD"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
            timeout=5,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    prefix, commit = completed.stdout.splitlines()
    # The package may also be installed inside of another repository.
    return commit if prefix == "src/splitroute/bench/" else None
