"""Models of requests and responses; instances and solutions are those of our JSON files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Discriminator, Field, Tag

from splitroute.distances import Metric
from splitroute.formats import format_name
from splitroute.formats.json import InstanceModel, SolutionModel
from splitroute.web.request_model import RequestModel

Status = Literal["queued", "running", "done", "failed", "cancelled"]
Format = Literal[
    "coordlist", "cordeau", "csv", "geojson", "json", "solomon", "vroom", "vrplib", "workbook"
]

EXAMPLE = "3 10\n6 8 6\n0 0\n1 2\n3 1\n2 -2\n"


Name = Annotated[
    str, Field(max_length=100, pattern=r"^[^\x00-\x1f]*$", description="Name of the instance.")
]


def _format_name(name: Any) -> Any:
    """Return the format of a file extension: xlsx is a workbook."""
    return format_name("instance", "parse", name) if isinstance(name, str) else name


class FileInstance(RequestModel):
    """An instance as the text of a file."""

    format: Annotated[Format, BeforeValidator(_format_name)] = Field(
        description="File format, or a file extension that only one of them has."
    )
    text: str = Field(
        min_length=1,
        description="Content of the file; of a workbook (.xlsx, .ods) in Base64.",
        examples=[EXAMPLE],
    )
    name: Name = ""
    columns: Annotated[dict[str, str], Field(max_length=100)] | None = Field(
        default=None,
        description="Titles of columns by what they hold, where they are not recognised.",
        examples=[{"demand": "weight_kg"}],
    )
    sheet: str | None = Field(
        default=None, max_length=100, description="Sheet of a workbook with the customers."
    )
    capacity: float | None = Field(
        default=None, gt=0, description="Vehicle capacity, if the file does not state it."
    )
    unit: float | None = Field(default=None, gt=0, description="Smallest quantity.")
    fleet: str | None = Field(
        default=None, min_length=1, description="CSV with one row per vehicle type."
    )
    depots: str | None = Field(
        default=None, min_length=1, description="CSV with one row per depot."
    )


class RandomInstance(RequestModel):
    """A random instance."""

    customers: int = Field(ge=1, le=100_000, examples=[50])
    capacity: int = Field(default=100, ge=1, le=10**6)
    low: float = Field(default=0.1, gt=0, le=10, description="Smallest demand / capacity.")
    high: float = Field(default=0.9, gt=0, le=10, description="Largest demand / capacity.")
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    name: Name = ""


class BenchmarkInstance(RequestModel):
    """A generated instance of the first benchmark set, SD1 to SD21."""

    benchmark: str = Field(pattern="^SD([1-9]|1[0-9]|2[01])$", examples=["SD8"])
    name: Name = ""


def _instance_kind(value: Any) -> str:
    """Return the kind of instance by its fields, so that errors are about the intended kind."""
    fields = value if isinstance(value, dict) else getattr(value, "__dict__", {})
    return "random" if "customers" in fields else "benchmark" if "benchmark" in fields else "file"


class JobRequest(RequestModel):
    """What to solve, and how."""

    instance: Annotated[
        Annotated[FileInstance, Tag("file")]
        | Annotated[RandomInstance, Tag("random")]
        | Annotated[BenchmarkInstance, Tag("benchmark")],
        Discriminator(_instance_kind),
    ]
    metric: Metric | None = Field(
        default=None, description="Distance metric; by default that of the file."
    )
    seconds: float = Field(default=10.0, gt=0, description="Time limit of the search.")
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    rule: str | None = Field(
        default=None, max_length=20, description="Splitting rule: free, pasa, coins or none."
    )
    engine: str = Field(default="native", max_length=20)
    levels: int | None = Field(default=None, ge=1, le=50, description="pasa: number of rings L.")
    base: int | None = Field(default=None, ge=2, le=100, description="pasa: base p.")
    vehicles: int | None = Field(default=None, ge=1, le=10**6, description="Fleet size.")
    roads: str | None = Field(
        default=None,
        max_length=40,
        description="Road server of the service, by name; by default straight lines.",
    )
    speed: float | None = Field(
        default=None,
        gt=0,
        le=1e9,
        description="Distance per time unit, or km/h on the globe; by default that of the file.",
    )
    partial: bool | None = Field(
        default=None,
        description="Deliver as much as possible if not all demand can be delivered; by default as "
        "in the file.",
    )
    pass_through: bool = Field(
        default=False, description="Vehicles may pass through customers without delivering."
    )
    bound: float | None = Field(
        default=None,
        ge=0,
        description="Seconds for a lower bound; by default it is computed for small instances.",
    )
    baseline: bool = Field(default=False, description="Also solve without splitting.")


class JobChange(RequestModel):
    """Change of a job."""

    name: str = Field(
        min_length=1, max_length=100, pattern=r"^[^\x00-\x1f]*$", description="New name."
    )


class ReadInstance(InstanceModel):
    """An instance as it was read."""

    warnings: list[str] = Field(description="Likely mistakes in the file.")


class ColumnsModel(BaseModel):
    """Columns of a table of customers, and its first rows."""

    titles: list[str]
    columns: dict[str, str] = Field(description="Titles of the recognised columns.")
    missing: list[str] = Field(description="Required columns that are missing or ambiguous.")
    rows: list[list[str]]
    keys: list[str] = Field(description="What columns may hold.")
    sheets: list[str] = Field(description="Sheets of a workbook.")
    sheet: str = Field(description="The sheet that was read.")


class Accepted(BaseModel):
    """Id of a job."""

    id: str


class JobSummary(BaseModel):
    """A job in the list."""

    id: str
    number: int
    status: Status
    name: str
    customers: int
    method: str = Field(description="Rule, engine, time limit and seed.")
    created: float = Field(description="Seconds since 1970.")
    started: float | None = None
    ended: float | None = None
    cost: float | None = Field(default=None, description="Cost of the best solution so far.")
    bound: float | None = Field(default=None, description="Lower bound.")
    unit: str | None = Field(default=None, description="Unit of costs: km, or none.")
    undelivered: float | None = Field(
        default=None, description="Mandatory demand that the best solution does not deliver."
    )
    error: str | None = None


class Outcome(BaseModel):
    """Result of a job that has ended."""

    rule: str
    engine: str
    seed: int
    seconds: float
    baseline_seconds: float
    gap: float = Field(description="Optimality gap: (cost - bound) / cost.")
    bound_relaxed: list[str] = Field(
        default=[], description="Rules of the instance that the lower bound does not account for."
    )
    optimal: bool
    visits: int
    split_customers: int
    unsplit: SolutionModel | None = Field(default=None, description="Solution without splitting.")
    unsplit_cost: float | None = None
    saving: float | None = None
    trace: list[tuple[float, float]] = Field(description="(seconds, cost) of each improvement.")
    bound_trace: list[tuple[float, float]] = Field(description="The same for the lower bound.")
    versions: dict[str, str]


class JobState(JobSummary):
    """A job with its request and its best solution."""

    request: dict[str, Any] = Field(description="The request without the text of the instance.")
    warnings: list[str] = Field(default=[], description="Likely mistakes in the file.")
    solution: SolutionModel | None = Field(default=None, description="Best solution so far.")
    outcome: Outcome | None = None


class JobList(BaseModel):
    """Jobs, newest first."""

    jobs: list[JobSummary]
    next: int | None = Field(default=None, description="Pass as `before` to get older jobs.")


class LevelModel(BaseModel):
    """Customers that PASA splits into the same denominations."""

    reach: float | None = Field(description="Largest distance from the depot.")
    denominations: list[float]
    customers: int


class SplitPlanModel(BaseModel):
    """How a rule splits the demands in advance."""

    rule: str
    levels: list[LevelModel]
    pieces: list[list[float]] = Field(description="Pieces of each customer's demand.")


class Info(BaseModel):
    """Engines, rules and limits of the service."""

    version: str
    engines: list[str] = Field(description="Engines that are installed and allowed.")
    rules: list[str]
    max_customers: int
    max_seconds: float
    roads: list[str] = Field(default=[], description="Road servers that a job may name.")
    tiles: str | None = Field(default=None, description="URL template of map tiles.")
    attribution: str = ""


class Health(BaseModel):
    """State of the service."""

    status: Literal["ok", "unavailable"]
    version: str
    jobs: dict[str, int] = Field(default={}, description="Number of jobs by status.")
    reason: str | None = None


class ProblemItem(BaseModel):
    """One of several errors of an instance."""

    detail: str
    code: str = Field(description="Kind of error, for programs.")
    path: str | None = Field(default=None, description="Place in the instance.")
    line: int | None = Field(default=None, description="Line of the file.")
    cell: str | None = Field(default=None, description="Cell of a workbook.")


class Problem(BaseModel):
    """Details of an error; "problem" is the word of RFC 9457."""

    detail: str = Field(description="Message for people.")
    field: str | None = Field(default=None, description="Field of the request at fault.")
    code: str = Field(description="Kind of error, for programs.")
    line: int | None = Field(default=None, description="Line of the file at fault.")
    cell: str | None = Field(
        default=None, description="Cell of a workbook at fault, such as `Sheet1!C7`."
    )
    value: str | None = Field(default=None, description="Value found there.")
    path: str | None = Field(
        default=None, description="Place in the instance, such as `customers[3].demand`."
    )
    errors: list[ProblemItem] | None = Field(
        default=None, description="All errors of the instance, if there are several."
    )
