"""`splitroute plot`: a plot of an instance or a solution."""

from pathlib import Path
from typing import Annotated

import typer

from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli._input import InputOptions
from splitroute.cli._outputs import saved_lines
from splitroute.cli._streams import destination, named_plot
from splitroute.pipeline import split
from splitroute.plots.routes import check_drawable, save_routes

EXAMPLE = "splitroute plot examples/bakery.csv solution.json --out routes.svg"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "plot", _plot, EXAMPLE)


def _plot(
    instance_file: o.InstanceFile,
    solution_file: Annotated[
        Path | None,
        typer.Argument(
            metavar="SOLUTION", help="Solution, or -; without one, only customers are drawn."
        ),
    ] = None,
    *,
    input: InputOptions,
    rule: o.Rule = "pasa",
    rule_options: o.RuleOptions,
    out: Annotated[
        Path, o.option("--out", o.OUTPUT, "Plot, or - to print a PNG: .png .svg .pdf", "FILE")
    ] = Path("routes.png"),
    show_rings: Annotated[
        bool, o.option("--show-rings", o.OUTPUT, "Draw the rings of rule pasa.")
    ] = False,
) -> None:
    """Draw the routes: a disc per customer, a pie per split customer, a colour per route."""
    solution = None
    if solution_file is None:
        instance = input.read(instance_file)
    else:
        instance, parsed = input.read_with_solution(instance_file, solution_file)
    check_drawable(named_plot(out), instance)
    input.check_outputs([out])
    if solution_file is not None:
        solution = input.with_geometry(instance, parsed.solution)
    plan = None
    if show_rings:
        rule_name, options = o.parse_rule(rule)
        plan = split(instance, rule_name, **{**options, **rule_options.to_arguments()})
        o.check_rings(plan)
    save_routes(destination(out), instance, solution, plan)
    for line in saved_lines([out]):
        typer.echo(line)
