"""One run of one method on one instance, and the record of it."""

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
from splitroute.bench.records import HEAVY, Record
from splitroute.bench.sets import Case
from splitroute.instance import Instance
from splitroute.processes.pool import Failure, Task
from splitroute.report import number
from splitroute.solution import cost
from splitroute.stop import Stop
from splitroute.validation import validate

GRACE = 10.0  # seconds that a job may be late before it is ended
DRAWN = 1000  # customers of an instance whose places are kept in its records
WITHOUT_LIMIT = 3600.0  # seconds for a job that is limited in iterations alone


@dataclass(frozen=True)
class Job:
    """What to run; everything in it crosses to another process or machine."""

    case: Case
    method: Method
    stop: Stop
    seed: int

    @functools.cached_property
    def key(self) -> str:
        """The same for equal jobs alone."""
        limits = " ".join(f"{value} {name}" for name, value in self._limits().items())
        c = self.case
        where = f"{c.set}/{c.name} {c.instance.metric} {c.fingerprint()}"
        return f"{where} | {self.method.text} | {limits} | seed {self.seed}"

    @property
    def seconds(self) -> float:
        """How long it may take at most."""
        if self.stop.seconds is None:
            return WITHOUT_LIMIT
        return self.stop.seconds + GRACE

    def task(self) -> Task:
        """The job as workers take it."""
        return Task(run, (self,), self.seconds)

    def _limits(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self.stop).items() if value is not None}

    def record(self, status: str, **found: Any) -> Record:
        """The record of this job, with what was found."""
        instance = self.case.instance
        return {
            "instance": self.case.name,
            "set": self.case.set,
            "customers": len(instance.customers),
            "demand": round(float(instance.demands[1:].mean()) / instance.capacity, 4),
            "method": self.method.text,
            "metric": instance.metric,
            "pass_through": instance.pass_through,
            "seed": self.seed,
            "limit": self._limits(),
            "status": status,
            "cost": None,
            "seconds": None,
            **{name: value for name, value in found.items() if name not in HEAVY},
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "key": self.key,
            **{name: found[name] for name in HEAVY if name in found},
        }

    def failed(self, failure: Failure) -> Record:
        """The record of a job that came to nothing."""
        return self.record(failure.status, why=failure.why)


def jobs(
    cases: Iterable[Case], methods: Iterable[Method], stop: Stop, seeds: Iterable[int]
) -> list[Job]:
    """Every method on every case with every seed; all methods of a case next to each other."""
    methods, cases = list(methods), list(cases)
    wanted = [Job(c, m, stop, seed) for seed in seeds for c in cases for m in methods]
    return list({job.key: job for job in wanted}.values())


def run(job: Job) -> Record:
    """Carries out the job. Its answer is checked here, whoever it comes from."""
    instance = job.case.instance
    answer = job.method.run(instance, job.stop, job.seed)
    if violations := validate(instance, answer.solution):
        return job.record("invalid", why=violations[0].message)
    return job.record(
        "ok",
        cost=number(cost(instance, answer.solution)),
        seconds=round(answer.seconds, 3),
        time_to_best=round(answer.trace[-1][0], 3) if answer.trace else None,
        routes=len(answer.solution.routes),
        visits=answer.solution.visits,
        splits=len(answer.solution.split_customers()),
        pieces=answer.pieces,
        versions=dict(answer.versions),
        machine=_machine(),
        commit=_commit(),
        trace=[[round(s, 3), number(c)] for s, c in answer.trace],
        solution=[[list(visit) for visit in route.visits] for route in answer.solution.routes],
        places=_places(instance),
    )


def _places(instance: Instance) -> list[list[float]] | None:
    """Of the depot and the customers, so that a record can be drawn; not of very many."""
    if not instance.places or len(instance.customers) > DRAWN:
        return None
    return [[float(f"{x:.7g}"), float(f"{y:.7g}")] for x, y in instance.xy[instance.sites].tolist()]


@functools.cache
def _machine() -> str:
    return f"{platform.system()}, {_processor()}, {os.cpu_count()} cores"


def _processor() -> str:
    """The processor's own name where the system tells it, else its kind."""
    try:
        said = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2] for line in said.splitlines() if line.startswith("model name")]
    return names[0].strip() if names else platform.machine()


@functools.cache
def _commit() -> str | None:
    """Of the checkout that the package was installed from, if it is one."""
    here = Path(__file__).parent
    try:
        said = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"],
            cwd=here,
            capture_output=True,
            text=True,
            check=True,
            timeout=5,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return said.stdout.strip()
