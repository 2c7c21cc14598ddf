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
    app.command("convert")(o.spread(_convert))


def _convert(
    source: Annotated[Path, typer.Argument(help="What to convert: an instance or a solution.")],
    target: Annotated[Path, typer.Argument(help="Where to; the ending says the format.")],
    reading: o.Reading,
    instance_file: Annotated[
        Path | None, typer.Option("--instance", help="Convert a solution of this instance.")
    ] = None,
    to: Annotated[str | None, typer.Option("--to", help="Format, if not by the ending.")] = None,
) -> None:
    """Convert an instance, or with --instance a solution; an invalid solution is refused."""
    if instance_file is None:
        formats.check_output_format("instance", target, to)
        instance = reading.read(source)
        check_writable(target)
        if target.exists() and target.samefile(source):
            raise InputError(f"{target}: is the file to be converted; name another")
        formats.write(instance, target, format=to)
        typer.echo(f"saved {target}")
        return
    formats.check_output_format("solution", target, to)
    check_writable(target)
    instance, stated = reading.read_with_solution(instance_file, source)
    if violations := validate(instance, stated.solution):
        raise InputError(f"{source}: not a valid solution: {violations[0].message}")
    formats.write(stated.solution, target, instance=instance, format=to)
    typer.echo(f"saved {target}")
