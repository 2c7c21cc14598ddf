"""Options that several commands share."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from splitroute import engines, formats, rules
from splitroute.distances import METRICS
from splitroute.errors import InputError
from splitroute.registry import load, names, parse_options
from splitroute.split_plan import SplitPlan

# Panels of the help, in the order of the options.
INPUT, SPLITTING, SEARCH, OUTPUT = "Input", "Splitting", "Search", "Output"


def option(name: str, panel: str, help: str, metavar: str = "", choices: Iterable[str] = ()) -> Any:
    """Return an option in a panel of the help; a flag has no metavar. Shells complete choices."""

    def complete(incomplete: str) -> list[str]:
        return [choice for choice in choices if choice.startswith(incomplete)]

    return typer.Option(
        name, help=help, rich_help_panel=panel, metavar=metavar, autocompletion=complete
    )


InstanceFile = Annotated[
    Path,
    typer.Argument(
        metavar="INSTANCE", help=f"Instance: {' '.join(formats.suffixes('instance'))} or -"
    ),
]
SolutionFile = Annotated[
    Path,
    typer.Argument(
        metavar="SOLUTION", help=f"Solution: {' '.join(formats.suffixes('solution'))} or -"
    ),
]
MetricName = Annotated[
    str | None,
    option(
        "--metric", INPUT, f"Metric: {', '.join(METRICS)}; default: from the file.", "NAME", METRICS
    ),
]
Format = Annotated[
    str | None,
    option(
        "--format",
        INPUT,
        "Format of the instance; default: by extension or content.",
        "NAME",
        names(formats),
    ),
]
SolutionFormat = Annotated[
    str | None,
    option(
        "--solution-format",
        INPUT,
        "Format of the solution; default: by extension or content.",
        "NAME",
        names(formats),
    ),
]
Unit = Annotated[
    str | None,
    option(
        "--unit", INPUT, "All quantities are multiples of it, such as 0.1; default: inferred.", "X"
    ),
]
Scale = Annotated[float, option("--scale", INPUT, "Divide coordinates by this.", "X")]
Capacity = Annotated[
    str | None, option("--capacity", INPUT, "Capacity of a vehicle; default: from the file.", "X")
]
Depot = Annotated[
    str | None,
    option("--depot", INPUT, "Depot of a CSV: X,Y or LAT,LON or the id of a row.", "PLACE"),
]
Vehicles = Annotated[
    int | None, option("--vehicles", INPUT, "Number of vehicles; default: unlimited.", "N")
]
Fleet = Annotated[
    Path | None,
    option("--fleet", INPUT, "Table of vehicle types: type, count, capacity, depot, ...", "FILE"),
]
Depots = Annotated[
    Path | None,
    option("--depots", INPUT, "Table of depots: id, x, y or lat, lon, open, close.", "FILE"),
]
Columns = Annotated[
    str | None,
    option("--columns", INPUT, "Titles of columns: demand=Weight,id=Code; default: known.", "LIST"),
]
Sheet = Annotated[
    str | None,
    option("--sheet", INPUT, "Sheet of a workbook; default: customers, or the first.", "NAME"),
]
Speed = Annotated[
    float | None,
    option("--speed", INPUT, "Distance per time unit; km/h for lat and lon, default: 50.", "X"),
]
Partial = Annotated[
    bool, option("--partial", INPUT, "Deliver as much as possible instead of everything.")
]
Matrix = Annotated[
    Path | None,
    option("--matrix", INPUT, "Distances between all places, in .csv, .npy or .npz.", "FILE"),
]
Durations = Annotated[
    Path | None,
    option("--durations", INPUT, "Travel times between all places, in .csv, .npy or .npz.", "FILE"),
]
Roads = Annotated[
    str | None,
    option(
        "--roads",
        INPUT,
        "Road server: osrm:http://localhost:5000 or valhalla:http://localhost:8002; default: "
        "straight lines.",
        "SERVER",
    ),
]
RoadsCache = Annotated[
    Path | None,
    option("--roads-cache", INPUT, "Folder for its answers; default: one of the user's.", "DIR"),
]
PassThrough = Annotated[
    bool,
    option(
        "--pass-through",
        INPUT,
        "Let vehicles drive through customers without delivering.",
    ),
]

Rule = Annotated[
    str,
    option(
        "--rule",
        SPLITTING,
        f"Rule: {', '.join(names(rules))}. Its options may follow colons: pasa:levels=3.",
        "NAME",
        names(rules),
    ),
]
Levels = Annotated[
    str | None,
    option(
        "--levels",
        SPLITTING,
        "pasa: number of rings L, or 'auto' to let solve choose L, p and the rings; default: 2.",
        "L",
    ),
]
Base = Annotated[int | None, option("--base", SPLITTING, "pasa: base p; default: 2.", "P")]
Rings = Annotated[
    str | None,
    option(
        "--rings",
        SPLITTING,
        "pasa: rings of equal 'width' or 'count'; default: width.",
        "KIND",
        ("width", "count"),
    ),
]
Coins = Annotated[
    str | None,
    option("--coins", SPLITTING, "coins: percent of the capacity; default: 20/10/5/1.", "LIST"),
]

EngineName = Annotated[
    str,
    option(
        "--engine",
        SEARCH,
        f"Engine: {', '.join(names(engines))}. Its options follow colons: hybrid:cover=0.",
        "NAME",
        names(engines),
    ),
]
Seed = Annotated[int, option("--seed", SEARCH, "Seed of the random numbers.", "N")]
BoundSeconds = Annotated[
    float | None,
    option(
        "--bound",
        SEARCH,
        "Time for a lower bound, 0 for none; default: only for small instances.",
        "SECONDS",
    ),
]
BOUND_HINT = "use --bound 60 for a tighter one"
Json = Annotated[bool, option("--json", OUTPUT, "Print JSON.")]
Quiet = Annotated[bool, option("--quiet", OUTPUT, "Print nothing.")]


def parse_engine(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name of an engine and its options."""
    return _parse_method(engines, "engine", text)


def parse_rule(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name of a rule and its options."""
    return _parse_method(rules, "rule", text)


def _parse_method(package: ModuleType, kind: str, text: str) -> tuple[str, dict[str, Any]]:
    name, *words = text.split(":")
    return name, parse_options(f"{kind} {name}", load(package, name).run, words) if words else {}


def check_seconds(field: str, seconds: float | None) -> None:
    """Raise unless this is a duration or None."""
    if seconds is not None and not 0 <= seconds < math.inf:
        message = f"{field} is {seconds}; it must be a number of seconds of at least 0"
        raise InputError(message, field=field, value=seconds)


@dataclass(frozen=True)
class RuleOptions:
    """Options of the rules."""

    levels: Levels = None
    base: Base = None
    rings: Rings = None
    coins: Coins = None

    def to_arguments(self) -> dict[str, Any]:
        """Return the options that the user typed; a rule rejects those it does not have."""
        levels = {} if self.levels is None else parse_rule(f"pasa:levels={self.levels}")[1]
        return without_none(**{**vars(self), "levels": None, **levels})


def check_rings(plan: SplitPlan) -> None:
    """Raise if a split plan has no rings to draw."""
    if all(level.max_distance is None for level in plan.levels):
        rule = plan.rule.partition(":")[0]
        raise InputError(
            f"--show-rings needs rule pasa; rule {rule} has no rings", field="rule", value=rule
        )


def without_none(**options: Any) -> dict[str, Any]:
    """Return the options that are not None."""
    return {name: value for name, value in options.items() if value is not None}
