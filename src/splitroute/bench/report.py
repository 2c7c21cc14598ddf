"""One page with everything: the answer, the tables, the figures, the routes of each instance."""

from __future__ import annotations

import io
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from importlib.metadata import version
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from splitroute.bench import figures
from splitroute.bench.compare import Comparison, compare
from splitroute.bench.omissions import instances
from splitroute.bench.records import Record
from splitroute.bench.references import paper
from splitroute.bench.results import Runs, in_metrics
from splitroute.bench.solutions import best_of, drawing, solution_of
from splitroute.bench.tables import Column, Table, overview, tables
from splitroute.errors import InputError
from splitroute.files import write_bytes
from splitroute.registry import load, names, require
from splitroute.report import cost_text, counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TIED = 0.005  # percent: what two decimals do not show
INK = "#010203"  # becomes the colour of the page's text, light or dark


@dataclass(frozen=True)
class Picture:
    """A figure as SVG, and what it leaves out."""

    title: str
    caption: str
    svg: str
    left_out: str = ""


@dataclass(frozen=True)
class Chapter:
    """All of one metric; two are never in one table."""

    runs: Runs
    answer: list[str]
    overview: Table
    comparisons: list[Comparison]
    not_compared: list[str]
    tables: list[Table]
    pictures: list[Picture]
    lacking: list[str]
    routes: list[Picture]
    not_routed: list[str]  # instances whose routes cannot be drawn


def pictures(runs: Runs) -> tuple[dict[str, Picture], list[str]]:
    """All figures that the records have data for, by name; and what the others would need."""
    require("matplotlib", "bench")
    drawn, lacking = {}, []
    for name in names(figures):
        module = load(figures, name)
        figure = module.draw(runs)
        if figure is not None:
            svg = _svg(figure, f"{module.TITLE}. {module.CAPTION}")
            missing = "; ".join(module.left_out(runs))
            drawn[name] = Picture(module.TITLE, module.CAPTION, svg, missing)
        else:
            lacking.append(f"{module.TITLE}: needs {module.NEEDS}")
    return drawn, lacking


def write_report(
    records: list[Record], path: Path, against: str | None = None, methods: Sequence[str] = ()
) -> None:
    """Saves the page; it needs no network to be opened."""
    require("jinja2", "bench")
    from jinja2 import Environment, StrictUndefined

    if not records:
        raise InputError("no records; run `splitroute bench run` first")
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.filters["groupby_in_order"] = _headings
    template = files("splitroute.bench").joinpath("data", "report.html").read_text()
    found = in_metrics(records, against, methods)
    page = environment.from_string(template).render(
        chapters=[_chapter(runs) for runs in found],
        count=counted(sum(len(runs.records) for runs in found), "record"),
        made=datetime.now(UTC).strftime("%Y-%m-%d"),
        version=version("splitroute"),
        machines=_distinct(records, "machine"),
        commits=_distinct(records, "commit"),
    )
    write_bytes(path, page.encode())


def _headings(columns: tuple[Column, ...]) -> list[tuple[str, int]]:
    """The groups and how many columns each has; the first column, which stays in sight, alone."""
    rest = [(group, len(list(found))) for group, found in groupby(columns[1:], lambda c: c.group)]
    return [(columns[0].group, 1), *rest]


def _chapter(runs: Runs) -> Chapter:
    best = min(runs.methods, key=lambda m: _or_infinite(runs.mean_gap(m)))
    rivals = [m for m in runs.methods if m != best]
    comparisons, not_compared = [], []
    for rival in rivals:
        try:
            comparisons.append(compare(runs, best, rival))
        except InputError as error:
            not_compared.append(str(error))
    drawn, lacking = pictures(runs)
    routed = {(r.get("set") or "", r["instance"]): r for r in best_of(runs)}
    why = "no routes with places in the records"
    return Chapter(
        runs,
        _answer(runs, best, comparisons),
        overview(runs),
        comparisons,
        not_compared,
        tables(runs),
        list(drawn.values()),
        lacking,
        [_routes(runs, record) for record in routed.values()],
        instances(runs, lambda where, name: "" if (where, name) in routed else why),
    )


