"""Limits of a job that do not depend on its instance."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from splitroute import engines
from splitroute.engines import capabilities_of, check_installed
from splitroute.errors import InputError, LimitError, SplitRouteError
from splitroute.registry import load, names
from splitroute.web.models import JobRequest
from splitroute.web.roads import NO_ROADS, RoadServers


@dataclass(frozen=True)
class Limits:
    """Largest job that the service accepts."""

    max_customers: int
    max_seconds: float
    roads: RoadServers = NO_ROADS


def usable_engines() -> list[str]:
    """Names of the engines that are installed and allowed."""
    usable = []
    for name in names(engines):
        with suppress(SplitRouteError):
            engine = load(engines, name)
            check_installed(engine)
            if not capabilities_of(engine).runs_program:
                usable.append(name)
    return usable


def check_limits(job: JobRequest, limits: Limits) -> None:
    """Raise if a job asks for too much time or for an engine that is not available."""
    for field, seconds in (("seconds", job.seconds), ("bound", job.bound or 0.0)):
        if seconds > limits.max_seconds:
            raise LimitError(
                f"{seconds:g} s; at most {limits.max_seconds:g} s are allowed",
                field=field,
                value=seconds,
            )
    if job.engine not in names(engines):
        raise _unknown_engine(job.engine)
    try:
        engine = load(engines, job.engine)
        if capabilities_of(engine).runs_program:
            raise _unknown_engine(job.engine)
        check_installed(engine)
    except SplitRouteError as error:
        raise InputError(str(error), code=error.code, field="engine", value=job.engine) from None


def _unknown_engine(name: str) -> InputError:
    known = ", ".join(usable_engines())
    return InputError(f"unknown engine {name!r}; known: {known}", field="engine", value=name)
