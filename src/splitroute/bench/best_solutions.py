"""Solutions that back our best known values: METRIC/INSTANCE.txt in the DIMACS format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from splitroute import formats
from splitroute.bench.best_known import (
    DECIMALS,
    OPTIMALITY_TOLERANCE,
    OWN_SOURCE,
    BestKnown,
    read_best_known,
    save_best_known,
)
from splitroute.bench.records import Record
from splitroute.bench.sets import SETS, BenchmarkInstance, load_instances
from splitroute.bench.solutions import best_by, solution_of
from splitroute.bounds import lower_bound
from splitroute.errors import EngineError, InputError
from splitroute.files import create_folder
from splitroute.processes.pool import Failure, Pool, Task
from splitroute.report import json_number
from splitroute.solution import cost
from splitroute.validation import validate

GRACE_SECONDS = 120.0  # beyond the time limit before a bound computation is killed


@dataclass(frozen=True, slots=True)
class CheckedSolution:
    """A solution file with its cost if it is valid, its error if not, and any improvement."""

    path: Path
    instance: str
    metric: str
    cost: float | None
    error: str = ""
    improvement: str = ""
    set_name: str = ""


def solution_path(folder: Path, instance: str, metric: str) -> Path:
    """Return the path of a solution in the folder."""
    return folder / metric / f"{instance}.txt"


def check_solutions(folder: Path, table: Path, data: Path | None = None) -> list[CheckedSolution]:
    """Validate every solution in the folder and enter improvements into the table."""
    paths = sorted(folder.glob("*/*.txt"))
    if not paths:
        message = "no solutions METRIC/INSTANCE.txt in this folder"
        raise InputError(message, field="folder", file=str(folder), value=str(folder))
    rows = read_best_known(table if table.exists() else None)
    checked = [_enter(_check(path, data), rows) for path in paths]
    for row in rows.values():
        path = solution_path(folder, row.instance, row.metric)
        if row.source == OWN_SOURCE and not path.exists():
            error = "missing, but the table says the value is ours"
            checked.append(CheckedSolution(path, row.instance, row.metric, None, error))
    if any(solution.improvement for solution in checked):
        save_best_known(rows.values(), table)
    return checked


def improve_bounds(
    folder: Path,
    table: Path,
    pool: Pool,
    seconds: float,
    data: Path | None = None,
    callback: Callable[[BestKnown], None] | None = None,
) -> list[BestKnown]:
    """Compute a lower bound for the instance of each solution; save the table after each."""
    rows = read_best_known(table if table.exists() else None)
    paths = sorted(folder.glob("*/*.txt"))
    tasks = (Task(_bound, (path, data, seconds), seconds + GRACE_SECONDS) for path in paths)
    updated = []
    for k, bound in pool.run(tasks):
        if isinstance(bound, Failure):
            raise EngineError(f"{paths[k]}: lower bound failed: {bound.reason}")
        key = (paths[k].stem, paths[k].parent.name)
        if key in rows and bound is not None:
            if bound > float(rows[key].value) * (1 + OPTIMALITY_TOLERANCE):
                raise EngineError(
                    f"{paths[k]}: lower bound {bound} exceeds the best known value; "
                    "this is a bug in splitroute"
                )
            rows[key] = rows[key].with_bound(bound)
            updated.append(rows[key])
            save_best_known(rows.values(), table)
            if callback is not None:
                callback(rows[key])
    return updated


def _bound(path: Path, data: Path | None, seconds: float) -> float | None:
    benchmark = _load(path.stem, path.parent.name, data)
    if benchmark is None:
        return None
    stated = formats.read_solution(path, benchmark.instance)
    return lower_bound(benchmark.instance, seconds, best=stated.solution).value


def save_best_solutions(
    records: Iterable[Record], folder: Path, data: Path | None = None
) -> list[Path]:
    """Save the best solution of each instance and metric unless the folder has a better one."""
    best = best_by(records, lambda r: (str(r["instance"]), str(r["metric"])))
    saved = []
    for (name, metric), record in sorted(best.items()):
        if (benchmark := _load(name, metric, data)) is None:
            continue  # an instance outside the four sets
        instance = benchmark.instance
        path, solution = solution_path(folder, name, metric), solution_of(record)
        if metric == "exact":
            # Pass-through never saves anything in the plane.
            solution = solution.without_empty_visits()
        previous = _check(path, data).cost if path.exists() else None
        if previous is not None and previous <= cost(instance, solution):
            continue
        if violations := validate(instance, solution):
            message = f"record of {name}: invalid solution: {violations[0].message}"
            raise InputError(message, field="records", value=name)
        create_folder(path.parent)
        formats.write(solution, path, instance=instance)
        saved.append(path)
    return saved


def _load(name: str, metric: str, data: Path | None) -> BenchmarkInstance | None:
    """Load an instance of the four sets; metric `dimacs` allows pass-through."""
    try:
        (benchmark,) = load_instances([name], metric, data, metric == "dimacs")  # type: ignore[arg-type]
    except InputError:
        return None
    return benchmark if benchmark.set_name in {s.name for s in SETS} else None


def _check(path: Path, data: Path | None) -> CheckedSolution:
    name, metric = path.stem, path.parent.name
    if (benchmark := _load(name, metric, data)) is None:
        error = "unknown instance, or its file is missing"
        return CheckedSolution(path, name, metric, None, error)
    try:
        stated = formats.read_solution(path, benchmark.instance)
    except InputError as fault:
        return CheckedSolution(path, name, metric, None, str(fault))
    if violations := validate(benchmark.instance, stated.solution, stated.claims):
        return CheckedSolution(path, name, metric, None, violations[0].message)
    value = cost(benchmark.instance, stated.solution)
    return CheckedSolution(path, name, metric, value, set_name=benchmark.set_name)


def _enter(checked: CheckedSolution, rows: dict[tuple[str, str], BestKnown]) -> CheckedSolution:
    """Enter a solution into the rows if it improves on them."""
    if checked.cost is None:
        return checked
    key = (checked.instance, checked.metric)
    row = rows.get(key) or BestKnown(checked.set_name, *key)
    text = str(json_number(round(checked.cost, DECIMALS)))
    if row.source == OWN_SOURCE and float(text) > float(row.value):
        return replace(checked, error=f"costs {text}, but the table says {row.value} is ours")
    pass_through = "yes" if checked.metric == "dimacs" else "no"
    improved = row.improved_by(text, datetime.now(UTC).date().isoformat(), pass_through)
    if improved is None:
        return checked
    rows[key] = improved
    return replace(checked, improvement=f"{text} (was {row.value or 'unknown'})")
