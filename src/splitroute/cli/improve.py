"""`splitroute improve`: repairs and improves anybody's solution."""

import json as json_
import time as time_
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from splitroute import formats
from splitroute.cli import _options as o
from splitroute.cli._progress import Watcher
from splitroute.files import check_distinct, check_writable
from splitroute.formats.json import solution_data
from splitroute.pipeline import DEFAULT_ENGINE, solve
from splitroute.repair import Repaired, repair
from splitroute.report import counted, length_text, number
from splitroute.result import Result
from splitroute.solution import cost
from splitroute.stop import Stop
from splitroute.validation import Violation

MOST_SHOWN = 5  # violations


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("improve")(o.spread(_improve))


def _improve(
    instance_file: o.File,
    solution_file: o.SolutionFile,
    reading: o.Reading,
    solution_format: o.SolutionFormat = None,
    engine: o.EngineName = DEFAULT_ENGINE,
    time: Annotated[float, typer.Option("--time", help="Seconds.")] = 10.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random numbers.")] = 1,
    bound: o.BoundSeconds = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Save the solution: .json .csv (stops) .txt (DIMACS)"),
    ] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Repair a solution, valid or not, improve it, and say what was changed."""
    Stop(seconds=time)  # or it is refused
    chosen, options = o.engine(engine)
    o.check_seconds("--bound", bound)
    instance, stated = reading.read_with_solution(instance_file, solution_file, solution_format)
    if out is not None:
        formats.check_output_format("solution", out, has_splits=True)
        check_distinct(out, instance_file)
        check_writable(out)
    watcher = Watcher(max(time, bound or 0.0), shown=not (quiet or json))
    began = time_.perf_counter()

    with watcher.watching():
        violations = stated.violations(instance)
        given = cost(instance, stated.solution)
        repaired = repair(instance, stated.solution)
        if not violations and given < cost(instance, repaired.solution):
            repaired = Repaired(stated.solution, [])  # that is the better start
        spent = time_.perf_counter() - began
        result = solve(
            instance,
            engine=chosen,
            stop=Stop(seconds=max(0.1 * time, time - spent)),
            seed=seed,
            start=repaired.solution,
            bound=bound,
            listener=watcher,
            **options,
        )
        if out is not None:
            formats.write(result.solution, out, instance=instance, about=result.about())
    done = _Done(stated, violations, given, repaired, result, watcher.interrupted, out)
    if json:
        typer.echo(json_.dumps(done.as_json()))
    elif not quiet:
        said = Console(soft_wrap=True, highlight=False, markup=False)
        for line in done.lines():
            said.print(line)
    watcher.exit_if_interrupted()


@dataclass
class _Done:
    """What was given and what became of it."""

    stated: formats.ParsedSolution
    violations: list[Violation]
    given: float
    repaired: Repaired
    result: Result
    interrupted: bool
    out: Path | None

    def as_json(self) -> dict[str, Any]:
        result = self.result
        return {
            **solution_data(result.instance, result.solution),
            "valid": True,  # else it would not be here
            "valid_before": not self.violations,
            "changes": self.repaired.changes,
            "cost_before": number(self.given),
            "cost_repaired": number(cost(result.instance, self.repaired.solution)),
            **result.about(),
            "interrupted": self.interrupted,
        }

    def lines(self) -> Iterator[str]:
        result, instance = self.result, self.result.instance
        if self.interrupted:
            yield "Interrupted: this is the best solution so far."
        if self.stated.is_for_other_instance(instance):
            yield f"The solution says that it is of the instance {self.stated.instance!r}."
        verdict = counted(len(self.violations), "violation") if self.violations else "valid"
        yield f"given: {verdict}, cost {length_text(instance, self.given)} ({instance.metric})"
        yield from (f"  {violation.message}" for violation in self.violations[:MOST_SHOWN])
        if len(self.violations) > MOST_SHOWN:
            yield f"  and {len(self.violations) - MOST_SHOWN} more: splitroute check lists them"
        before, than = self.given, "given"
        if self.repaired.changes:
            after = cost(instance, self.repaired.solution)
            yield f"repaired: cost {length_text(instance, after)}"
            yield from (f"  {change}" for change in self.repaired.changes)
            if self.violations:  # what is not valid may well be cheaper
                before, than = after, "repaired"
        if result.cost < before:
            now, less = length_text(instance, result.cost), 100 * (1 - result.cost / before)
            yield f"improved: cost {now}, {less:.2f} % less than {than}"
        else:
            yield f"improved: nothing better found in {result.seconds:.1f} s"
        yield f"lower bound: {result.bound_text()}"
        yield f"saved {self.out}" if self.out else "not saved: --out FILE does that"
