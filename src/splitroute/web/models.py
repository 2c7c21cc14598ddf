"""What goes in and out over HTTP; instances and solutions are the models of our JSON files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Discriminator, Field, Tag

from splitroute.distances import Metric
from splitroute.formats._models import ClosedModel
from splitroute.formats.json import InstanceModel, SolutionModel

Status = Literal["queued", "running", "done", "failed", "cancelled"]
Format = Literal["coordlist", "csv", "json", "vrplib"]

EXAMPLE = "3 10\n6 8 6\n0 0\n1 2\n3 1\n2 -2\n"


class GivenInstance(ClosedModel):
    """An instance as the text of a file."""

    format: Format = Field(description="What kind of file it is.")
    text: str = Field(min_length=1, description="The file.", examples=[EXAMPLE])
    name: str = Field(
        default="", max_length=100, pattern=r"^[^\x00-\x1f]*$", description="What to call it."
    )
    capacity: float | None = Field(default=None, gt=0, description="If the file has none.")
    unit: float | None = Field(default=None, gt=0, description="The smallest quantity.")


class GeneratedInstance(ClosedModel):
    """A random instance, to try things out."""

    customers: int = Field(ge=1, le=100_000, examples=[50])
    capacity: int = Field(default=100, ge=1, le=10**6)
    low: float = Field(default=0.1, gt=0, le=10, description="Least demand, in vehicles.")
    high: float = Field(default=0.9, gt=0, le=10, description="Largest demand, in vehicles.")
    seed: int = Field(default=1, ge=0, le=2**31 - 1)


class BenchmarkInstance(ClosedModel):
    """An instance of the benchmark's first set, SD1 to SD21, which is made by rule."""

    benchmark: str = Field(pattern="^SD([1-9]|1[0-9]|2[01])$", examples=["SD8"])


def _kind(given: Any) -> str:
    """By its fields, so that what is wrong is said about the kind that was meant."""
    known = given if isinstance(given, dict) else getattr(given, "__dict__", {})
    return "random" if "customers" in known else "benchmark" if "benchmark" in known else "file"


class JobRequest(ClosedModel):
    """What to solve, and how."""

    instance: Annotated[
        Annotated[GivenInstance, Tag("file")]
        | Annotated[GeneratedInstance, Tag("random")]
        | Annotated[BenchmarkInstance, Tag("benchmark")],
        Discriminator(_kind),
    ]
    metric: Metric | None = Field(default=None, description="The file's own by default.")
    seconds: float = Field(default=10.0, gt=0, description="Time for the search.")
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    rule: str | None = Field(default=None, max_length=20, description="free, pasa, coins or none.")
    engine: str = Field(default="native", max_length=20)
    levels: int | None = Field(default=None, ge=1, le=50, description="pasa: rings.")
    base: int | None = Field(default=None, ge=2, le=100, description="pasa: p.")
    vehicles: int | None = Field(default=None, ge=1, le=10**6, description="How many there are.")
    pass_through: bool = Field(default=False, description="Vehicles may drive through customers.")
    bound: float | None = Field(
        default=None,
        ge=0,
        description="Seconds for a lower bound; without it, small instances are tried anyway.",
    )
    baseline: bool = Field(default=False, description="Also solve without splitting.")


class JobChange(ClosedModel):
    """What can be changed about a job."""

    name: str = Field(
        min_length=1, max_length=100, pattern=r"^[^\x00-\x1f]*$", description="What to call it."
    )


class ReadInstance(InstanceModel):
    """An instance as it was read."""

    warnings: list[str] = Field(description="About what is probably not meant.")


class Accepted(BaseModel):
    """A job that was accepted."""

    id: str


class JobSummary(BaseModel):
    """A job in the list."""

    id: str
    number: int
    status: Status
    name: str
    customers: int
    method: str = Field(description="Rule, engine, time and seed, in words.")
    created: float = Field(description="Seconds since 1970.")
    started: float | None = None
    ended: float | None = None
    cost: float | None = Field(default=None, description="Of the best solution so far.")
    bound: float | None = Field(default=None, description="No solution costs less.")
    error: str | None = None


class Outcome(BaseModel):
    """What is known in the end."""

    rule: str
    engine: str
    seed: int
    seconds: float
    baseline_seconds: float
    gap: float
    optimal: bool
    visits: int
    split_customers: int
    unsplit: SolutionModel | None = Field(default=None, description="Without splitting.")
    unsplit_cost: float | None = None
    saving: float | None = None
    trace: list[tuple[float, float]]
    bound_trace: list[tuple[float, float]]
    versions: dict[str, str]


class JobState(JobSummary):
    """All about a job."""

    request: dict[str, Any] = Field(description="What was asked for, without the instance's text.")
    solution: SolutionModel | None = Field(default=None, description="The best so far.")
    outcome: Outcome | None = None


class JobList(BaseModel):
    """The newest jobs first."""

    jobs: list[JobSummary]
    next: int | None = Field(default=None, description="Give this as `before` for older ones.")


class LevelModel(BaseModel):
    """Customers that PASA splits alike."""

    reach: float | None = Field(description="The furthest of them is so far from the depot.")
    denominations: list[float]
    customers: int


class PlanModel(BaseModel):
    """How a rule splits the demands in advance."""

    rule: str
    levels: list[LevelModel]
    pieces: list[list[float]] = Field(description="Of each customer, in the order of the instance.")


class Info(BaseModel):
    """What a page needs to know about the service."""

    version: str
    engines: list[str] = Field(description="That are installed and may be asked for.")
    rules: list[str]
    most_customers: int
    most_seconds: float
    tiles: str | None = Field(default=None, description="Where map tiles come from.")
    attribution: str = ""


class Health(BaseModel):
    """The state of the service."""

    status: Literal["ok", "unavailable"]
    version: str
    jobs: dict[str, int] = Field(default={}, description="How many there are of each status.")
    reason: str | None = None


class Problem(BaseModel):
    """What was wrong with a request."""

    detail: str = Field(description="For people.")
    field: str | None = Field(default=None, description="The field of the request at fault.")
    code: str | None = Field(default=None, description="What kind of fault it is, for programs.")
    line: int | None = Field(default=None, description="The line of the file at fault.")
    value: str | None = Field(default=None, description="What was found there.")
