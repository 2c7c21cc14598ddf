"""`splitroute improve`: repair and improve any solution."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer

from splitroute import formats
from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli._input import InputOptions
from splitroute.cli._outputs import SolutionOutput, console_for, saved_lines
from splitroute.cli._progress import ProgressBar
from splitroute.errors import InfeasibleError
from splitroute.instance import Instance
from splitroute.pipeline import DEFAULT_ENGINE, solve
from splitroute.repair import Repaired, repair
from splitroute.report import distance_text, json_number, pluralize, user_quantity
from splitroute.result import Result
from splitroute.solution import Solution, cost, rank
from splitroute.stop import Stop, TimeBudget
from splitroute.validation import Violation

EXAMPLE = "splitroute improve examples/bakery.csv solution.json --time 30 --out better.json"
MAX_VIOLATIONS = 5  # printed


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "improve", _improve, EXAMPLE)


def _improve(
    instance_file: o.InstanceFile,
    solution_file: o.SolutionFile,
    *,
    input: InputOptions,
    solution_format: o.SolutionFormat = None,
    engine: o.EngineName = DEFAULT_ENGINE,
    time: Annotated[float, o.option("--time", o.SEARCH, "Time limit.", "SECONDS")] = 10.0,
    seed: o.Seed = 1,
    bound: o.BoundSeconds = None,
    output: SolutionOutput,
) -> None:
    """Repair a solution, valid or not, improve it, and list the repairs."""
    stop = Stop(seconds=time)  # raises before the work starts
    engine_name, engine_options = o.parse_engine(engine)
    o.check_seconds("bound", bound)
    instance, parsed = input.read_with_solution(instance_file, solution_file, solution_format)
    date = output.check(instance)
    input.check_outputs(output.paths, instance_file)
    progress_bar = ProgressBar(max(time, bound or 0.0), visible=not output.is_silent)
    budget = TimeBudget(stop)

    with progress_bar.running():
        violations = parsed.violations(instance)
        cost_before = cost(instance, parsed.solution)
        repaired, failure = _repair(instance, parsed.solution)
        if repaired and not violations and cost_before < cost(instance, repaired.solution):
            repaired = Repaired(parsed.solution, [])  # the better start
        result = solve(
            instance,
            engine=engine_name,
            stop=budget.remaining_stop(),
            seed=seed,
            start=repaired.solution if repaired else None,
            bound=bound,
            listener=progress_bar,
            **engine_options,
        )
        if output.files:
            drawn = input.with_geometry(instance, result.solution)
            result = replace(result, solution=drawn)
        report = _Report(
            parsed, violations, cost_before, repaired, failure, result, progress_bar.interrupted
        )
        output.write(instance, result.solution, {**report.about(), **date})
    if not output.is_silent:
        console = console_for(output.paths)
        for line in (*report.lines(), *saved_lines(output.paths)):
            console.print(line)
        if not output.paths:
            console.print("not saved; use --out FILE")
    progress_bar.exit_if_interrupted()


def _repair(instance: Instance, solution: Solution) -> tuple[Repaired | None, str | None]:
    """Return the repaired solution, or why there is none; a search from scratch may find one."""
    try:
        return repair(instance, solution), None
    except InfeasibleError as error:
        return None, error.message


@dataclass
class _Report:
    """The solution before, after the repair and after the search."""

    parsed: formats.ParsedSolution
    violations: list[Violation]
    cost_before: float
    repaired: Repaired | None
    failure: str | None  # of the repair
    result: Result
    interrupted: bool

    def about(self) -> dict[str, Any]:
        """How the solution was found."""
        return {
            **self.result.metadata(),
            "valid_before": not self.violations,
            "changes": self.repaired.changes if self.repaired else [],
            "cost_before": json_number(self.cost_before),
            **self._repair_data(),
            "interrupted": self.interrupted,
        }

    def _repair_data(self) -> dict[str, Any]:
        if self.repaired is None:
            return {"repair_error": self.failure}
        return {"cost_repaired": json_number(cost(self.result.instance, self.repaired.solution))}

    def lines(self) -> Iterator[str]:
        result, instance = self.result, self.result.instance
        if self.interrupted:
            yield "Interrupted; this is the best solution so far."
        if self.parsed.is_for_other_instance(instance):
            yield f"The solution is for the instance {self.parsed.instance!r}."
        verdict = pluralize(len(self.violations), "violation") if self.violations else "valid"
        cost_before = distance_text(instance, self.cost_before)
        yield f"before: {verdict}, cost {cost_before} ({instance.metric})"
        yield from (f"  {violation.message}" for violation in self.violations[:MAX_VIOLATIONS])
        if len(self.violations) > MAX_VIOLATIONS:
            more = len(self.violations) - MAX_VIOLATIONS
            yield f"  and {more} more; `splitroute check` lists all"
        yield from self._repair_lines() if self.repaired else self._failure_lines()
        hint = f"; {o.BOUND_HINT}" if result.bound_can_improve else ""
        yield f"lower bound: {result.bound_text()}{hint}"

    def _failure_lines(self) -> Iterator[str]:
        yield f"not repaired: {self.failure}"
        yield f"found anew: cost {distance_text(self.result.instance, self.result.cost)}"

    def _repair_lines(self) -> Iterator[str]:
        result, instance, repaired = self.result, self.result.instance, self.repaired
        assert repaired is not None
        (missing, start_cost), start = rank(instance, repaired.solution), "before"
        if repaired.changes:
            yield f"repaired: cost {distance_text(instance, start_cost)}"
            yield from (f"  {change}" for change in repaired.changes)
            if self.violations:  # an invalid solution may well be cheaper
                start = "after the repair"
            else:
                start_cost = self.cost_before
        new_cost = distance_text(instance, result.cost)
        still_missing = rank(instance, result.solution)[0]
        if still_missing < missing:
            more = user_quantity(instance, missing - still_missing)
            yield f"improved: cost {new_cost}, delivers {more:,} more than {start}"
        elif result.cost < start_cost:
            saving = 100 * (1 - result.cost / start_cost)
            yield f"improved: cost {new_cost}, {saving:.2f} % less than {start}"
        else:
            yield f"improved: nothing better found in {result.seconds:.1f} s"
