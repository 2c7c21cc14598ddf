"""Options that several commands share."""

import functools
import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from splitroute import engines, formats, rules
from splitroute.distances import METRICS
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.pipeline import split
from splitroute.registry import load, names, one_of, parse_options
from splitroute.split_plan import SplitPlan

File = Annotated[Path, typer.Argument(help="Instance: .txt .sd .cri .vrp .json .csv")]
SolutionFile = Annotated[Path, typer.Argument(help="Solution: .json .csv .txt (DIMACS) .sol")]
SolutionFormat = Annotated[
    str | None, typer.Option("--solution-format", help="json, csv, dimacs or vrplib.")
]
MetricName = Annotated[
    str | None,
    typer.Option("--metric", help=f"{', '.join(METRICS)}; the file's own by default."),
]
Format = Annotated[
    str | None, typer.Option("--format", help="Format of the instance, if not by its ending.")
]
Unit = Annotated[
    str | None,
    typer.Option("--unit", help="Smallest quantity, such as 0.1; from the file by default."),
]
Scale = Annotated[float, typer.Option("--scale", help="Divide coordinates by this.")]
Capacity = Annotated[
    str | None, typer.Option("--capacity", help="Capacity of a vehicle, if the file has none.")
]
Depot = Annotated[
    str | None,
    typer.Option("--depot", help="For a CSV: X,Y or LAT,LON, or the id of the row that it is."),
]

Vehicles = Annotated[
    int | None, typer.Option("--vehicles", help="How many there are; any number by default.")
]
PassThrough = Annotated[
    bool,
    typer.Option(
        "--pass-through",
        help="Vehicles may drive through customers; saves where rounded distances allow it.",
    ),
]

Rule = Annotated[str, typer.Option("--rule", help=f"How to split: {', '.join(names(rules))}.")]
Levels = Annotated[int | None, typer.Option("--levels", help="pasa: number of rings L (2).")]
Base = Annotated[int | None, typer.Option("--base", help="pasa: the base p (2).")]
Rings = Annotated[
    str | None, typer.Option("--rings", help="pasa: rings of equal 'width' (default) or 'count'.")
]
Coins = Annotated[
    str | None, typer.Option("--coins", help="coins: percentages of the capacity (20/10/5/1).")
]
EngineName = Annotated[
    str,
    typer.Option(
        "--engine", help=f"{', '.join(names(engines))}; options after colons: hybrid:cover=0."
    ),
]
BoundSeconds = Annotated[
    float | None,
    typer.Option(
        "--bound",
        help="Seconds for a lower bound; by default only small instances are tried, 0 is never.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing.")]


def engine(text: str) -> tuple[str, dict[str, Any]]:
    """The name of an engine and its options."""
    name, *words = text.split(":")
    return name, parse_options(f"engine {name}", load(engines, name).run, words) if words else {}


def check_seconds(option: str, seconds: float | None) -> None:
    """Raises unless this is a time, or none."""
    if seconds is not None and not 0 <= seconds < math.inf:
        raise InputError(f"{option} is {seconds}; it is a number of seconds of at least 0")


@dataclass(frozen=True)
class Reading:
    """How to read an instance."""

    metric: MetricName = None
    format: Format = None
    unit: Unit = None
    scale: Scale = 1.0
    capacity: Capacity = None
    depot: Depot = None
    vehicles: Vehicles = None
    pass_through: PassThrough = False

    def read(self, file: Path) -> Instance:
        """The instance of a file."""
        if self.metric is not None:
            one_of(list(METRICS), "metric", self.metric)
        instance = formats.read(
            file,
            metric=self.metric,  # type: ignore[arg-type]
            unit=self.unit,
            scale=self.scale,
            capacity=self.capacity,
            depot=None if self.depot is None else _depot(self.depot),
            format=self.format,
        )
        if self.vehicles is not None:
            instance = replace(instance, vehicles=self.vehicles)
        return replace(instance, pass_through=True) if self.pass_through else instance

    def read_with_solution(
        self, file: Path, solution_file: Path, solution_format: str | None = None
    ) -> tuple[Instance, formats.ParsedSolution]:
        """The instance and a solution of it, in the metric that this states if none was given."""
        instance = self.read(file)
        stated = formats.read_solution(solution_file, instance, format=solution_format)
        if self.metric is None and stated.metric not in (None, instance.metric):
            instance = replace(self, metric=stated.metric).read(file)
        return instance, stated


@dataclass(frozen=True)
class Splitting:
    """The options of the rules."""

    levels: Levels = None
    base: Base = None
    rings: Rings = None
    coins: Coins = None

    def given(self) -> dict[str, Any]:
        """Those that were given; a rule refuses what it does not know."""
        return given(**vars(self))


def rings(instance: Instance, rule: str, splitting: Splitting) -> SplitPlan:
    """The split plan whose rings are to be drawn; refused if the rule has none."""
    plan = split(instance, rule, **splitting.given())
    if all(level.reach is None for level in plan.levels):
        raise InputError(f"--show-rings needs the rule pasa; the rule {rule} has no rings")
    return plan


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command with each parameter that is a group of options replaced by the group's fields."""
    signature = inspect.signature(command, eval_str=True)
    plain: list[inspect.Parameter] = []
    groups: dict[str, Any] = {}
    for parameter in signature.parameters.values():
        if parameter.annotation in (Reading, Splitting):
            groups[parameter.name] = parameter.annotation
            plain += inspect.signature(parameter.annotation, eval_str=True).parameters.values()
        else:
            plain.append(parameter)

    @functools.wraps(command)
    def spread_out(**arguments: Any) -> None:
        for name, group in groups.items():
            own = {field.name: arguments.pop(field.name) for field in fields(group)}
            arguments[name] = group(**own)
        command(**arguments)

    plain = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in plain]
    spread_out.__signature__ = signature.replace(parameters=plain)  # type: ignore[attr-defined]
    spread_out.__annotations__ = {p.name: p.annotation for p in plain}
    return spread_out


def given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def _depot(text: str) -> tuple[float, float] | str:
    """A point if it is written as one, otherwise the id of a row."""
    first, comma, second = text.partition(",")
    try:
        point = float(first), float(second)
    except ValueError:
        return text
    if comma and all(map(math.isfinite, point)):
        return point
    raise InputError(
        f"--depot is {text}; it is two finite numbers, X,Y or LAT,LON, or the id of a row",
        field="depot",
        value=text,
    )
