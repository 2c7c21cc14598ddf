"""Limits of a job that do not depend on its instance."""

from __future__ import annotations

from dataclasses import dataclass

from splitroute import engines
from splitroute.errors import InputError, LimitError, SplitRouteError
from splitroute.registry import load, names
from splitroute.web.models import JobRequest

EXCLUDED_ENGINES = ("vrph",)  # they run a program on the operator's machine


@dataclass(frozen=True)
class Limits:
    """Largest job that the service accepts."""

    max_customers: int
    max_seconds: float


def usable_engines() -> list[str]:
    """Names of the engines that are installed and allowed."""
    found = []
    for name in names(engines):
        try:
            _check_engine(name)
        except SplitRouteError:
            continue
        found.append(name)
    return [name for name in found if name not in EXCLUDED_ENGINES]


def check_limits(job: JobRequest, limits: Limits) -> None:
    """Raise if a job asks for too much time or for an engine that is not available."""
    for field, seconds in (("seconds", job.seconds), ("bound", job.bound or 0.0)):
        if seconds > limits.max_seconds:
            raise LimitError(
                f"{seconds:g} s; at most {limits.max_seconds:g} s are allowed",
                field=field,
                value=seconds,
            )
    if job.engine in EXCLUDED_ENGINES or job.engine not in names(engines):
        known = ", ".join(usable_engines())
        raise InputError(
            f"unknown engine {job.engine!r}; known: {known}", field="engine", value=job.engine
        )
    try:
        _check_engine(job.engine)
    except SplitRouteError as error:
        raise InputError(str(error), code=error.code, field="engine", value=job.engine) from None


def _check_engine(name: str) -> None:
    module = load(engines, name)
    if hasattr(module, "check"):
        module.check()
