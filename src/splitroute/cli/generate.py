"""`splitroute generate`: benchmark instances by construction, and random ones."""

from pathlib import Path
from typing import Annotated

import typer

from splitroute import formats
from splitroute.errors import InputError
from splitroute.formats import coordlist
from splitroute.generate import LAYOUTS, PAIRS, random_instance, set1
from splitroute.instance import Instance

Out = Annotated[
    Path | None, typer.Option("--out", help="Save here; printed as a coordinate list otherwise.")
]


def add_to(app: typer.Typer) -> None:
    """Adds the command, which has one sub-command per kind of instance."""
    kinds = typer.Typer(help="Make an instance.", no_args_is_help=True)
    kinds.command("set1")(_set1)
    kinds.command("random")(_random)
    app.add_typer(kinds, name="generate")


def _set1(
    number: Annotated[int, typer.Argument(help="1 to 21, for SD1 to SD21.")],
    unscaled: Annotated[
        bool, typer.Option("--unscaled", help="True coordinates, not rounded and times 100.")
    ] = False,
    out: Out = None,
) -> None:
    """An instance of SET-1: customers on circles, demands 60 and 90, capacity 100."""
    _save(set1(number, rounded=not unscaled), out)


def _random(
    customers: Annotated[int, typer.Option("--customers", "-n", help="How many.")] = 100,
    capacity: Annotated[int, typer.Option("--capacity", help="Capacity of a vehicle.")] = 160,
    demand: Annotated[
        str,
        typer.Option(
            "--demand",
            help="Shares of the capacity; in the paper "
            + ", ".join(f"{a:g}-{b:g}" for a, b in PAIRS),
        ),
    ] = "0.1-0.9",
    layout: Annotated[str, typer.Option("--layout", help=" or ".join(LAYOUTS))] = "uniform",
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random numbers.")] = 1,
    out: Out = None,
) -> None:
    """A random instance in the manner of SET-2 and SET-3."""
    try:
        low, high = (float(part) for part in demand.split("-"))
    except ValueError:
        raise InputError(f"--demand is {demand!r}; it is written like 0.1-0.9") from None
    made = random_instance(
        customers, capacity=capacity, low=low, high=high, layout=layout, seed=seed
    )
    _save(made, out)


def _save(instance: Instance, out: Path | None) -> None:
    if out is None:
        typer.echo(coordlist.dump_instance(instance), nl=False)
    else:
        formats.write(instance, out)
        typer.echo(f"saved {out}")
