"""What a job may ask for, whatever its instance; errors name the field that they are about."""

from __future__ import annotations

from dataclasses import dataclass

from splitroute import engines
from splitroute.errors import InputError, LimitError, SplitRouteError
from splitroute.registry import load, names
from splitroute.web.models import JobRequest

NEVER = ("vrph",)  # engines that run a program of the operator's machine


@dataclass(frozen=True)
class Limits:
    """How much a job may ask for."""

    max_customers: int
    max_seconds: float


def usable_engines() -> list[str]:
    """The engines that are installed and may be asked for."""
    found = []
    for name in names(engines):
        try:
            _check_engine(name)
        except SplitRouteError:
            continue
        found.append(name)
    return [name for name in found if name not in NEVER]


def check_limits(job: JobRequest, limits: Limits) -> None:
    """Raises what is wrong with a job whatever its instance."""
    most = limits.max_seconds
    for field, wanted in (("seconds", job.seconds), ("bound", job.bound or 0.0)):
        if wanted > most:
            said = f"{wanted:g} s; at most {most:g} s are allowed"
            raise LimitError(said, field=field, value=wanted)
    if job.engine in NEVER or job.engine not in names(engines):
        known = ", ".join(usable_engines())
        said = f"unknown engine {job.engine!r}; known: {known}"
        raise InputError(said, field="engine", value=job.engine)
    try:
        _check_engine(job.engine)
    except SplitRouteError as error:
        raise InputError(str(error), code=error.code, field="engine", value=job.engine) from None


def _check_engine(name: str) -> None:
    module = load(engines, name)
    if hasattr(module, "check"):
        module.check()
