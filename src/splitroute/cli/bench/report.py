"""`splitroute bench report`: one page with everything."""

from pathlib import Path
from typing import Annotated

import typer

from splitroute.cli._command import add_command
from splitroute.cli._options import OUTPUT, option
from splitroute.cli.bench._options import Methods, Records, Reference, check_reference, split_list
from splitroute.files import check_writable

EXAMPLE = "splitroute bench report --records runs.jsonl --out report.html"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "report", _report, EXAMPLE)


def _report(
    records: Records,
    reference: Reference = None,
    methods: Methods = None,
    out: Annotated[Path, option("--out", OUTPUT, "HTML page.", "FILE")] = Path("report.html"),
) -> None:
    """Save an HTML page with a summary, tables, figures and the routes of each instance."""
    from splitroute.bench.records import read_records
    from splitroute.bench.report import write_report

    check_writable(out)
    check_reference(reference)
    all_records = list(read_records(records, full=True))
    write_report(all_records, out, reference, split_list(methods or ""))
    typer.echo(f"saved {out}")
