"""Whether a job can be carried out: said when it is handed in, with the field that it is about."""

from __future__ import annotations

import threading

from fastapi import HTTPException

from splitroute import engines
from splitroute.catalogue import load, names
from splitroute.errors import SplitRouteError
from splitroute.instance import Instance
from splitroute.pipeline import check
from splitroute.web.models import JobRequest
from splitroute.web.settings import Settings
from splitroute.web.work import instance_of, method_of

# Instances are read in the process that answers everybody: not too many at once.
READING = threading.BoundedSemaphore(2)
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


def checked(job: JobRequest, settings: Settings) -> Instance:
    """The instance of a job all of which can be carried out."""
    longest = max(job.seconds, job.bound)
    if longest > settings.most_seconds:
        raise refusal("seconds", f"{longest:g} s; at most {settings.most_seconds:g} s are allowed")
    if job.engine in NEVER or job.engine not in names(engines):
        known = ", ".join(name for name in names(engines) if name not in NEVER)
        raise refusal("engine", f"unknown engine {job.engine!r}; known: {known}")
    try:
        _check_engine(job.engine)
    except SplitRouteError as error:
        raise refusal("engine", str(error)) from None
    instance = checked_instance(job, settings)
    try:
        with READING:
            check(instance, **method_of(job))
    except SplitRouteError as error:
        field = "vehicles" if "number of vehicles" in str(error) else "rule"
        raise refusal(field, str(error)) from None
    return instance


def checked_instance(job: JobRequest, settings: Settings) -> Instance:
    """The instance of a job, if it can be read and is not too large."""
    try:
        with READING:
            instance = instance_of(job)
    except SplitRouteError as error:
        raise refusal("instance", str(error)) from None
    count = len(instance.customers)
    if count > settings.most_customers:
        most = settings.most_customers
        raise refusal("instance", f"{count} customers; at most {most} are allowed")
    return instance


def _check_engine(name: str) -> None:
    module = load(engines, name)
    if hasattr(module, "check"):
        module.check()
