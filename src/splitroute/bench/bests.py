"""A folder of solutions that back the best known values, checked one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from splitroute import formats
from splitroute.bench.records import Record
from splitroute.bench.references import BestKnown, best_known, save_best_known
from splitroute.bench.sets import Case, cases
from splitroute.errors import InputError
from splitroute.report import number
from splitroute.solution import Route, Solution, Visit, cost
from splitroute.validation import validate


@dataclass(frozen=True, slots=True)
class Checked:
    """A solution file, its cost if it is valid, and whether the table changed for it."""

    path: Path
    instance: str
    metric: str
    cost: float | None
    problem: str = ""
    news: str = ""


def file_of(folder: Path, instance: str, metric: str) -> Path:
    """Where the solution of an instance is kept."""
    return folder / metric / f"{instance}.json"


def check(folder: Path, table: Path, data: Path | None = None) -> list[Checked]:
    """Checks every solution below METRIC/INSTANCE.json; puts what is better into the table."""
    rows = best_known(table if table.exists() else None)
    found = []
    for path in sorted(folder.glob("*/*.json")):
        checked = _check(path, data)
        if checked.cost is not None:
            checked = _put(checked, rows)
        found.append(checked)
    if not found:
        raise InputError(f"{folder}: no solutions; they are files METRIC/INSTANCE.json")
    if any(each.news for each in found):
        save_best_known(rows.values(), table)
    return found


def keep(records: Iterable[Record], folder: Path, data: Path | None = None) -> list[Path]:
    """Writes the best solution of each instance and metric, where the folder has none as good."""
    best: dict[tuple[str, str], Record] = {}
    for record in records:
        key = (str(record["instance"]), str(record["metric"]))
        if record["cost"] is not None and record.get("solution") is not None:
            best[key] = min(best.get(key, record), record, key=lambda r: float(r["cost"]))
    written = []
    for (name, metric), record in sorted(best.items()):
        path = file_of(folder, name, metric)
        case = _case(name, metric, data, bool(record.get("pass_through")))
        routes = (Route(tuple(Visit(*v) for v in route)) for route in record["solution"])
        solution = Solution(tuple(routes))
        if path.exists():
            kept = formats.read_solution(path, case.instance).solution
            if cost(case.instance, kept) <= cost(case.instance, solution):
                continue
        if violations := validate(case.instance, solution):
            raise InputError(f"record of {name}: not a valid solution: {violations[0].message}")
        path.parent.mkdir(parents=True, exist_ok=True)
        about = {
            "method": record["method"], "seed": record["seed"], "limit": record.get("limit", {}),
            "versions": record.get("versions", {}),
        }  # fmt: skip
        formats.write(solution, path, instance=case.instance, about=about)
        written.append(path)
    return written


def _case(name: str, metric: str, data: Path | None, passing: bool) -> Case:
    return cases([name], metric, data, pass_through=passing)[0]  # type: ignore[arg-type]


def _check(path: Path, data: Path | None) -> Checked:
    name, metric = path.stem, path.parent.name
    instance = _case(name, metric, data, metric == "dimacs").instance
    stated = formats.read_solution(path, instance)
    if violations := validate(instance, stated.solution, stated.claims):
        return Checked(path, name, metric, None, violations[0].message)
    if stated.metric not in (None, metric):
        return Checked(path, name, metric, None, f"it is in the metric {stated.metric}")
    return Checked(path, name, metric, cost(instance, stated.solution))


def _put(checked: Checked, rows: dict[tuple[str, str], BestKnown]) -> Checked:
    assert checked.cost is not None
    key = (checked.instance, checked.metric)
    row = rows.get(key) or BestKnown("", *key)
    text = str(number(round(checked.cost, 4)))
    passing = "yes" if checked.metric == "dimacs" else "no"
    better = row.beaten_by(text, datetime.now(UTC).date().isoformat(), passing)
    if better is None:
        return checked
    rows[key] = better
    return replace(checked, news=f"{text} (before: {row.value or 'none'})")
