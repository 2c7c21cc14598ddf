"""`splitroute convert`: instances and solutions from one format to another."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from splitroute import formats
from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.solution import Solution
from splitroute.validation import validate

EXAMPLE = "splitroute convert examples/bakery.csv bakery.json"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "convert", _convert, EXAMPLE)


def _convert(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="Instance, or solution of --instance.")
    ],
    targets: Annotated[
        list[Path],
        typer.Argument(metavar="TARGET...", help="Files to write; extensions are the formats."),
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
    kind: Literal["instance", "solution"] = "instance" if instance_file is None else "solution"
    input.check_outputs(targets, source, instance_file)
    for target in targets:
        formats.check_output_format(kind, target, to)
    has_splits = False
    if instance_file is None:
        value: Instance | Solution
        instance = value = input.read(source)
    else:
        instance, parsed = input.read_with_solution(instance_file, source)
        if violations := validate(instance, parsed.solution):
            message = f"not a valid solution: {violations[0].message}"
            raise InputError(message, field="solution", file=str(source))
        value = input.with_geometry(instance, parsed.solution)
        has_splits = bool(value.split_customers())
    for target in targets:  # before the first is written
        formats.check_output_format(kind, target, to, has_splits=has_splits, instance=instance)
    for target in targets:
        formats.write(value, target, instance=instance, format=to)
    for target in targets:
        typer.echo(f"saved {target}")
