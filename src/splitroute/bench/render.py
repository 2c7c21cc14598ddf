"""Tables as text: for the terminal, Markdown and LaTeX (booktabs), and all of them as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from itertools import groupby
from textwrap import wrap

from splitroute.bench.tables import DAGGER, Column, Impossible, Table, Value

HEADER = (
    "table", "instance", "best_known", "method", "cost", "gap_to_best_known", "seconds",
    "below_bound",
)  # fmt: skip
NARROW = 80  # columns of a terminal
SPECIAL = {letter: f"\\{letter}" for letter in "_%&#${}"} | {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    DAGGER: r"\dag{}",
}  # fmt: skip


def terminal(table: Table) -> str:
    """Columns lined up, a line under the headings and above the averages; then the notes."""
    heads = [[c.group for c in table.columns], [c.name for c in table.columns]]
    body = table.texts()
    widths = [max(len(row[k]) for row in [heads[1], *body]) for k in range(len(table.columns))]
    for first, last, group in _groups(table.columns):
        lacking = len(group) - sum(widths[first:last]) - 2 * (last - first - 1)
        widths[last - 1] += max(0, lacking)
    lines = [table.title, ""]
    if any(heads[0]):
        spans = [
            group.rjust(sum(widths[first:last]) + 2 * (last - first - 1))
            for first, last, group in _groups(table.columns)
        ]
        lines.append("  ".join(spans).rstrip())
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    lines += [_aligned(heads[1], widths), rule]
    lines += [_aligned(row, widths) for row in body]
    if table.average:
        lines.insert(-1, rule)
    lines += [row for note in table.notes for row in ("", *wrap(note, max(len(rule), NARROW)))]
    return "\n".join(lines) + "\n"


def markdown(table: Table) -> str:
    """A table of GitHub's kind."""
    names = [f"{c.group} {c.name}".strip() for c in table.columns]
    lines = [f"**{table.title}**", "", _piped(names)]
    lines.append(_piped([":---", *["---:"] * (len(names) - 1)]))
    lines += [_piped([cell.replace("|", "\\|") for cell in row]) for row in table.texts()]
    lines += [line for note in table.notes for line in ("", note)]
    return "\n".join(lines) + "\n"


def latex(table: Table) -> str:
    """A table environment; needs the package booktabs."""
    lines = [
        r"\begin{table}",
        rf"\caption{{{_escaped(table.title)}}}",
        rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        r"\toprule",
    ]
    groups = _groups(table.columns)
    if any(group for _, _, group in groups):
        heads = [
            rf"\multicolumn{{{last - first}}}{{c}}{{{_escaped(group)}}}"
            for first, last, group in groups
        ]
        lines.append(" & ".join(heads) + r" \\")
        rules = [rf"\cmidrule(lr){{{a + 1}-{b}}}" for a, b, group in groups if group]
        lines.append(" ".join(rules))
    lines += [_celled(c.name for c in table.columns), r"\midrule"]
    body = [_celled(row) for row in table.texts()]
    if table.average:
        body.insert(-1, r"\midrule")
    notes = [rf"\par\footnotesize {_escaped(note)}" for note in table.notes]
    ends = [r"\bottomrule", r"\end{tabular}", *notes, r"\end{table}"]
    return "\n".join([*lines, *body, *ends]) + "\n"


def comma_separated(tables: Iterable[Table]) -> str:
    """All figures unrounded in one list, for other programs; averages are left to them.

    The last column says which figures of the row no solution can have.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for table in tables:
        for row in table.rows:
            for first, last, method in _groups(table.columns):
                if method:
                    names = [c.name for c in table.columns[first:last]]
                    figures = dict(zip(names, row[first:last], strict=True))
                    found = [figures.get(name) for name in ("cost", "gap", "s")]
                    marks = _marks(best_known=row[1], cost=found[0], gap_to_best_known=found[1])
                    writer.writerow([table.title, row[0], row[1], method, *found, marks])
    return text.getvalue()


FORMATS: dict[str, Callable[[Table], str]] = {
    "terminal": terminal,
    "markdown": markdown,
    "latex": latex,
}


def _marks(**values: Value) -> str:
    return " ".join(name for name, value in values.items() if isinstance(value, Impossible))


def _groups(columns: tuple[Column, ...]) -> list[tuple[int, int, str]]:
    """From which column to before which one a heading goes."""
    groups, first = [], 0
    for group, members in groupby(columns, key=lambda c: c.group):
        last = first + len(list(members))
        groups.append((first, last, group))
        first = last
    return groups


def _aligned(row: list[str], widths: list[int]) -> str:
    first, *rest = (
        cell.rjust(width) if k else cell.ljust(width)
        for k, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join([first, *rest]).rstrip()


def _piped(row: list[str]) -> str:
    return f"| {' | '.join(row)} |"


def _celled(row: Iterable[str]) -> str:
    return " & ".join(_escaped(cell) for cell in row) + r" \\"


def _escaped(text: str) -> str:
    return "".join(SPECIAL.get(letter, letter) for letter in text)
