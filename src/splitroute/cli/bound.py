"""`splitroute bound`: a lower bound on the cost of any solution."""

import json as json_
from typing import Annotated

import typer

from splitroute.bounds.bound import check
from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli._console import plain_console
from splitroute.cli._input import InputOptions
from splitroute.cli._progress import ProgressBar
from splitroute.pipeline import solve
from splitroute.report import distance_text, json_number
from splitroute.result import Result
from splitroute.stop import Stop

EXAMPLE = "splitroute bound examples/bakery.csv --time 60"
SEARCH_SHARE = 0.2  # of the time, for a solution to compare the bound with
MAX_SEARCH_SECONDS = 10.0


def search_limit(seconds: float) -> Stop:
    """The time limit of the search for a solution, given that of the bound."""
    return Stop(seconds=min(SEARCH_SHARE * seconds, MAX_SEARCH_SECONDS))


def bound_data(result: Result) -> dict[str, object]:
    """The lower bound of a result, as --json prints it."""
    return {
        "bound": json_number(result.bound),
        "optimal": result.optimal,
        "cost": json_number(result.cost),
        "gap": result.gap,
        "seconds": round(result.bound_seconds, 3),
        **result.bound_metadata(),
    }


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "bound", _bound, EXAMPLE)


def _bound(
    instance_file: o.InstanceFile,
    input: InputOptions,
    time: Annotated[float, o.option("--time", o.SEARCH, "Time limit.", "SECONDS")] = 60.0,
    seed: o.Seed = 1,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Compute a lower bound on the cost of any solution."""
    check(time)
    instance = input.read(instance_file)
    stop = search_limit(time)
    progress_bar = ProgressBar(time, visible=not (quiet or json))
    with progress_bar.running():
        result = solve(instance, stop=stop, seed=seed, bound=time, listener=progress_bar)
    if json:
        typer.echo(json_.dumps(bound_data(result)))
    elif not quiet:
        console = plain_console(soft_wrap=True, highlight=False)
        console.print(f"lower bound: {result.bound_text()}")
        console.print(f"best solution: {distance_text(instance, result.cost)} ({instance.metric})")
    progress_bar.exit_if_interrupted()
