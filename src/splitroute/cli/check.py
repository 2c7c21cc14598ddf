"""`splitroute check`: an independent check of any solution."""

import json as json_

import typer

from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli._exit import VIOLATIONS
from splitroute.cli._input import InputOptions
from splitroute.formats.json import undelivered_data
from splitroute.instance import Instance
from splitroute.report import distance_text, json_number, pluralize, undelivered_text
from splitroute.solution import Solution
from splitroute.validation import Violation, recomputed_cost

EXAMPLE = "splitroute check examples/bakery.csv solution.json"


def check_data(
    instance: Instance, solution: Solution, violations: list[Violation]
) -> dict[str, object]:
    """The verdict on a solution, as --json prints it."""
    return {
        "valid": not violations,
        "cost": json_number(recomputed_cost(instance, solution)),
        "undelivered": undelivered_data(instance, solution),
        "violations": [{"kind": v.kind, "message": v.message} for v in violations],
    }


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "check", _check, EXAMPLE)


def _check(
    instance_file: o.InstanceFile,
    solution_file: o.SolutionFile,
    input: InputOptions,
    solution_format: o.SolutionFormat = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Check a solution and list every violation; exit with 1 if there are any."""
    instance, parsed = input.read_with_solution(instance_file, solution_file, solution_format)
    violations = parsed.violations(instance)
    if json:
        typer.echo(json_.dumps(check_data(instance, parsed.solution, violations)))
    elif not quiet:
        for violation in violations:
            typer.echo(f"{violation.kind}: {violation.message}")
        if violations and parsed.is_for_other_instance(instance):
            typer.echo(f"The solution is for the instance {parsed.instance!r}.")
        verdict = pluralize(len(violations), "violation") if violations else "valid"
        routes, visits = len(parsed.solution.routes), parsed.solution.num_visits
        cost = recomputed_cost(instance, parsed.solution)
        missing = undelivered_text(instance, parsed.solution)
        typer.echo(
            f"{verdict}: cost {distance_text(instance, cost)} ({instance.metric}), "
            f"{pluralize(routes, 'route')}, {pluralize(visits, 'visit')}"
            f"{', ' if missing else ''}{missing}"
        )
    raise typer.Exit(VIOLATIONS if violations else 0)
