"""`splitroute solve`: from a file to routes."""

import json as json_
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from splitroute import formats, rules
from splitroute.cli import _options as o
from splitroute.cli._progress import Watcher
from splitroute.files import check_distinct, check_writable
from splitroute.formats.json import solution_data
from splitroute.pipeline import DEFAULT_ENGINE, DEFAULT_STOP, solve
from splitroute.plots.convergence import save_convergence
from splitroute.plots.files import check_plot_path
from splitroute.plots.routes import check_drawable, save_routes
from splitroute.registry import names
from splitroute.result import Result
from splitroute.stop import Stop


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("solve")(o.spread(_solve))


def _solve(
    file: o.File,
    reading: o.Reading,
    splitting: o.Splitting,
    rule: Annotated[
        str | None,
        typer.Option(
            "--rule",
            help=f"How to split: {', '.join(names(rules))}; free if the engine can, else pasa.",
        ),
    ] = None,
    engine: o.EngineName = DEFAULT_ENGINE,
    program: Annotated[
        str | None, typer.Option("--program", help="vrph: where its vrp_rtr is.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", help="native: searches at once, one core each (1).")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", help="native: search on a Dask cluster, tcp://host:8786."),
    ] = None,
    time: Annotated[
        float | None, typer.Option("--time", help="Seconds; 10 if no other limit is given.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help="Stop after so many iterations.")
    ] = None,
    stall: Annotated[
        int | None, typer.Option("--stall", help="Stop after so many without improvement.")
    ] = None,
    target: Annotated[
        float | None, typer.Option("--target", help="Stop at a cost that is good enough.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random numbers.")] = 1,
    improve: Annotated[
        float, typer.Option("--improve", help="Seconds more to re-route the visits found.")
    ] = 0.0,
    baseline: Annotated[
        bool, typer.Option("--baseline", help="Solve again without splitting, to compare.")
    ] = False,
    bound: o.BoundSeconds = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Save the solution: .json .csv (stops) .txt (DIMACS) .sol"),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Save a picture: .png .svg .pdf")
    ] = None,
    plot_convergence: Annotated[
        Path | None,
        typer.Option(
            "--plot-convergence", help="Save cost and lower bound over time: .png .svg .pdf"
        ),
    ] = None,
    show_rings: Annotated[
        bool, typer.Option("--show-rings", help="Draw the rings of the rule too.")
    ] = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Find routes for a file of customers; every answer is checked before it is shown."""
    chosen, options = o.engine(engine)
    instance = reading.read(file)
    # What cannot be saved in the end is refused before the work begins.
    if out is not None:
        may_split = rule != "none" or any(c.demand > instance.capacity for c in instance.customers)
        formats.check_output_format("solution", out, has_splits=may_split)
        check_distinct(out, file)
        check_writable(out)
    rings = o.rings(instance, rule or "free", splitting) if show_rings else None
    if plot is not None:
        check_drawable(plot, instance)
        check_distinct(plot, file)
        check_writable(plot)
    if plot_convergence is not None:
        check_plot_path(plot_convergence)
        check_distinct(plot_convergence, file, *([plot] if plot else []))
        check_writable(plot_convergence)
    o.check_seconds("--improve", improve)
    o.check_seconds("--bound", bound)
    stop = _stop(time, iterations, stall, target)
    runs = 2 if baseline else 1
    total = None if stop.seconds is None else max(bound or 0.0, runs * stop.seconds + improve)
    watcher = Watcher(total, shown=not (quiet or json))
    with watcher.watching():
        result = solve(
            instance,
            rule=rule,
            engine=chosen,
            stop=stop,
            seed=seed,
            improve=improve,
            baseline=baseline,
            bound=bound,
            listener=watcher,
            **splitting.given(),
            **{**options, **o.given(program=program, jobs=jobs, cluster=cluster)},
        )
        if out is not None:
            formats.write(result.solution, out, instance=instance, about=result.about())
        if plot is not None:
            save_routes(plot, instance, result.solution, rings)
        if plot_convergence is not None:
            save_convergence(plot_convergence, result)
    if json:
        answer = {**_as_json(result), "interrupted": watcher.interrupted}
        typer.echo(json_.dumps(answer))
    elif not quiet:
        _show(
            result,
            watcher.interrupted,
            [path for path in (out, plot, plot_convergence) if path is not None],
        )
    watcher.exit_if_interrupted()


def _stop(
    time: float | None, iterations: int | None, stall: int | None, target: float | None
) -> Stop:
    if time is None and iterations is None and stall is None:
        time = DEFAULT_STOP.seconds
    return Stop(seconds=time, iterations=iterations, stall=stall, target=target)


def _as_json(result: Result) -> dict[str, Any]:
    solution = result.solution
    return {
        **solution_data(result.instance, solution),
        "visits": solution.visits,
        "split_customers": len(solution.split_customers()),
        **result.about(),
        **o.given(unsplit_cost=result.unsplit_cost, saving=result.saving),
    }


def _show(result: Result, interrupted: bool, saved: list[Path]) -> None:
    table = Table(show_header=False, box=None, padding=(0, 1))
    for name, value in result.facts():
        table.add_row(name, Text(value))
    console = Console()
    if interrupted:
        console.print("Interrupted: this is the best solution so far.")
    console.print(table)
    for path in saved:
        console.print(f"saved {path}", markup=False, highlight=False, soft_wrap=True)
