"""`splitroute convert`: instances and solutions from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from splitroute import formats
from splitroute.cli import _options as o
from splitroute.errors import InputError
from splitroute.files import check_writable
from splitroute.validation import validate


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("convert")(_convert)


def _convert(
    source: Annotated[Path, typer.Argument(help="What to convert: an instance or a solution.")],
    target: Annotated[Path, typer.Argument(help="Where to; the ending says the format.")],
    instance_file: Annotated[
        Path | None, typer.Option("--instance", help="Convert a solution of this instance.")
    ] = None,
    to: Annotated[str | None, typer.Option("--to", help="Format, if not by the ending.")] = None,
    metric: o.MetricName = None,
    format: o.Format = None,
    unit: o.Unit = None,
    scale: o.Scale = 1.0,
    capacity: o.Capacity = None,
    depot: o.Depot = None,
) -> None:
    """Convert an instance, or with --instance a solution; a solution that is not valid is refused."""
    how = (metric, format, unit, scale, capacity, depot)
    if instance_file is None:
        formats.check_known("instance", target, to)
        check_writable(target)
        formats.write(o.read_instance(source, *how), target, format=to)
        return
    formats.check_known("solution", target, to)
    check_writable(target)
    instance = o.read_instance(instance_file, *how)
    stated = formats.read_solution(source, instance)
    if violations := validate(instance, stated.solution):
        raise InputError(f"{source}: not a valid solution: {violations[0].message}")
    formats.write(stated.solution, target, instance=instance, format=to)
