"""`splitroute solve`: from a file to routes."""

import json as json_
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from splitroute import formats, rules
from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli._progress import ProgressBar
from splitroute.formats.json import solution_data
from splitroute.instance import Instance
from splitroute.pipeline import DEFAULT_ENGINE, DEFAULT_STOP, check_method, solve
from splitroute.plots.convergence import save_convergence
from splitroute.plots.files import check_plot_path
from splitroute.plots.routes import check_drawable, save_routes
from splitroute.registry import names
from splitroute.report import route_table
from splitroute.result import Result
from splitroute.stop import Stop

MAX_ROUTES_SHOWN = 30  # in the terminal
EXAMPLE = "splitroute solve examples/bakery.csv --time 10 --out solution.json --plot routes.png"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "solve", _solve, EXAMPLE)


def _solve(
    instance_file: o.InstanceFile,
    *,
    input: o.InputOptions,
    rule: Annotated[
        str | None,
        o.option(
            "--rule",
            o.SPLITTING,
            f"Rule: {', '.join(names(rules))}; default: free if the engine splits, else pasa. "
            "Its options may follow colons: pasa:levels=3.",
            "NAME",
        ),
    ] = None,
    rule_options: o.RuleOptions,
    baseline: Annotated[
        bool, o.option("--baseline", o.SPLITTING, "Also solve without splitting, to compare.")
    ] = False,
    engine: o.EngineName = DEFAULT_ENGINE,
    jobs: Annotated[
        int | None, o.option("--jobs", o.SEARCH, "native: parallel searches; default: 1.", "N")
    ] = None,
    cluster: Annotated[
        str | None,
        o.option(
            "--cluster",
            o.SEARCH,
            "native: Dask cluster: tcp://host:8786, or local:4 to start one.",
            "ADDRESS",
        ),
    ] = None,
    program: Annotated[
        str | None, o.option("--program", o.SEARCH, "vrph: path of vrp_rtr.", "FILE")
    ] = None,
    time: Annotated[
        float | None,
        o.option("--time", o.SEARCH, "Time limit; default: 10 without other limits.", "SECONDS"),
    ] = None,
    iterations: Annotated[
        int | None, o.option("--iterations", o.SEARCH, "Limit of iterations.", "N")
    ] = None,
    stall: Annotated[
        int | None,
        o.option("--stall", o.SEARCH, "Limit of iterations without improvement.", "N"),
    ] = None,
    target: Annotated[
        float | None, o.option("--target", o.SEARCH, "Stop at this cost.", "COST")
    ] = None,
    seed: o.Seed = 1,
    improve: Annotated[
        float,
        o.option(
            "--improve", o.SEARCH, "Additional time to improve the merged solution.", "SECONDS"
        ),
    ] = 0.0,
    bound: o.BoundSeconds = None,
    out: o.SolutionOut = None,
    plot: Annotated[
        Path | None, o.option("--plot", o.OUTPUT, "Plot the routes: .png .svg .pdf", "FILE")
    ] = None,
    show_rings: Annotated[
        bool, o.option("--show-rings", o.OUTPUT, "Draw the rings of rule pasa.")
    ] = False,
    plot_convergence: Annotated[
        Path | None,
        o.option(
            "--plot-convergence",
            o.OUTPUT,
            "Plot cost and lower bound over time: .png .svg .pdf",
            "FILE",
        ),
    ] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Solve an instance and print the validated solution."""
    rule_name, options = (None, {}) if rule is None else o.parse_rule(rule)
    engine_name, engine_options = o.parse_engine(engine)
    options |= rule_options.to_arguments() | engine_options
    options |= o.without_none(program=program, threads=jobs, cluster=cluster)
    instance = input.read(instance_file)
    outs = out or []
    _check_outputs(instance_file, input, instance, rule_name, outs, plot, plot_convergence)
    plan = None
    if show_rings:
        plan = check_method(instance, rule=rule_name, engine=engine_name, **options)
        o.check_rings(plan)
    o.check_seconds("polish", improve)
    o.check_seconds("bound", bound)
    stop = _stop(time, iterations, stall, target)
    searches = 2 if baseline else 1
    total = None if stop.seconds is None else max(bound or 0.0, searches * stop.seconds + improve)
    progress_bar = ProgressBar(total, visible=not (quiet or json))
    with progress_bar.running():
        result = solve(
            instance,
            rule=rule_name,
            engine=engine_name,
            stop=stop,
            seed=seed,
            polish=improve,
            baseline=baseline,
            bound=bound,
            listener=progress_bar,
            **options,
        )
        if outs or plot is not None or json:
            drawn = input.with_geometry(instance, result.solution)
            result = replace(result, solution=drawn)
        for path in outs:
            formats.write(result.solution, path, instance=instance, about=result.metadata())
        if plot is not None:
            save_routes(plot, instance, result.solution, plan)
        if plot_convergence is not None:
            save_convergence(plot_convergence, result)
    if json:
        typer.echo(json_.dumps({**_data(result), "interrupted": progress_bar.interrupted}))
    elif not quiet:
        saved = [*outs, *(path for path in (plot, plot_convergence) if path is not None)]
        _print(result, progress_bar.interrupted, saved)
    progress_bar.exit_if_interrupted()


def _check_outputs(
    file: Path,
    input: o.InputOptions,
    instance: Instance,
    rule: str | None,
    outs: list[Path],
    plot: Path | None,
    plot_convergence: Path | None,
) -> None:
    """Raise before the search if an output could not be saved after it."""
    may_split = rule != "none" or any(c.demand > instance.capacity for c in instance.customers)
    for path in outs:
        formats.check_output_format("solution", path, has_splits=may_split, instance=instance)
    if plot is not None:
        check_drawable(plot, instance)
    if plot_convergence is not None:
        check_plot_path(plot_convergence)
    plots = (path for path in (plot, plot_convergence) if path is not None)
    input.check_outputs([*outs, *plots], file)


def _stop(
    time: float | None, iterations: int | None, stall: int | None, target: float | None
) -> Stop:
    if time is None and iterations is None and stall is None:
        time = DEFAULT_STOP.seconds
    return Stop(seconds=time, iterations=iterations, stall=stall, target=target)


def _data(result: Result) -> dict[str, Any]:
    solution = result.solution
    baseline = {"unsplit_cost": result.unsplit_cost, "saving": result.saving}
    return {
        **solution_data(result.instance, solution),
        "visits": solution.num_visits,
        "split_customers": len(solution.split_customers()),
        **result.metadata(),
        **(baseline if result.has_baseline else {}),
    }


def _routes(result: Result) -> Table:
    """A row per route: vehicle, times, visits, load and cost."""
    heading, *rows = route_table(result.instance, result.solution)
    table = Table(box=None, padding=(0, 1))
    for name in heading:
        table.add_column(name, justify="left" if name == "vehicle" else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _print(result: Result, interrupted: bool, saved: list[Path]) -> None:
    table = Table(show_header=False, box=None, padding=(0, 1))
    for name, value in result.facts():
        table.add_row(name, Text(value))
        if name == "lower bound" and result.bound_can_improve:
            table.add_row("", o.BOUND_HINT)
    console = Console()
    if interrupted:
        console.print("Interrupted; this is the best solution so far.")
    console.print(table)
    if result.instance.rules and len(result.solution.routes) <= MAX_ROUTES_SHOWN:
        console.print(_routes(result))
    for path in saved:
        console.print(f"saved {path}", markup=False, highlight=False, soft_wrap=True)
