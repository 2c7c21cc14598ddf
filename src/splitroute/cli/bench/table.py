"""`splitroute bench table`: tables of the results."""

from typing import Annotated

import typer

from splitroute.cli._command import add_command
from splitroute.cli._options import OUTPUT, option
from splitroute.cli.bench._options import Methods, Records, Reference, load_results
from splitroute.errors import InputError
from splitroute.registry import check_choice

EXAMPLE = "splitroute bench table --records runs.jsonl --format markdown"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "table", _table, EXAMPLE)


def _table(
    records: Records,
    reference: Reference = None,
    methods: Methods = None,
    format: Annotated[
        str, option("--format", OUTPUT, "terminal, markdown, latex or csv.", "NAME")
    ] = "terminal",
    only_overview: Annotated[bool, option("--overview", OUTPUT, "Mean gaps per set only.")] = False,
) -> None:
    """Print a table per set and metric, next to the paper's columns, and an overview."""
    from splitroute.bench.render import FORMATS, csv_text
    from splitroute.bench.tables import overview, tables

    check_choice([*FORMATS, "csv"], "format", format)
    if format == "csv" and only_overview:
        raise InputError("there is no overview in CSV", field="overview", value=True)
    by_metric = load_results(records, reference, methods)
    if format == "csv":
        all_tables = [table for results in by_metric for table in tables(results)]
        typer.echo(csv_text(all_tables), nl=False)
        for note in [note for table in all_tables for note in table.notes]:
            typer.echo(note, err=True)
        return
    for results in by_metric:
        for table in [*([] if only_overview else tables(results)), overview(results)]:
            typer.echo(FORMATS[format](table))
