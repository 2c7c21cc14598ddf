"""`splitroute convert`: instances and solutions from one format to another."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli._input import InputOptions
from splitroute.cli._outputs import (
    AnyFormat,
    Date,
    OutputFile,
    Sheets,
    console_for,
    output_file,
    parse_date,
    saved_lines,
)
from splitroute.errors import InputError
from splitroute.formats import Kind
from splitroute.instance import Instance
from splitroute.solution import Solution
from splitroute.validation import validate

EXAMPLE = "splitroute convert examples/bakery.csv bakery.json"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "convert", _convert, EXAMPLE)


def _convert(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="Instance, or solution of --instance; or -.")
    ],
    targets: Annotated[
        list[Path] | None,
        typer.Argument(metavar="TARGET...", help="Files to write, or -; extensions are formats."),
    ] = None,
    *,
    input: InputOptions,
    instance_file: Annotated[
        Path | None,
        o.option("--instance", o.INPUT, "Convert a solution of this instance.", "FILE"),
    ] = None,
    to: AnyFormat = None,
    sheets: Sheets = None,
    date: Date = None,
) -> None:
    """Convert an instance, or with --instance a valid solution, to another format."""
    kind: Kind = "instance" if instance_file is None else "solution"
    files = [output_file(path, to) for path in targets or ()]
    if sheets is not None:
        files.append(OutputFile(sheets, "sheets"))
    if not files:
        raise InputError("name a file to write, or - for standard output", field="path")
    paths = [file.path for file in files]
    input.check_outputs(paths, source, instance_file)
    for file in files:
        file.check(kind)
    has_splits = False
    about: Mapping[str, object] = {}
    if instance_file is None:
        value: Instance | Solution
        instance = value = input.read(source)
    else:
        instance, parsed = input.read_with_solution(instance_file, source)
        if parsed.metric == "matrix" != instance.metric:  # costs and times would become others
            message = (
                f"the solution has distances of roads or a matrix, the instance straight lines "
                f"({instance.metric}); give the same --roads or --matrix"
            )
            raise InputError(message, field="metric", file=str(source), value=parsed.metric)
        if violations := validate(instance, parsed.solution):
            message = f"not a valid solution: {violations[0].message}"
            raise InputError(message, field="solution", file=str(source))
        value = input.with_geometry(instance, parsed.solution)
        has_splits, about = bool(value.split_customers()), parsed.about
    for file in files:  # before the first is written
        file.check(kind, has_splits=has_splits, instance=instance)
    about = {**about, **parse_date(date, files, kind, instance)}
    for file in files:
        file.write(value, instance, about)
    console = console_for(paths)
    for line in saved_lines(paths):
        console.print(line)
