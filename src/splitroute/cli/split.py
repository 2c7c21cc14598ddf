"""`splitroute split`: the split plan of a rule."""

import json as json_

import typer
from rich.table import Table

from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli._console import plain_console
from splitroute.cli._input import InputOptions
from splitroute.pipeline import split
from splitroute.report import pluralize, split_plan_facts
from splitroute.split_plan import SplitPlan

EXAMPLE = "splitroute split examples/bakery.csv --rule pasa --levels 3"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "split", _split, EXAMPLE)


def _split(
    instance_file: o.InstanceFile,
    *,
    input: InputOptions,
    rule: o.Rule = "pasa",
    rule_options: o.RuleOptions,
    json: o.Json = False,
) -> None:
    """Print the split plan of a rule: denominations per ring and number of pieces."""
    rule_name, options = o.parse_rule(rule)
    options |= rule_options.to_arguments()
    plan = split(input.read(instance_file), rule_name, **options)
    if json:
        typer.echo(json_.dumps(split_plan_facts(plan)))
    else:
        _print(plan)


def _print(plan: SplitPlan) -> None:
    facts = split_plan_facts(plan)
    console = plain_console()
    customers = pluralize(len(plan.instance.customers), "customer")
    console.print(f"{plan.instance.name}: {customers}, {plan.rule}")
    s_max = "" if plan.s_max is None else f", s_max {plan.s_max}"
    console.print(f"gcd {facts['gcd']}, mean demand {plan.mean:.2f} gcd{s_max}")
    table = Table(box=None, padding=(0, 1))
    for title in ("level", "max distance", "denominations", "customers"):
        table.add_column(title, justify="left" if title == "denominations" else "right")
    for number, (level, sizes) in enumerate(
        zip(plan.levels, facts["levels"], strict=True),  # type: ignore[call-overload]
        1,
    ):
        distance = "-" if level.max_distance is None else f"{level.max_distance:.2f}"
        denominations = "/".join(map(str, reversed(sizes))) or "whole demands"
        table.add_row(str(number), distance, denominations, f"{level.num_customers:,}")
    if plan.levels:
        console.print(table)
    console.print(f"{pluralize(plan.num_pieces, 'piece')} in total")
