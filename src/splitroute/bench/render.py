"""Tables as text: terminal, Markdown, LaTeX (booktabs) and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from itertools import groupby
from textwrap import wrap

from splitroute.bench.tables import DAGGER, BelowBound, Column, Table, Value

CSV_COLUMNS = (
    "table", "instance", "best_known", "method", "cost", "gap_to_best_known", "seconds",
    "below_bound",
)  # fmt: skip
MIN_NOTE_WIDTH = 80
LATEX_ESCAPES = {letter: f"\\{letter}" for letter in "_%&#${}"} | {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    DAGGER: r"\dag{}",
}  # fmt: skip


def terminal(table: Table) -> str:
    """Return aligned columns with rules below the headings and above the averages."""
    groups = _column_groups(table.columns)
    names = [column.name for column in table.columns]
    body = table.text_rows()
    widths = [max(len(row[k]) for row in [names, *body]) for k in range(len(names))]
    for first, last, group in groups:
        missing = len(group) - sum(widths[first:last]) - 2 * (last - first - 1)
        widths[last - 1] += max(0, missing)
    lines = [table.title, ""]
    if any(group for _, _, group in groups):
        headings = [
            group.rjust(sum(widths[first:last]) + 2 * (last - first - 1))
            for first, last, group in groups
        ]
        lines.append("  ".join(headings).rstrip())
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    lines += [_terminal_row(names, widths), rule]
    lines += [_terminal_row(row, widths) for row in body]
    if table.average:
        lines.insert(-1, rule)
    note_width = max(len(rule), MIN_NOTE_WIDTH)
    lines += [line for note in table.notes for line in ("", *wrap(note, note_width))]
    return "\n".join(lines) + "\n"


def markdown(table: Table) -> str:
    """Return a GitHub-flavoured Markdown table."""
    names = [f"{c.group} {c.name}".strip() for c in table.columns]
    lines = [f"**{table.title}**", "", _markdown_row(names)]
    lines.append(_markdown_row([":---", *["---:"] * (len(names) - 1)]))
    lines += [_markdown_row([c.replace("|", "\\|") for c in row]) for row in table.text_rows()]
    lines += [line for note in table.notes for line in ("", note)]
    return "\n".join(lines) + "\n"


def latex(table: Table) -> str:
    """Return a LaTeX table environment; it needs the package booktabs."""
    lines = [
        r"\begin{table}",
        rf"\caption{{{_escape_latex(table.title)}}}",
        rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        r"\toprule",
    ]
    groups = _column_groups(table.columns)
    if any(group for _, _, group in groups):
        headings = [
            rf"\multicolumn{{{last - first}}}{{c}}{{{_escape_latex(group)}}}"
            for first, last, group in groups
        ]
        lines.append(" & ".join(headings) + r" \\")
        rules = [rf"\cmidrule(lr){{{a + 1}-{b}}}" for a, b, group in groups if group]
        lines.append(" ".join(rules))
    lines += [_latex_row(c.name for c in table.columns), r"\midrule"]
    body = [_latex_row(row) for row in table.text_rows()]
    if table.average:
        body.insert(-1, r"\midrule")
    notes = [rf"\par\footnotesize {_escape_latex(note)}" for note in table.notes]
    ends = [r"\bottomrule", r"\end{tabular}", *notes, r"\end{table}"]
    return "\n".join([*lines, *body, *ends]) + "\n"


def csv_text(tables: Iterable[Table]) -> str:
    """Return all tables as one CSV: unrounded values, a line per instance and method, no averages.

    The last column names the values of the line that are below the proven lower bound.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for table in tables:
        for row in table.rows:
            for first, last, method in _column_groups(table.columns):
                if method:
                    names = [c.name for c in table.columns[first:last]]
                    values = dict(zip(names, row[first:last], strict=True))
                    cost, gap, seconds = (values.get(name) for name in ("cost", "gap", "s"))
                    marked = _below_bound(best_known=row[1], cost=cost, gap_to_best_known=gap)
                    writer.writerow(
                        [table.title, row[0], row[1], method, cost, gap, seconds, marked]
                    )
    return text.getvalue()


FORMATS: dict[str, Callable[[Table], str]] = {
    "terminal": terminal,
    "markdown": markdown,
    "latex": latex,
}


def _column_groups(columns: tuple[Column, ...]) -> list[tuple[int, int, str]]:
    """Return the range of columns of each group heading: first, last + 1, heading."""
    groups, first = [], 0
    for group, members in groupby(columns, key=lambda c: c.group):
        last = first + len(list(members))
        groups.append((first, last, group))
        first = last
    return groups


def _below_bound(**values: Value) -> str:
    return " ".join(name for name, value in values.items() if isinstance(value, BelowBound))


def _terminal_row(row: list[str], widths: list[int]) -> str:
    cells = (
        cell.rjust(width) if k else cell.ljust(width)
        for k, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join(cells).rstrip()


def _markdown_row(row: list[str]) -> str:
    return f"| {' | '.join(row)} |"


def _latex_row(row: Iterable[str]) -> str:
    return " & ".join(_escape_latex(cell) for cell in row) + r" \\"


def _escape_latex(text: str) -> str:
    return "".join(LATEX_ESCAPES.get(letter, letter) for letter in text)
