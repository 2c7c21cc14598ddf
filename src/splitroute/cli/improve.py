"""`splitroute improve`: repairs and improves anybody's solution."""

import json as json_
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from splitroute import formats
from splitroute.cli import _options as o
from splitroute.cli._progress import Watcher
from splitroute.files import check_distinct, check_writable
from splitroute.pipeline import DEFAULT_ENGINE, solve
from splitroute.repair import repair
from splitroute.report import cost_text, counted, number
from splitroute.solution import cost
from splitroute.stop import Stop
from splitroute.validation import validate


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("improve")(o.spread(_improve))


def _improve(
    instance_file: o.File,
    solution_file: o.SolutionFile,
    reading: o.Reading,
    solution_format: o.SolutionFormat = None,
    engine: o.EngineName = DEFAULT_ENGINE,
    time: Annotated[float, typer.Option("--time", help="Seconds.")] = 10.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random numbers.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Save the solution: .json .csv (stops) .txt (DIMACS)"),
    ] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Repair a solution, valid or not, improve it, and say what was changed."""
    stop = Stop(seconds=time)
    instance, stated = reading.read_with_solution(instance_file, solution_file, solution_format)
    if out is not None:
        formats.check_known("solution", out, splits=True)
        check_distinct(out, instance_file)
        check_writable(out)
    violations = validate(instance, stated.solution)
    before = cost(instance, stated.solution)
    repaired = repair(instance, stated.solution)
    start, changes = repaired.solution, repaired.changes
    if not violations and before < cost(instance, start):  # then it is the better start
        start, changes = stated.solution, []
    watcher = Watcher(time, shown=not (quiet or json))
    with watcher.watching():
        result = solve(
            instance,
            engine=engine,
            stop=stop,
            seed=seed,
            start=start,
            listener=watcher,
        )
    if out is not None:
        formats.write(result.solution, out, instance=instance, about=result.about())
    after = cost(instance, start)
    if json:
        answer = {
            "valid": not violations,
            "changes": changes,
            "cost_before": number(before),
            "cost_repaired": number(after),
            "cost": number(result.cost),
            "bound": number(result.bound),
            "gap": result.gap,
        }
        typer.echo(json_.dumps(answer))
    elif not quiet:
        said = Console(soft_wrap=True, highlight=False, markup=False)
        verdict = counted(len(violations), "violation") if violations else "valid"
        said.print(f"given: {verdict}, cost {cost_text(before)} ({instance.metric})")
        for change in changes:
            said.print(f"  {change}")
        said.print(f"repaired: cost {cost_text(after)}")
        less = f", {100 * (1 - result.cost / after):.2f} % less" if after else ""
        said.print(f"improved: cost {cost_text(result.cost)}{less}")
        if out is not None:
            said.print(f"saved {out}")
