"""Options that several commands share."""

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import typer

from splitroute import engines, formats, rules
from splitroute.catalogue import names, one_of
from splitroute.distances import METRICS
from splitroute.errors import InputError
from splitroute.instance import Instance

File = Annotated[Path, typer.Argument(help="Instance: .txt .sd .cri .vrp .json .csv")]
MetricName = Annotated[
    str | None,
    typer.Option("--metric", help=f"{', '.join(METRICS)}; the file's own by default."),
]
Format = Annotated[
    str | None, typer.Option("--format", help="Format of the instance, if not by its ending.")
]
Unit = Annotated[
    str | None, typer.Option("--unit", help="Smallest quantity, such as 0.1; 1 by default.")
]
Scale = Annotated[float, typer.Option("--scale", help="Divide coordinates by this.")]
Capacity = Annotated[
    str | None, typer.Option("--capacity", help="Capacity of a vehicle, if the file has none.")
]
Depot = Annotated[
    str | None, typer.Option("--depot", help="Depot as X,Y or LON,LAT, if the file has none.")
]

Rule = Annotated[str, typer.Option("--rule", help=f"How to split: {', '.join(names(rules))}.")]
Levels = Annotated[int | None, typer.Option("--levels", help="pasa: number of rings L (2).")]
Base = Annotated[int | None, typer.Option("--base", help="pasa: the base p (2).")]
Rings = Annotated[
    str | None, typer.Option("--rings", help="pasa: rings of equal width or of equal count.")
]
Coins = Annotated[
    str | None, typer.Option("--coins", help="coins: percentages of the capacity (20/10/5/1).")
]
EngineName = Annotated[
    str, typer.Option("--engine", help=f"CVRP engine: {', '.join(names(engines))}.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing.")]


def read_instance(
    file: Path,
    metric: str | None,
    format: str | None,
    unit: str | None,
    scale: float,
    capacity: str | None,
    depot: str | None,
) -> Instance:
    """The instance of a file under the options that say how to read it."""
    if metric is not None:
        one_of(list(METRICS), "metric", metric)
    return formats.read(
        file,
        metric=metric,  # type: ignore[arg-type]
        unit=unit,
        scale=scale,
        capacity=capacity,
        depot=None if depot is None else _point(depot),
        format=format,
    )


def given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def _point(text: str) -> tuple[float, float]:
    try:
        x, y = (float(Decimal(part.strip())) for part in text.split(","))
    except (ValueError, ArithmeticError):
        raise InputError(f"the depot is {text!r}; it is written as two numbers: X,Y") from None
    return x, y
