"""What a job may ask for, whatever its instance; errors name the field that they are about."""

from __future__ import annotations

from fastapi import HTTPException

from splitroute import engines
from splitroute.errors import SplitRouteError
from splitroute.registry import load, names
from splitroute.web.models import JobRequest
from splitroute.web.settings import Settings

NEVER = ("vrph",)  # engines that run a program of the operator's machine


def refusal(field: str, detail: str) -> HTTPException:
    """The answer to a request in which that field is wrong."""
    return HTTPException(400, {"detail": detail, "field": field})


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


def check_limits(job: JobRequest, settings: Settings) -> None:
    """Raises what is wrong with a job whatever its instance."""
    most = settings.most_seconds
    for field, wanted in (("seconds", job.seconds), ("bound", job.bound or 0.0)):
        if wanted > most:
            raise refusal(field, f"{wanted:g} s; at most {most:g} s are allowed")
    if job.engine in NEVER or job.engine not in names(engines):
        known = ", ".join(usable_engines())
        raise refusal("engine", f"unknown engine {job.engine!r}; known: {known}")
    try:
        _check_engine(job.engine)
    except SplitRouteError as error:
        raise refusal("engine", str(error)) from None


def _check_engine(name: str) -> None:
    module = load(engines, name)
    if hasattr(module, "check"):
        module.check()
