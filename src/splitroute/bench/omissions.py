"""What tables and figures leave out, and why, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from splitroute.bench.references import paper
from splitroute.bench.results import Runs

FEW = 3  # instances that are always named one by one


def instances(runs: Runs, why: Callable[[str, str], str]) -> list[str]:
    """Those that have a reason, such as `SD1, SD2 (no record: native)`; large sets by name."""
    found: dict[str, dict[str, list[str]]] = {}
    for where, names in runs.sets.items():
        for name in names:
            if reason := why(where, name):
                found.setdefault(reason, {}).setdefault(where, []).append(name)
    said = []
    for reason, by_set in found.items():
        parts = []
        for where, names in by_set.items():
            whole = where and names == runs.sets[where] and len(names) > FEW
            parts.append(f"all {len(names)} of {where}" if whole else ", ".join(names))
        said.append(f"{', '.join(parts)} ({reason})")
    return said


def no_answer(runs: Runs, where: str, name: str, methods: Iterable[str] = ()) -> str:
    """Which methods have no answer to an instance, and why; empty if all have one."""
    found: dict[str, list[str]] = {}
    for method in methods or runs.answering:
        if reason := runs.lacks(where, name, method):
            found.setdefault(reason, []).append(method)
    return "; ".join(f"{reason}: {', '.join(those)}" for reason, those in found.items())


def no_gap(runs: Runs, where: str, name: str, methods: Iterable[str] = ()) -> str:
    """Why there is not a gap of every method on an instance; empty if there is."""
    if runs.target(where, name) is None:
        return "no best known value"
    return no_answer(runs, where, name, methods)


def of_means(runs: Runs) -> list[str]:
    """What the mean gaps do not count: instances, failed runs, methods not asked for."""
    said = ["No instance has a gap of every method; means over different ones do not compare."]
    if runs.common:
        said = _sentence("Left out of the means", instances(runs, partial(no_gap, runs)))
    failed = [
        f"{method} on {each}"
        for method in runs.methods
        for each in instances(runs, partial(runs.failed, method=method))
    ]
    said += _sentence("Runs without an answer", failed)
    fewer = [
        f"{method} on {each}"
        for method in runs.methods
        for each in instances(runs, partial(_fewer_seeds, runs, method))
    ]
    said += _sentence("Fewer seeds", fewer)
    return said + _sentence("Not asked for", runs.unwanted)


def _fewer_seeds(runs: Runs, method: str, where: str, name: str) -> str:
    cell = runs.cell(where, name, method)
    count = len(runs.seeds[method])
    done = len(cell.costs) + len(cell.failed) if cell else count
    return f"{done} of {count}" if done < count else ""


def of_table(runs: Runs, where: str, shown: list[str], averaged: set[str]) -> list[str]:
    """What the table of a set lacks: methods that have no answer there, rows not averaged."""
    absent = []
    for method in runs.methods:
        if method not in shown:
            reasons = dict.fromkeys(runs.lacks(where, n, method) for n in runs.sets[where])
            absent.append(f"{method} ({', '.join(reasons)})")

    def why(each: str, name: str) -> str:
        if each != where or name in averaged:
            return ""
        printed = "not every figure" if (where, name) in paper() else "not in the paper"
        return no_gap(runs, where, name, shown) or printed

    said = _sentence("Not in this table", absent)
    return said + _sentence("Not in the averages", instances(runs, why))


def _sentence(begin: str, parts: list[str]) -> list[str]:
    return [f"{begin}: {'; '.join(parts)}."] if parts else []
