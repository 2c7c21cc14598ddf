"""`splitroute plot`: a plot of an instance or a solution."""

from pathlib import Path
from typing import Annotated

import typer

from splitroute.cli import _options as o
from splitroute.files import check_writable
from splitroute.plots.routes import check_drawable, save_routes

EXAMPLE = "Example: splitroute plot examples/bakery.csv solution.json --out routes.svg"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plot", epilog=EXAMPLE)(o.spread(_plot))


def _plot(
    instance_file: o.File,
    reading: o.Reading,
    splitting: o.Splitting,
    solution_file: Annotated[
        Path | None, typer.Argument(help="Solution; without one, only customers are drawn.")
    ] = None,
    rule: o.Rule = "pasa",
    show_rings: Annotated[
        bool,
        typer.Option(
            "--show-rings", help="Draw the rings of rule pasa.", rich_help_panel="Splitting"
        ),
    ] = False,
    out: Annotated[
        Path, typer.Option("--out", help="Plot: .png .svg .pdf", rich_help_panel="Output")
    ] = Path("routes.png"),
) -> None:
    """Draw the routes: a disc per customer, a pie per split customer, a colour per route."""
    instance = reading.read(instance_file)
    check_drawable(out, instance)
    check_writable(out)
    solution = None
    if solution_file is not None:
        instance, stated = reading.read_with_solution(instance_file, solution_file)
        solution = stated.solution
    split_plan = o.rings(instance, rule, splitting) if show_rings else None
    save_routes(out, instance, solution, split_plan)
    typer.echo(f"saved {out}")
