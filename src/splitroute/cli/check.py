"""`splitroute check`: an independent verifier for anybody's solution."""

import json as json_
import math

import typer

from splitroute.cli import _options as o
from splitroute.report import cost_text, counted, number
from splitroute.validation import recomputed_costs


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("check")(o.spread(_check))


def _check(
    instance_file: o.File,
    solution_file: o.SolutionFile,
    reading: o.Reading,
    solution_format: o.SolutionFormat = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Check a solution and list every violation; exit 0 if valid, 1 if not, 2 if unreadable."""
    instance, stated = reading.read_with_solution(instance_file, solution_file, solution_format)
    violations = stated.violations(instance)
    cost = math.fsum(recomputed_costs(instance, stated.solution))
    if json:
        found = [{"kind": v.kind, "message": v.message} for v in violations]
        answer = {"valid": not violations, "cost": number(cost), "violations": found}
        typer.echo(json_.dumps(answer))
    elif not quiet:
        for violation in violations:
            typer.echo(f"{violation.kind}: {violation.message}")
        routes, visits = len(stated.solution.routes), stated.solution.visits
        if violations and stated.is_for_other_instance(instance):
            typer.echo(f"The solution says that it is of the instance {stated.instance!r}.")
        verdict = counted(len(violations), "violation") if violations else "valid"
        typer.echo(
            f"{verdict}: cost {cost_text(cost)} ({instance.metric}), "
            f"{counted(routes, 'route')}, {counted(visits, 'visit')}"
        )
    raise typer.Exit(1 if violations else 0)