def _routes(runs: Runs, record: Record) -> Picture:
    """The routes of a record, with whose they are and what they cost."""
    solution = solution_of(record)
    routes = counted(len(solution.routes), "route")
    split = counted(len(solution.split_customers()), "customer")
    caption = (
        f"{runs.label(record)}, cost {cost_text(float(record['cost']))}; {routes}, {split} split"
    )
    name = str(record["instance"])
    return Picture(name, caption, drawing(record, f"{name}: {caption}"))


def _answer(runs: Runs, best: str, comparisons: list[Comparison]) -> list[str]:
    """The result in three sentences at most."""
    gap = runs.mean_gap(best)
    if gap is None:
        return ["No run has a valid answer that could be compared."]
    count = counted(len(runs.common or runs.gaps(best)), "instance")
    if (total := sum(map(len, runs.sets.values()))) != len(runs.common):
        count = f"{len(runs.common or runs.gaps(best))} of {counted(total, 'instance')}"
    side = "below" if gap < 0 else "above"
    equal = [m for m in runs.methods if _or_infinite(runs.mean_gap(m)) - gap < TIED]
    said = [
        f"Of {counted(len(runs.methods), 'method')} on {count} (metric {runs.metric}), "
        f"{' and '.join(equal)} {'comes' if len(equal) == 1 else 'come'} nearest to the best "
        f"known values: {abs(gap):.2f} % {side} them on average."
    ]
    behind = [c for c in comparisons if c.second not in equal]
    if behind:
        rival = min(behind, key=lambda c: abs(c.mean_difference))
        likely = f"; p {rival.likely}" if rival.tested else ""
        said.append(
            f"The nearest rival, {rival.second}, is {abs(rival.mean_difference):.2f} % "
            f"{'behind' if rival.mean_difference < 0 else 'ahead'} on the instances that both have "
            f"({rival.score}{likely})."
        )
    shared = [key for key in runs.gaps(best) if key in paper()] if runs.metric == "exact" else []
    if shared:
        rows = [(paper()[key], runs.target(*key)) for key in shared]
        printed = statistics.fmean(row.gap_to(to, row.pasa_gap) or 0.0 for row, to in rows)
        ours = statistics.fmean(runs.gaps(best)[key] for key in shared)
        said.append(
            f"On the {len(shared)} rows of the paper's tables its PASA has {printed:.2f} %, "
            f"{best} {ours:.2f} %."
        )
    return said


def _or_infinite(gap: float | None) -> float:
    return math.inf if gap is None else gap


def _distinct(records: list[Record], name: str) -> str:
    found: dict[Any, None] = dict.fromkeys(r[name] for r in records if r.get(name))
    return ", ".join(map(str, found)) or "unknown"


def _svg(figure: Figure, says: str) -> str:
    """Inline SVG without a background, its ink being that of the page; with what it shows."""
    import matplotlib as mpl

    for axes in figure.axes:
        axes.patch.set_alpha(0)
        axes.tick_params(which="both", colors=INK, labelcolor=INK)
        for part in (axes.title, axes.xaxis.label, axes.yaxis.label, axes._left_title):  # type: ignore[attr-defined]
            part.set_color(INK)
        for spine in axes.spines.values():
            spine.set_edgecolor(INK)
        if legend := axes.get_legend():
            for text in legend.get_texts():
                text.set_color(INK)
    data = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "splitroute"}):
        figure.savefig(data, format="svg", transparent=True, metadata={"Date": None})
    drawn = data.getvalue()
    drawn = drawn[drawn.index("<svg") + 4 :].replace(INK, "currentColor")
    return f'<svg role="img" aria-label="{escape(says)}"{drawn}'
