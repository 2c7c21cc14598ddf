"""`splitroute bench best-known`: the table of best known values and the solutions behind it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from splitroute.cli._command import add_command
from splitroute.cli._exit import VIOLATIONS
from splitroute.cli._options import INPUT, OUTPUT, SEARCH, check_seconds, option
from splitroute.cli.bench._options import Data
from splitroute.report import pluralize

if TYPE_CHECKING:
    from splitroute.bench.best_known import BestKnown

EXAMPLE = "splitroute bench best-known best --table best_known.csv --records runs.jsonl"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "best-known", _best_known, EXAMPLE)


def _best_known(
    folder: Annotated[Path, typer.Argument(help="Solutions METRIC/INSTANCE.txt (DIMACS).")],
    records: Annotated[
        list[Path] | None,
        option(
            "--records",
            INPUT,
            "First save the best solutions of these records in the folder.",
            "FILE",
        ),
    ] = None,
    data: Data = None,
    bound: Annotated[
        float, option("--bound", SEARCH, "Seconds per instance for a lower bound.", "SECONDS")
    ] = 0.0,
    jobs: Annotated[int, option("--jobs", SEARCH, "Parallel bounds, one core each.", "N")] = 1,
    table: Annotated[
        Path, option("--table", OUTPUT, "Table to update with improvements.", "FILE")
    ] = Path("best_known.csv"),
) -> None:
    """Validate a folder of solutions and update the table of best known values."""
    from splitroute.bench.best_solutions import check_solutions, improve_bounds, save_best_solutions
    from splitroute.bench.records import read_records
    from splitroute.processes.pool import open_pool

    check_seconds("bound", bound)
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
    typer.echo(f"{pluralize(len(checked), 'solution')}, {invalid} invalid")
    if bound and not invalid:
        with open_pool(count=jobs) as pool:
            improve_bounds(folder, table, pool, bound, data, _print_bound)
    raise typer.Exit(VIOLATIONS if invalid else 0)


def _print_bound(row: "BestKnown") -> None:
    gap = f"optimality gap {100 * row.optimality_gap(float(row.bound)):.2f} %"
    status = "optimal (proven)" if row.proven == "yes" else gap
    typer.echo(f"{row.instance}, {row.metric}: {row.value}, lower bound {row.bound}, {status}")
