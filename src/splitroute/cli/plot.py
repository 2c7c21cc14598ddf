"""`splitroute plot`: a picture of an instance or of a solution."""

from pathlib import Path
from typing import Annotated

import typer

from splitroute.cli import _options as o
from splitroute.files import check_writable
from splitroute.plots.routes import check_drawable, save_picture


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("plot")(o.spread(_plot))


def _plot(
    instance_file: o.File,
    reading: o.Reading,
    splitting: o.Splitting,
    solution_file: Annotated[
        Path | None, typer.Argument(help="Solution to draw; the customers alone without.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Picture: .png .svg .pdf")] = Path(
        "routes.png"
    ),
    show_rings: Annotated[
        bool, typer.Option("--show-rings", help="Draw the rings of the rule too.")
    ] = False,
    rule: o.Rule = "pasa",
) -> None:
    """Draw the routes: discs by demand, pies where customers are split, one colour per vehicle."""
    instance = reading.read(instance_file)
    check_drawable(out, instance)
    check_writable(out)
    solution = None
    if solution_file is not None:
        instance, stated = reading.read_with_solution(instance_file, solution_file)
        solution = stated.solution
    rings = o.rings(instance, rule, splitting) if show_rings else None
    save_picture(out, instance, solution, rings)
    typer.echo(f"saved {out}")
