"""`splitroute convert`: instances and solutions from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from splitroute import formats
from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.errors import InputError
from splitroute.files import check_writable
from splitroute.validation import validate

EXAMPLE = "splitroute convert examples/bakery.csv bakery.json"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "convert", _convert, EXAMPLE)


def _convert(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="Instance, or solution of --instance.")
    ],
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="File to write; its extension is the format.")
    ],
    input: o.InputOptions,
    instance_file: Annotated[
        Path | None,
        o.option("--instance", o.INPUT, "Convert a solution of this instance.", "FILE"),
    ] = None,
    to: Annotated[
        str | None,
        o.option("--to", o.OUTPUT, "Format to write; default: by file extension.", "NAME"),
    ] = None,
) -> None:
    """Convert an instance, or with --instance a valid solution, to another format."""
    input.check_output(target, source, instance_file)
    if instance_file is None:
        formats.check_output_format("instance", target, to)
        check_writable(target)
        formats.write(input.read(source), target, format=to)
    else:
        formats.check_output_format("solution", target, to)
        check_writable(target)
        instance, parsed = input.read_with_solution(instance_file, source)
        if violations := validate(instance, parsed.solution):
            message = f"not a valid solution: {violations[0].message}"
            raise InputError(message, field="solution", file=str(source))
        formats.write(parsed.solution, target, instance=instance, format=to)
    typer.echo(f"saved {target}")
