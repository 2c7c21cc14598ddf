"""Result tables: the paper's tables 2 to 5 with our methods added, and those of other sets."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from splitroute.bench import omissions
from splitroute.bench.best_known import proven_bound
from splitroute.bench.paper import paper
from splitroute.bench.results import Results
from splitroute.bench.sets import SETS
from splitroute.report import pluralize

Value = float | str | None
DAGGER = "†"
PRINT_TOLERANCE = 0.01  # one unit in the last decimal of printed values: some are truncated
REFERENCE_NAMES = {
    "paper": "the paper's best known values",
    "challenge": "the challenge's best known values",
    "own": "our best known values",
    "literature": "published values without splitting",
    "runs": "the best of these runs",
}


class BelowBound(float):
    """A reported cost or gap that a lower bound proves impossible; marked by a dagger."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column; adjacent columns with the same group share a heading."""

    group: str
    name: str
    decimals: int = 2
    is_averaged: bool = True


ColumnValues = tuple[Column, Callable[[str], Value]]  # a column and its value for an instance


@dataclass(frozen=True, slots=True)
class Table:
    """A row per instance, an optional row of averages, and notes."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    average: tuple[Value, ...]
    notes: tuple[str, ...] = ()

    def text_rows(self) -> list[list[str]]:
        """Return the rows as text, the averages last."""
        return [
            [_text(v, c) for v, c in zip(row, self.columns, strict=True)]
            for row in (*self.rows, *([self.average] if self.average else []))
        ]


def tables(results: Results) -> list[Table]:
    """Return one table per set."""
    return [_table(results, set_name, names) for set_name, names in results.sets.items()]


def overview(results: Results) -> Table:
    """Return the mean gap to best known of each method on each set and over all instances."""
    columns = [Column("", "method", is_averaged=False)]
    columns += [
        Column("mean gap to best known, %", set_name or "instances", 3) for set_name in results.sets
    ]
    columns += [Column("", "all, %", 3), Column("", "s", 1), Column("", "failed", 0)]
    rows: list[tuple[Value, ...]] = []
    for method in results.methods:
        gaps = [results.mean_gap(method, set_name) for set_name in results.sets]
        failed = float(results.failure_count(method))
        mean_gap, seconds = results.mean_gap(method), results.mean_seconds(method)
        rows.append((method, *gaps, mean_gap, seconds, failed))
    common = len(results.common_instances)
    scope = pluralize(common, "common instance") if common else "the instances of each method"
    references = dict.fromkeys(_reference_name(results, set_name) for set_name in results.sets)
    title = (
        f"Mean gap to {' and '.join(references)} in percent, metric {results.metric}, "
        f"over {scope}; {results.conditions}"
    )
    notes = (*_unreachable_note(results), *omissions.mean_notes(results))
    return Table(title, tuple(columns), tuple(rows), (), notes)


def _table(results: Results, set_name: str, names: list[str]) -> Table:
    title = (
        f"{set_name or 'instances'}, metric {results.metric}, "
        f"gap to {_reference_name(results, set_name)} in percent; {results.conditions}"
    )
    paper_table = next((s.paper_table for s in SETS if s.name == set_name), 0)
    if paper_table and results.metric == "exact":
        title = f"Table {paper_table} of the paper: {title}"
    sections: list[ColumnValues] = [
        (Column("", "instance", is_averaged=False), lambda name: name),
        (
            Column("", "best known", is_averaged=False),
            lambda name: _reference(results, set_name, name),
        ),
    ]
    if results.metric == "exact" and any((set_name, name) in paper() for name in names):
        sections += _paper_columns(results, set_name)
    shown = [m for m in results.methods if any(results.cell(set_name, n, m) for n in names)]
    for method in shown:
        sections += _method_columns(results, set_name, method)
    columns = tuple(column for column, _ in sections)
    rows = tuple(tuple(value(name) for _, value in sections) for name in names)
    averaged = [k for k, column in enumerate(columns) if column.is_averaged]
    # Averages over different rows would not be comparable.
    complete = [row for row in rows if all(row[k] is not None for k in averaged)]
    average: list[Value] = [None] * len(columns)
    average[0] = "average" if len(complete) == len(rows) else f"average of {len(complete)}"
    for k in averaged:
        average[k] = _mean([row[k] for row in complete])  # type: ignore[misc]
    notes = (
        *_dagger_note(results, set_name, rows),
        *omissions.table_notes(results, set_name, shown, {str(row[0]) for row in complete}),
    )
    return Table(title, columns, rows, tuple(average), notes)


def _paper_columns(results: Results, set_name: str) -> list[ColumnValues]:
    def printed(attribute: str) -> Callable[[str], Value]:
        return lambda name: getattr(paper().get((set_name, name)), attribute, None)

    def bound(name: str) -> float | None:
        return proven_bound(set_name, name, results.metric)

    def cost(name: str) -> Value:
        row = paper().get((set_name, name))
        return _marked(row.pasa_cost, row.pasa_cost, bound(name)) if row else None

    def gap(attribute: str) -> Callable[[str], Value]:
        def value(name: str) -> Value:
            row = paper().get((set_name, name))
            gap = getattr(row, attribute, None)
            if row is None or gap is None:
                return None
            converted = row.gap_to(results.reference_value(set_name, name), gap)
            # Both the best known value and the gap are printed with two decimals.
            tolerance = PRINT_TOLERANCE * (1 + row.best_known / 100)
            if converted is None:
                return None
            return _marked(converted, row.implied_cost(gap), bound(name), tolerance)

        return value

    columns: list[ColumnValues] = [
        (Column("paper: VRPHAS", "gap"), gap("vrphas_gap")),
        (Column("paper: VRPHAS", "s", 1), printed("vrphas_seconds")),
        (Column("paper: PASA", "cost"), cost),
        (Column("paper: PASA", "gap"), gap("pasa_gap")),
        (Column("paper: PASA", "s", 1), printed("pasa_seconds")),
        (Column("paper: no splitting", "gap"), gap("none_gap")),
    ]
    if any(row.ils_mip_gap is not None for (s, _), row in paper().items() if s == set_name):
        columns += [
            (Column("paper: ILS-MIP", "gap"), gap("ils_mip_gap")),
            (Column("paper: ILS-MIP", "s", is_averaged=False), printed("ils_mip_seconds")),
        ]
    return columns


def _method_columns(results: Results, set_name: str, method: str) -> list[ColumnValues]:
    def mean(attribute: str) -> Callable[[str], Value]:
        return lambda name: getattr(results.cell(set_name, name, method), attribute, None)

    return [
        (Column(method, "cost"), mean("mean_cost")),
        (Column(method, "gap"), lambda name: results.gap(set_name, name, method)),
        (Column(method, "s", 1), mean("mean_seconds")),
    ]


def _reference(results: Results, set_name: str, name: str) -> float | None:
    value = results.reference_value(set_name, name)
    return value and _marked(value, value, proven_bound(set_name, name, results.metric))


def _marked(
    value: float, cost: float, bound: float | None, tolerance: float = PRINT_TOLERANCE
) -> float:
    """Return a cost or a gap, marked if the cost it stands for is below the bound."""
    return BelowBound(value) if bound and cost < bound - tolerance else value


def _dagger_note(
    results: Results, set_name: str, rows: tuple[tuple[Value, ...], ...]
) -> tuple[str, ...]:
    marked = [str(row[0]) for row in rows if any(isinstance(v, BelowBound) for v in row)]
    bounds = [f"{name} {proven_bound(set_name, name, results.metric):.2f}" for name in marked]
    note = (
        f"{DAGGER} Impossible cost, or a gap that implies one. "
        f"Proven lower bounds: {', '.join(bounds)}."
    )
    return (note,) if marked else ()


def _unreachable_note(results: Results) -> tuple[str, ...]:
    names = [
        name
        for set_name, names in results.sets.items()
        for name in names
        if isinstance(_reference(results, set_name, name), BelowBound)
    ]
    note = f"Best known values below the proven lower bound, hence unreachable: {', '.join(names)}."
    return (note,) if names else ()


def _mean(values: list[float]) -> float | None:
    return statistics.fmean(values) if values else None


def _reference_name(results: Results, set_name: str) -> str:
    return REFERENCE_NAMES[results.reference_of(set_name)]


def _text(value: Value, column: Column) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    text = f"{round(float(value), column.decimals) + 0.0:.{column.decimals}f}"  # no -0.00
    return f"{DAGGER}{text}" if isinstance(value, BelowBound) else text  # in front, for alignment
