"""`splitroute bench plot`: figures of the results."""

from pathlib import Path
from typing import Annotated

import typer

from splitroute.cli._command import add_command
from splitroute.cli._options import OUTPUT, option
from splitroute.cli.bench._options import Methods, Records, Reference, load_results
from splitroute.files import create_folder, write_bytes

TEXT_COLOUR = "#1d2127"
EXAMPLE = "splitroute bench plot --records runs.jsonl --out figures"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "plot", _plot, EXAMPLE)


def _plot(
    records: Records,
    reference: Reference = None,
    methods: Methods = None,
    out: Annotated[Path, option("--out", OUTPUT, "Folder for the figures (SVG).", "FOLDER")] = Path(
        "figures"
    ),
) -> None:
    """Save every figure that the records have data for."""
    from splitroute.bench.pictures import draw_figures

    by_metric = load_results(records, reference, methods, full=True)
    create_folder(out)
    for results in by_metric:
        pictures, not_drawn = draw_figures(results)
        for name, picture in pictures.items():
            path = out / f"{results.metric}-{name}.svg"
            write_bytes(path, picture.svg.replace("currentColor", TEXT_COLOUR).encode())
            typer.echo(f"saved {path}")
            if picture.omitted:
                typer.echo(f"{path.name} omits: {picture.omitted}", err=True)
        for reason in not_drawn:
            typer.echo(f"not drawn: {reason}", err=True)
