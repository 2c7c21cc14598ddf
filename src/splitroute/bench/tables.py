"""Tables from records: the paper's 2 to 5 with its own columns beside ours, or any other set's."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from splitroute.bench import omissions
from splitroute.bench.references import paper, proven_bound
from splitroute.bench.results import Runs
from splitroute.bench.sets import SETS

Value = float | str | None
DAGGER = "†"
LAST_DIGIT = 0.01  # of printed values, which may be cut off there instead of rounded


class Impossible(float):
    """A cost or gap from elsewhere that a proven lower bound rules out; a dagger marks it."""


@dataclass(frozen=True, slots=True)
class Column:
    """A group of columns has one heading above; digits are those after the point."""

    group: str
    name: str
    digits: int = 2
    averaged: bool = True


Section = tuple[Column, Callable[[str], Value]]  # a column, and its value for an instance


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of instances, a last one of averages, and what is to be said below."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    average: tuple[Value, ...]
    notes: tuple[str, ...] = ()

    def texts(self) -> list[list[str]]:
        """The rows as text, the averages last."""
        return [
            [_text(v, c) for v, c in zip(row, self.columns, strict=True)]
            for row in (*self.rows, *([self.average] if self.average else []))
        ]


def tables(runs: Runs) -> list[Table]:
    """One table per set."""
    return [_table(runs, where, names) for where, names in runs.sets.items()]


def overview(runs: Runs) -> Table:
    """The mean gap to best known of each method on each set, and over all instances."""
    columns = [Column("", "method", averaged=False)]
    columns += [Column("mean gap to best known, %", where or "instances", 3) for where in runs.sets]
    columns += [Column("", "all, %", 3), Column("", "s", 1), Column("", "failed", 0)]
    rows: list[tuple[Value, ...]] = []
    for method in runs.methods:
        gaps = [runs.mean_gap(method, where) for where in runs.sets]
        times = [
            cell.time
            for where, names in runs.sets.items()
            for name in names
            if (cell := runs.cell(where, name, method)) and cell.time is not None
        ]
        rows.append(
            (method, *gaps, runs.mean_gap(method), _mean(times), float(runs.failures(method)))
        )
    over = f"the {len(runs.common)} instances that all have" if runs.common else "its own instances"
    sources = " and ".join(dict.fromkeys(_source(runs, where) for where in runs.sets))
    title = f"Mean gaps to {sources} in percent, metric {runs.metric}, over {over}"
    title += f"; {runs.conditions}"
    notes = (*_out_of_reach(runs), *omissions.of_means(runs))
    return Table(title, tuple(columns), tuple(rows), (), notes)


def _table(runs: Runs, where: str, names: list[str]) -> Table:
    number = next((s.table for s in SETS if s.name == where), 0)
    title = f"{where or 'instances'}, metric {runs.metric}, "
    title += f"gaps to {_source(runs, where)} in percent; {runs.conditions}"
    if number and runs.metric == "exact":
        title = f"Table {number} of the paper: {title}"
    sections: list[Section] = [
        (Column("", "instance", averaged=False), lambda name: name),
        (Column("", "best known", averaged=False), lambda name: _target(runs, where, name)),
    ]
    if runs.metric == "exact" and any((where, name) in paper() for name in names):
        sections += _of_paper(runs, where)
    shown = [m for m in runs.methods if any(runs.cell(where, name, m) for name in names)]
    for method in shown:
        sections += _of_method(runs, where, method)
    columns = tuple(column for column, _ in sections)
    rows = tuple(tuple(value(name) for _, value in sections) for name in names)
    averaged = [k for k, column in enumerate(columns) if column.averaged]
    # Averages of different rows would not compare.
    full = [row for row in rows if all(row[k] is not None for k in averaged)]
    average: list[Value] = [None] * len(columns)
    average[0] = "average" if len(full) == len(rows) else f"average of {len(full)}"
    for k in averaged:
        average[k] = _mean([row[k] for row in full])  # type: ignore[misc]
    missing = omissions.of_table(runs, where, shown, {str(row[0]) for row in full})
    return Table(title, columns, rows, tuple(average), (*_daggers(runs, where, rows), *missing))


def _of_paper(runs: Runs, where: str) -> list[Section]:
    def of(attribute: str) -> Callable[[str], Value]:
        return lambda name: getattr(paper().get((where, name)), attribute, None)

    def bound(name: str) -> float | None:
        return proven_bound(where, name, runs.metric)

    def cost(name: str) -> Value:
        row = paper().get((where, name))
        return _marked(row.pasa_cost, row.pasa_cost, bound(name)) if row else None

    def gap(attribute: str) -> Callable[[str], Value]:
        def value(name: str) -> Value:
            row = paper().get((where, name))
            printed = getattr(row, attribute, None)
            if row is None or printed is None:
                return None
            to_target = row.gap_to(runs.target(where, name), printed)
            slack = LAST_DIGIT * (1 + row.best_known / 100)  # of the value, and of the gap to it
            cost = row.implied(printed)
            return None if to_target is None else _marked(to_target, cost, bound(name), slack)

        return value

    found: list[Section] = [
        (Column("paper: VRPHAS", "gap"), gap("vrphas_gap")),
        (Column("paper: VRPHAS", "s", 1), of("vrphas_seconds")),
        (Column("paper: PASA", "cost"), cost),
        (Column("paper: PASA", "gap"), gap("pasa_gap")),
        (Column("paper: PASA", "s", 1), of("pasa_seconds")),
        (Column("paper: no splitting", "gap"), gap("none_gap")),
    ]
    if any(row.ils_mip_gap is not None for (s, _), row in paper().items() if s == where):
        found += [
            (Column("paper: ILS-MIP", "gap"), gap("ils_mip_gap")),
            (Column("paper: ILS-MIP", "s", averaged=False), of("ils_mip_seconds")),
        ]
    return found


def _of_method(runs: Runs, where: str, method: str) -> list[Section]:
    def of(attribute: str) -> Callable[[str], Value]:
        return lambda name: getattr(runs.cell(where, name, method), attribute, None)

    return [
        (Column(method, "cost"), of("cost")),
        (Column(method, "gap"), lambda name: runs.gap(where, name, method)),
        (Column(method, "s", 1), of("time")),
    ]


def _target(runs: Runs, where: str, name: str) -> float | None:
    target = runs.target(where, name)
    return target and _marked(target, target, proven_bound(where, name, runs.metric))


def _marked(value: float, cost: float, bound: float | None, slack: float = LAST_DIGIT) -> float:
    """A cost or a gap, as impossible if the cost that it stands for is below the bound."""
    return Impossible(value) if bound and cost < bound - slack else value


def _daggers(runs: Runs, where: str, rows: tuple[tuple[Value, ...], ...]) -> tuple[str, ...]:
    """What the daggers in a table mean, if there are any."""
    marked = [str(row[0]) for row in rows if any(isinstance(v, Impossible) for v in row)]
    bounds = [f"{name} {proven_bound(where, name, runs.metric):.2f}" for name in marked]
    said = f"{DAGGER} No solution can cost so little, or what such a gap amounts to. "
    said += f"Proven lower bounds: {', '.join(bounds)}."
    return (said,) if marked else ()


def _out_of_reach(runs: Runs) -> tuple[str, ...]:
    """Which of the best known values the mean gaps are to cannot be had."""
    names = [
        name
        for where, names in runs.sets.items()
        for name in names
        if isinstance(_target(runs, where, name), Impossible)
    ]
    said = (
        f"Best known values below proven lower bounds, which nothing reaches: {', '.join(names)}."
    )
    return (said,) if names else ()


def _mean(values: list[float]) -> float | None:
    return statistics.fmean(values) if values else None


def _source(runs: Runs, where: str) -> str:
    return {
        "paper": "the paper's best known",
        "challenge": "the challenge's best",
        "own": "our best known",
        "runs": "the best of these runs",
    }[runs.source(where)]


def _text(value: Value, column: Column) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    digits = f"{round(float(value), column.digits) + 0.0:.{column.digits}f}"  # and no -0.00
    return f"{DAGGER}{digits}" if isinstance(value, Impossible) else digits  # in front: they align
