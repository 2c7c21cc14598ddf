"""Whether a job can be carried out: said when it is handed in, with the field that it is about."""

from __future__ import annotations

import re
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
# What an error of reading is about, if it is not a line of the file.
ABOUT = {
    "capacity": r"(^|: )(no capacity;|capacity is )",
    "unit": r"state a unit|(^|: )the unit is ",
    "vehicles": r"^\d+ vehicles? carry |number of vehicles",
    "metric": r"metric '\w+' does not go|unknown metric",
}
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
    most = settings.most_seconds
    for field, wanted in (("seconds", job.seconds), ("bound", job.bound)):
        if wanted > most:
            raise refusal(field, f"{wanted:g} s; at most {most:g} s are allowed")
    if job.engine in NEVER or job.engine not in names(engines):
        known = ", ".join(usable_engines())
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
        # The command line's options are fields here.
        detail = re.sub(r"--(\w+)", r"\1", str(error))
        about = (name for name, words in ABOUT.items() if re.search(words, detail))
        raise refusal(next(about, "instance"), detail) from None
    count = len(instance.customers)
    if count == 0:
        raise refusal("instance", "there are no customers")
    if count > settings.most_customers:
        most = settings.most_customers
        raise refusal("instance", f"{count} customers; at most {most} are allowed")
    return instance


def _check_engine(name: str) -> None:
    module = load(engines, name)
    if hasattr(module, "check"):
        module.check()
