"""`splitroute generate`: benchmark instances by construction, and random ones."""

from pathlib import Path
from typing import Annotated

import typer

from splitroute.cli import _options as o
from splitroute.cli._command import Group, add_command
from splitroute.cli._outputs import AnyFormat, OutputFile, output_file, saved_lines
from splitroute.cli._streams import DASH
from splitroute.errors import InputError
from splitroute.generate import DEMAND_RANGES, DEPOTS, LAYOUTS, random_instance, set1
from splitroute.instance import Instance

INSTANCE = "Instance"
RANGES = ", ".join(f"{low:g}-{high:g}" for low, high in DEMAND_RANGES)

Out = Annotated[
    Path | None,
    o.option("--out", o.OUTPUT, "Save the instance; default: print a coordinate list.", "FILE"),
]


def add_to(app: typer.Typer) -> None:
    """Add the command with one sub-command per kind of instance."""
    generate = typer.Typer(help="Generate an instance.", cls=Group, no_args_is_help=True)
    add_command(generate, "set1", _set1, "splitroute generate set1 6 --out SD6.txt")
    example = "splitroute generate random --customers 50 --demand 0.3-0.7 --out random.json"
    add_command(generate, "random", _random, example)
    app.add_typer(generate, name="generate")


def _set1(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="1 to 21, for SD1 to SD21.")],
    unscaled: Annotated[
        bool, o.option("--unscaled", INSTANCE, "Exact coordinates, not rounded and times 100.")
    ] = False,
    out: Out = None,
    to: AnyFormat = None,
) -> None:
    """Generate an instance of SET-1: customers on circles, demands 60 and 90, capacity 100."""
    _save(set1(number, rounded=not unscaled), out, to)


def _random(
    customers: Annotated[
        int,
        typer.Option(
            "--customers", "-n", help="Number of customers.", metavar="N", rich_help_panel=INSTANCE
        ),
    ] = 100,
    capacity: Annotated[int, o.option("--capacity", INSTANCE, "Capacity of a vehicle.", "N")] = 160,
    demand: Annotated[
        str,
        o.option("--demand", INSTANCE, f"Shares of the capacity; in the paper {RANGES}.", "RANGE"),
    ] = "0.1-0.9",
    layout: Annotated[
        str, o.option("--layout", INSTANCE, f"Layout: {', '.join(LAYOUTS)}.", "NAME")
    ] = "uniform",
    depot: Annotated[
        str, o.option("--depot", INSTANCE, f"Depot: {', '.join(DEPOTS)}.", "NAME")
    ] = "centre",
    seed: Annotated[int, o.option("--seed", INSTANCE, "Seed of the random numbers.", "N")] = 1,
    out: Out = None,
    to: AnyFormat = None,
) -> None:
    """Generate a random instance like those of SET-2 and SET-3."""
    try:
        low, high = (float(part) for part in demand.split("-"))
    except ValueError:
        message = f"demand is {demand!r}; it must be two numbers such as 0.1-0.9"
        raise InputError(message, field="demand", value=demand) from None
    instance = random_instance(
        customers,
        capacity=capacity,
        low=low,
        high=high,
        layout=layout,
        depot=depot,
        seed=seed,
    )
    _save(instance, out, to)


def _save(instance: Instance, out: Path | None, to: str | None) -> None:
    file = OutputFile(DASH, to or "coordlist") if out is None else output_file(out, to)
    file.check("instance")
    file.write(instance, instance)
    for line in saved_lines([file.path]):
        typer.echo(line)
