"""`splitroute bench compare`: a statistical comparison of two methods."""

import json as json_
from dataclasses import asdict
from typing import Annotated

import typer

from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli.bench._options import Records, load_results

EXAMPLE = "splitroute bench compare native pasa:L=3+rtr --records runs.jsonl"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "compare", _compare, EXAMPLE)


def _compare(
    first: Annotated[str, typer.Argument(help="A method.")],
    second: Annotated[str, typer.Argument(help="The method to compare it with.")],
    records: Records,
    json: o.Json = False,
) -> None:
    """Compare two methods: wins, mean difference, Wilcoxon signed-rank test."""
    from splitroute.bench.compare import compare

    by_metric = load_results(records)
    both = [results for results in by_metric if {first, second} <= set(results.methods)]
    comparisons = [compare(results, first, second) for results in both or by_metric]
    if json:
        typer.echo(json_.dumps([asdict(comparison) for comparison in comparisons]))
    else:
        typer.echo("\n".join(comparison.summary() for comparison in comparisons))
