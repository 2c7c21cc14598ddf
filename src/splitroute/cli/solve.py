"""`splitroute solve`: from a file to routes."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from splitroute import rules
from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli._console import plain_console
from splitroute.cli._input import InputOptions
from splitroute.cli._outputs import SolutionOutput, saved_lines
from splitroute.cli._progress import ProgressBar
from splitroute.cli._streams import DASH, destination, named_plot
from splitroute.pipeline import DEFAULT_ENGINE, DEFAULT_STOP, check_method, solve, split
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
    input: InputOptions,
    rule: Annotated[
        str | None,
        o.option(
            "--rule",
            o.SPLITTING,
            f"Rule: {', '.join(names(rules))}; default: free if the engine splits, else pasa, "
            "or none if the instance forbids splitting. Its options may follow colons: "
            "pasa:levels=3.",
            "NAME",
            names(rules),
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
    output: SolutionOutput,
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
) -> None:
    """Solve an instance and print the validated solution."""
    rule_name, options = (None, {}) if rule is None else o.parse_rule(rule)
    engine_name, engine_options = o.parse_engine(engine)
    options |= rule_options.to_arguments() | engine_options
    options |= o.without_none(program=program, threads=jobs, cluster=cluster)
    instance = input.read(instance_file)
    plots = [path for path in (plot, plot_convergence) if path is not None]
    date = output.check(instance, allows_splits=rule_name != "none")
    if plot is not None:
        check_drawable(named_plot(plot), instance)
    if plot_convergence is not None:
        check_plot_path(named_plot(plot_convergence))
    paths = [*output.paths, *plots]
    input.check_outputs(paths, instance_file)
    plan = None
    if show_rings:
        plan = check_method(instance, rule=rule_name, engine=engine_name, **options)
        o.check_rings(plan)
    o.check_seconds("polish", improve)
    o.check_seconds("bound", bound)
    stop = _stop(time, iterations, stall, target)
    searches = 2 if baseline else 1
    total = None if stop.seconds is None else max(bound or 0.0, searches * stop.seconds + improve)
    progress_bar = ProgressBar(total, visible=not output.is_silent)
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
        if output.files or plot is not None:
            drawn = input.with_geometry(instance, result.solution)
            result = replace(result, solution=drawn)
        interrupted = progress_bar.interrupted
        about = {**result.metadata(), **date, "interrupted": interrupted}
        output.write(instance, result.solution, about)
        if plan is not None and result.race:
            name, winner = o.parse_rule(result.rule)
            plan = split(instance, name, **winner)
        if plot is not None:
            save_routes(destination(plot), instance, result.solution, plan)
        if plot_convergence is not None:
            save_convergence(destination(plot_convergence), result)
    if not output.is_silent:
        _print(result, interrupted, paths)
    progress_bar.exit_if_interrupted()


def _stop(
    time: float | None, iterations: int | None, stall: int | None, target: float | None
) -> Stop:
    if time is None and iterations is None and stall is None:
        time = DEFAULT_STOP.seconds
    return Stop(seconds=time, iterations=iterations, stall=stall, target=target)


def _routes(result: Result) -> Table:
    """A row per route: vehicle, times, visits, load and cost."""
    heading, *rows = route_table(result.instance, result.solution)
    table = Table(box=None, padding=(0, 1))
    for name in heading:
        table.add_column(name, justify="left" if name == "vehicle" else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _print(result: Result, interrupted: bool, paths: list[Path]) -> None:
    table = Table(show_header=False, box=None, padding=(0, 1))
    for name, value in result.facts():
        table.add_row(name, Text(value))
        if name == "lower bound" and result.bound_can_improve:
            table.add_row("", o.BOUND_HINT)
    console = plain_console(stderr=DASH in paths)
    if interrupted:
        console.print("Interrupted; this is the best solution so far.")
    console.print(table)
    if result.instance.rules and len(result.solution.routes) <= MAX_ROUTES_SHOWN:
        console.print(_routes(result))
    for line in saved_lines(paths):
        console.print(line, highlight=False, soft_wrap=True)
