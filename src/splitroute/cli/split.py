"""`splitroute split`: the plan of a rule, without solving."""

import json as json_

import typer
from rich.console import Console
from rich.table import Table

from splitroute.cli import _options as o
from splitroute.pipeline import split
from splitroute.report import counted, plan_facts
from splitroute.split_plan import SplitPlan


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("split")(o.spread(_split))


def _split(
    file: o.File,
    reading: o.Reading,
    splitting: o.Splitting,
    rule: o.Rule = "pasa",
    json: o.Json = False,
) -> None:
    """Print how a rule splits the demands: denominations of each ring and pieces in all."""
    plan = split(reading.read(file), rule, **splitting.given())
    if json:
        typer.echo(json_.dumps(plan_facts(plan)))
    else:
        _show(plan)


def _show(plan: SplitPlan) -> None:
    facts = plan_facts(plan)
    console = Console()
    customers = counted(len(plan.instance.customers), "customer")
    console.print(f"{plan.instance.name}: {customers}, {plan.rule}", markup=False)
    largest = "" if plan.s_max is None else f", s_max {plan.s_max}"
    console.print(f"gcd {facts['gcd']}, mean {plan.mean:.2f} of these per customer{largest}")
    table = Table(box=None, padding=(0, 1))
    for title in ("level", "up to", "denominations", "customers"):
        table.add_column(title, justify="left" if title == "denominations" else "right")
    for number, (level, sizes) in enumerate(
        zip(plan.levels, facts["levels"], strict=True),  # type: ignore[call-overload]
        1,
    ):
        reach = "-" if level.reach is None else f"{level.reach:.2f}"
        words = "/".join(map(str, reversed(sizes))) or "whole demands"
        table.add_row(str(number), reach, words, f"{level.customers:,}")
    console.print(table)
    console.print(f"{counted(plan.count, 'piece')} in all")
