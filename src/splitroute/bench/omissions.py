"""What tables and figures omit, and why, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from splitroute.bench.paper import paper
from splitroute.bench.results import Results

MAX_LISTED = 3  # instances listed by name even where they are a whole set


def group_by_reason(results: Results, reason_of: Callable[[str, str], str]) -> list[str]:
    """Return the instances that have a reason: `SD1, SD2 (no record: native)`.

    A whole set is abbreviated: `all 11 of SET-4 (no record: native)`.
    """
    groups: dict[str, dict[str, list[str]]] = {}
    for set_name, names in results.sets.items():
        for name in names:
            if reason := reason_of(set_name, name):
                groups.setdefault(reason, {}).setdefault(set_name, []).append(name)
    lines = []
    for reason, by_set in groups.items():
        parts = []
        for set_name, names in by_set.items():
            is_whole = names == results.sets[set_name] and len(names) > MAX_LISTED
            listed = ", ".join(names)
            parts.append(f"all {len(names)} of {set_name}" if set_name and is_whole else listed)
        lines.append(f"{', '.join(parts)} ({reason})")
    return lines


def missing_results(results: Results, set_name: str, name: str, methods: Iterable[str] = ()) -> str:
    """Return which methods have no result on an instance and why; empty if all have one."""
    groups: dict[str, list[str]] = {}
    for method in methods or results.successful_methods:
        if reason := results.missing_reason(set_name, name, method):
            groups.setdefault(reason, []).append(method)
    return "; ".join(f"{reason}: {', '.join(group)}" for reason, group in groups.items())


def missing_gaps(results: Results, set_name: str, name: str, methods: Iterable[str] = ()) -> str:
    """Return why a method has no gap on an instance; empty if all have one."""
    if results.reference_value(set_name, name) is None:
        return "no best known value"
    return missing_results(results, set_name, name, methods)


def mean_notes(results: Results) -> list[str]:
    """Return notes on what the mean gaps omit: instances, failed runs, seeds and methods."""
    notes = ["No instance has a gap for every method; the means are not comparable."]
    if results.common_instances:
        excluded = group_by_reason(results, partial(missing_gaps, results))
        notes = _note("Excluded from the means", excluded)
    failed = [
        f"{method} on {group}"
        for method in results.methods
        for group in group_by_reason(results, partial(results.failure_reasons, method=method))
    ]
    missing_seeds = [
        f"{method} on {group}"
        for method in results.methods
        for group in group_by_reason(results, partial(_missing_seeds, results, method))
    ]
    notes += _note("Failed runs", failed)
    notes += _note("Incomplete seeds", missing_seeds)
    return notes + _note("Not selected", results.unselected_methods)


def _missing_seeds(results: Results, method: str, set_name: str, name: str) -> str:
    cell = results.cell(set_name, name, method)
    total = len(results.seeds[method])
    done = len(cell.costs) + len(cell.failures) if cell else total
    return f"{done} of {total}" if done < total else ""


def table_notes(results: Results, set_name: str, shown: list[str], averaged: set[str]) -> list[str]:
    """Return notes on what the table of a set omits: methods, and rows of the averages."""
    absent = []
    for method in results.methods:
        if method not in shown:
            reasons = dict.fromkeys(
                results.missing_reason(set_name, name, method) for name in results.sets[set_name]
            )
            absent.append(f"{method} ({', '.join(reasons)})")

    def reason(owner: str, name: str) -> str:
        if owner != set_name or name in averaged:
            return ""
        in_paper = (set_name, name) in paper()
        missing = missing_gaps(results, set_name, name, shown)
        return missing or ("incomplete row" if in_paper else "not in the paper")

    notes = _note("Not in this table", absent)
    return notes + _note("Excluded from the averages", group_by_reason(results, reason))


def _note(subject: str, parts: list[str]) -> list[str]:
    return [f"{subject}: {'; '.join(parts)}."] if parts else []
