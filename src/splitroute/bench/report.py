"""The report: one HTML page with a summary, tables, figures and the routes of each instance."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any

from splitroute.bench.compare import Comparison, compare
from splitroute.bench.omissions import group_by_reason
from splitroute.bench.paper import paper, read_data
from splitroute.bench.pictures import Picture, draw_best_routes, draw_figures
from splitroute.bench.records import Record
from splitroute.bench.results import Results, results_by_metric
from splitroute.bench.tables import Column, Table, overview, tables
from splitroute.errors import InputError
from splitroute.files import write_bytes
from splitroute.interactive import read_assets, security_policy
from splitroute.registry import require
from splitroute.report import pluralize

TIE_TOLERANCE = 0.005  # percentage points, which two decimals do not show


@dataclass(frozen=True)
class Section:
    """The part of the report about one metric."""

    results: Results
    summary: list[str]
    overview: Table
    comparisons: list[Comparison]
    not_compared: list[str]
    tables: list[Table]
    figures: list[Picture]
    figures_not_drawn: list[str]
    routes: list[Picture]
    routes_not_drawn: list[str]


def write_report(
    records: list[Record], path: Path, reference: str | None = None, methods: Sequence[str] = ()
) -> None:
    """Save the report; the page loads nothing from the network."""
    require("jinja2", "bench")
    from jinja2 import Environment, StrictUndefined

    if not records:
        raise InputError("no records", code="no_records", field="records")
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.filters["column_groups"] = _column_groups
    script = read_assets("tip.js", "tables.js", "figures.js")
    by_metric = results_by_metric(records, reference, methods)
    page = environment.from_string(read_data("report.html")).render(
        sections=[_section(results) for results in by_metric],
        count=pluralize(sum(len(results.records) for results in by_metric), "record"),
        date=datetime.now(UTC).strftime("%Y-%m-%d"),
        version=version("splitroute"),
        machines=_distinct(records, "machine"),
        commits=_distinct(records, "commit"),
        style=read_assets("base.css"),
        script=script,
        policy=security_policy(script),
    )
    write_bytes(path, page.encode())


def _column_groups(columns: tuple[Column, ...]) -> list[tuple[str, int]]:
    """Return headings and their numbers of columns; the first column, which is sticky, is alone."""
    rest = [
        (group, len(list(members))) for group, members in groupby(columns[1:], lambda c: c.group)
    ]
    return [(columns[0].group, 1), *rest]


def _section(results: Results) -> Section:
    best = min(results.methods, key=lambda m: _or_infinity(results.mean_gap(m)))
    comparisons, not_compared = [], []
    for rival in results.methods:
        if rival != best:
            try:
                comparisons.append(compare(results, best, rival))
            except InputError as error:
                not_compared.append(str(error))
    figures, figures_not_drawn = draw_figures(results)
    routes = draw_best_routes(results)
    no_routes = "no routes with coordinates in the records"
    return Section(
        results,
        _summary(results, best, comparisons),
        overview(results),
        comparisons,
        not_compared,
        tables(results),
        list(figures.values()),
        figures_not_drawn,
        list(routes.values()),
        group_by_reason(results, lambda *key: "" if key in routes else no_routes),
    )


def _summary(results: Results, best: str, comparisons: list[Comparison]) -> list[str]:
    """Return the result in at most three sentences."""
    gap = results.mean_gap(best)
    if gap is None:
        return ["No run has a valid solution of an instance with a best known value."]
    compared = len(results.common_instances or results.gaps(best))
    total = sum(map(len, results.sets.values()))
    scope = f"{compared} of {pluralize(total, 'instance')}"
    if total == len(results.common_instances):
        scope = pluralize(total, "instance")
    tied = [m for m in results.methods if _or_infinity(results.mean_gap(m)) - gap < TIE_TOLERANCE]
    sentences = [
        f"{' and '.join(tied)} {'has' if len(tied) == 1 else 'have'} the smallest mean gap to best "
        f"known of {pluralize(len(results.methods), 'method')} on {scope} "
        f"(metric {results.metric}): {gap:.2f} %."
    ]
    behind = [c for c in comparisons if c.second not in tied]
    if behind:
        runner_up = min(behind, key=lambda c: abs(c.mean_difference))
        p_value = f"; {runner_up.p_text}" if runner_up.is_testable else ""
        sentences.append(
            f"The runner-up, {runner_up.second}, is {abs(runner_up.mean_difference):.2f} % "
            f"{'behind' if runner_up.mean_difference < 0 else 'ahead'} on common instances "
            f"({runner_up.score}{p_value})."
        )
    gaps = results.gaps(best)
    shared = [key for key in gaps if key in paper()] if results.metric == "exact" else []
    if shared:
        rows = [(paper()[key], results.reference_value(*key)) for key in shared]
        paper_gap = statistics.fmean(row.gap_to(value, row.pasa_gap) or 0.0 for row, value in rows)
        own_gap = statistics.fmean(gaps[key] for key in shared)
        sentences.append(
            f"On the {pluralize(len(shared), 'instance')} in the paper's tables, the mean gap of "
            f"the paper's PASA is {paper_gap:.2f} %, that of {best} {own_gap:.2f} %."
        )
    return sentences


def _or_infinity(gap: float | None) -> float:
    return math.inf if gap is None else gap


def _distinct(records: list[Record], name: str) -> str:
    values: dict[Any, None] = dict.fromkeys(r[name] for r in records if r.get(name))
    return ", ".join(map(str, values)) or "unknown"
