"""`splitroute bench fetch`: download the benchmark instances."""

from typing import Annotated

import typer

from splitroute.cli._command import add_command
from splitroute.cli._options import INPUT, option
from splitroute.cli.bench._options import Data
from splitroute.report import pluralize

EXAMPLE = "splitroute bench fetch --data instances"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "fetch", _fetch, EXAMPLE)


def _fetch(
    data: Data = None,
    source: Annotated[
        str | None, option("--source", INPUT, "URL of a folder of SET-1 to SET-4.", "URL")
    ] = None,
) -> None:
    """Download the public benchmark instances and verify their checksums."""
    from splitroute.bench.fetch import SOURCE, fetch
    from splitroute.bench.sets import data_folder

    folder = data_folder(data)
    count = fetch(folder, source or SOURCE)
    typer.echo(f"{pluralize(count, 'file')} fetched, all checksums match: {folder}")
