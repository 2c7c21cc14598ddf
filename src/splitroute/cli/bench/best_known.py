"""`splitroute bench best-known`: the table of best known values and the solutions behind it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from splitroute.cli.bench._options import Data
from splitroute.report import counted

if TYPE_CHECKING:
    from splitroute.bench.references import BestKnown

EXAMPLE = "Example: splitroute bench best-known best --table best_known.csv --records runs.jsonl"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("best-known", epilog=EXAMPLE)(_best_known)


def _best_known(
    folder: Annotated[Path, typer.Argument(help="Solutions METRIC/INSTANCE.txt (DIMACS).")],
    records: Annotated[
        list[Path] | None,
        typer.Option(
            "--records",
            help="First save the best solutions of these records in the folder.",
            rich_help_panel="Input",
        ),
    ] = None,
    data: Data = None,
    bound: Annotated[
        float,
        typer.Option(
            "--bound", help="Seconds per instance for a lower bound.", rich_help_panel="Search"
        ),
    ] = 0.0,
    jobs: Annotated[
        int,
        typer.Option("--jobs", help="Parallel bounds, one core each.", rich_help_panel="Search"),
    ] = 1,
    table: Annotated[
        Path,
        typer.Option(
            "--table", help="Table to update with improvements.", rich_help_panel="Output"
        ),
    ] = Path("best_known.csv"),
) -> None:
    """Validate a folder of solutions and update the table of best known values."""
    from splitroute.bench.best_known import check_solutions, improve_bounds, save_best_solutions
    from splitroute.bench.records import read_records
    from splitroute.processes.pool import open_pool

    if records:
        for path in save_best_solutions(read_records(records, full=True), folder, data):
            typer.echo(f"saved {path}")
    checked = check_solutions(folder, table, data)
    for solution in checked:
        if solution.error:
            typer.echo(f"{solution.path}: {solution.error}")
        elif solution.improvement:
            typer.echo(f"{solution.instance}, {solution.metric}: {solution.improvement}")
    invalid = sum(bool(solution.error) for solution in checked)
    typer.echo(f"{counted(len(checked), 'solution')}, {invalid} invalid")
    if bound and not invalid:
        with open_pool(count=jobs) as pool:
            improve_bounds(folder, table, pool, bound, data, _print_bound)
    raise typer.Exit(1 if invalid else 0)


def _print_bound(row: "BestKnown") -> None:
    gap = f"optimality gap {100 * row.optimality_gap(float(row.bound)):.2f} %"
    status = "optimal (proven)" if row.proven == "yes" else gap
    typer.echo(f"{row.instance}, {row.metric}: {row.value}, lower bound {row.bound}, {status}")
