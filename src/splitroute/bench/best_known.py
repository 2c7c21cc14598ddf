"""A folder of solutions that back the best known values, checked one by one.

They are texts of the DIMACS challenge's form, which other programs read too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from splitroute import formats
from splitroute.bench.records import Record
from splitroute.bench.references import DIGITS, OURS, PROVEN, BestKnown, best_known, save_best_known
from splitroute.bench.sets import SETS, Case, cases
from splitroute.bench.solutions import best_by, solution_of
from splitroute.bounds import lower_bound
from splitroute.errors import EngineError, InputError
from splitroute.processes.pool import Failure, Pool, Task
from splitroute.report import number
from splitroute.solution import cost
from splitroute.validation import validate

GRACE = 120.0  # seconds that a bound may be late


@dataclass(frozen=True, slots=True)
class Checked:
    """A solution file, its cost if it is valid, and whether the table changed for it."""

    path: Path
    instance: str
    metric: str
    cost: float | None
    problem: str = ""
    news: str = ""
    set: str = ""


def file_of(folder: Path, instance: str, metric: str) -> Path:
    """Where the solution of an instance is kept."""
    return folder / metric / f"{instance}.txt"


def check(folder: Path, table: Path, data: Path | None = None) -> list[Checked]:
    """Checks every solution METRIC/INSTANCE.txt; puts what is better into the table."""
    if not any(folder.glob("*/*.txt")):
        raise InputError(f"{folder}: no solutions; they are files METRIC/INSTANCE.txt")
    rows = best_known(table if table.exists() else None)
    found = [_put(_check(path, data), rows) for path in sorted(folder.glob("*/*.txt"))]
    for row in rows.values():
        path = file_of(folder, row.instance, row.metric)
        if row.source == OURS and not path.exists():
            found.append(Checked(path, row.instance, row.metric, None, "the table has it as ours"))
    if any(each.news for each in found):
        save_best_known(rows.values(), table)
    return found


def raise_bounds(
    folder: Path,
    table: Path,
    where: Pool,
    seconds: float,
    data: Path | None = None,
    told: Callable[[BestKnown], None] | None = None,
) -> list[BestKnown]:
    """Spends so many seconds on the lower bound of each solution's instance; saves as it goes."""
    rows = best_known(table)
    paths = sorted(folder.glob("*/*.txt"))
    tasks = (Task(_bound, (path, data, seconds), seconds + GRACE) for path in paths)
    new = []
    for k, bound in where.run(tasks):
        if isinstance(bound, Failure):
            raise EngineError(f"{paths[k]}: no bound: {bound.why}")
        key = (paths[k].stem, paths[k].parent.name)
        if key in rows and bound is not None:
            if bound > float(rows[key].value) * (1 + PROVEN):
                raise EngineError(f"{paths[k]}: a bound of {bound} is above the value; a defect")
            rows[key] = rows[key].bounded_by(bound)
            new.append(rows[key])
            save_best_known(rows.values(), table)
            if told is not None:
                told(rows[key])
    return new


def _bound(path: Path, data: Path | None, seconds: float) -> float | None:
    case = _case(path.stem, path.parent.name, data)
    if case is None:
        return None
    stated = formats.read_solution(path, case.instance)
    return lower_bound(case.instance, seconds, best=stated.solution).value


def keep(records: Iterable[Record], folder: Path, data: Path | None = None) -> list[Path]:
    """Writes the best solution of each instance and metric, where the folder has none as good."""
    best = best_by(records, lambda r: (str(r["instance"]), str(r["metric"])))
    written = []
    for (name, metric), record in sorted(best.items()):
        if (case := _case(name, metric, data)) is None:
            continue  # of the user's own
        path, solution = file_of(folder, name, metric), solution_of(record)
        if metric == "exact":
            solution = solution.delivering()  # to pass through a customer is never shorter there
        kept = _check(path, data) if path.exists() else None
        if kept and kept.cost is not None and kept.cost <= cost(case.instance, solution):
            continue
        if violations := validate(case.instance, solution):
            raise InputError(f"record of {name}: not a valid solution: {violations[0].message}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{path.parent}: cannot be made: {error.strerror}") from None
        formats.write(solution, path, instance=case.instance)
        written.append(path)
    return written


def _case(name: str, metric: str, data: Path | None) -> Case | None:
    """An instance of the four sets; in the metric dimacs vehicles may pass through customers."""
    try:
        found = cases([name], metric, data, pass_through=metric == "dimacs")  # type: ignore[arg-type]
    except InputError:
        return None
    return found[0] if found[0].set in {each.name for each in SETS} else None


def _check(path: Path, data: Path | None) -> Checked:
    name, metric = path.stem, path.parent.name
    if (case := _case(name, metric, data)) is None:
        return Checked(path, name, metric, None, "no such instance, or its file is not at hand")
    try:
        stated = formats.read_solution(path, case.instance)
    except InputError as error:
        return Checked(path, name, metric, None, str(error))
    if violations := validate(case.instance, stated.solution, stated.claims):
        return Checked(path, name, metric, None, violations[0].message)
    return Checked(path, name, metric, cost(case.instance, stated.solution), set=case.set)


def _put(checked: Checked, rows: dict[tuple[str, str], BestKnown]) -> Checked:
    if checked.cost is None:
        return checked
    key = (checked.instance, checked.metric)
    row = rows.get(key) or BestKnown(checked.set, *key)
    text = str(number(round(checked.cost, DIGITS)))
    if row.source == OURS and float(text) > float(row.value):
        return replace(checked, problem=f"costs {text}, but the table has {row.value} as ours")
    passing = "yes" if checked.metric == "dimacs" else "no"
    better = row.beaten_by(text, datetime.now(UTC).date().isoformat(), passing)
    if better is None:
        return checked
    rows[key] = better
    return replace(checked, news=f"{text} (before: {row.value or 'none'})")
