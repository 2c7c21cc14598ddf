"""`splitroute bound`: how good an answer can be at best."""

import json as json_
from typing import Annotated

import typer
from rich.console import Console

from splitroute.bounds.bound import MAX_CUSTOMERS, check
from splitroute.cli import _options as o
from splitroute.cli._progress import Watcher
from splitroute.pipeline import solve
from splitroute.report import length_text, number
from splitroute.stop import Stop

SHARE = 0.2  # of the time for a search, whose answer is needed to prove an optimum
LONGEST = 10.0  # seconds of it


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("bound")(o.spread(_bound))


def _bound(
    file: o.File,
    reading: o.Reading,
    time: Annotated[float, typer.Option("--time", help="Seconds.")] = 60.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the search beside it.")] = 1,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Say what no solution can cost less than, and whether that is reached."""
    check(time)
    instance = reading.read(file)
    stop = Stop(seconds=min(SHARE * time, LONGEST))
    watcher = Watcher(time, shown=not (quiet or json))
    with watcher.watching():
        result = solve(instance, stop=stop, seed=seed, bound=time, listener=watcher)
    if json:
        answer = {
            "bound": number(result.bound),
            "optimal": result.optimal,
            "cost": number(result.cost),
            "gap": result.gap,
            "seconds": round(result.bound_seconds, 3),
        }
        typer.echo(json_.dumps(answer))
    elif not quiet:
        said = Console(soft_wrap=True, highlight=False)
        least, known = (length_text(instance, v) for v in (result.bound, result.cost))
        said.print(f"no solution costs less than {least} ({instance.metric})")
        less = "it is optimal" if result.optimal else result.gap_text()
        said.print(f"a solution of {known} is known: {less}")
        if len(instance.customers) > MAX_CUSTOMERS:
            said.print(
                f"for more than {MAX_CUSTOMERS:,} customers there is only the simplest bound"
            )
    watcher.exit_if_interrupted()
