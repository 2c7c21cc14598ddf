"""Records put in order: what each method reached on each instance."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from splitroute.bench.records import Record
from splitroute.bench.references import reference
from splitroute.errors import InputError
from splitroute.registry import one_of
from splitroute.report import by_number

REFERENCES = ("paper", "challenge", "own", "runs")


@dataclass(slots=True)
class Cell:
    """All runs of a method on an instance."""

    costs: dict[int, float] = field(default_factory=dict)  # by seed
    seconds: dict[int, float] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)  # what became of runs without an answer

    @property
    def cost(self) -> float:
        """Mean over the seeds."""
        return statistics.fmean(self.costs.values())

    @property
    def best(self) -> float:
        """The best of the seeds."""
        return min(self.costs.values())

    @property
    def time(self) -> float | None:
        """Mean seconds."""
        return statistics.fmean(self.seconds.values()) if self.seconds else None


class Runs:
    """The records of one metric; costs of two are never compared."""

    def __init__(
        self,
        metric: str,
        records: Iterable[Record],
        against: str | None = None,
        wanted: Sequence[str] = (),
    ) -> None:
        self.metric = metric
        self.against = against or ("challenge" if metric == "dimacs" else "paper")
        latest = {_key(record): record for record in records}
        self.records = [r for r in latest.values() if not wanted or r["method"] in wanted]
        self.unwanted = list(
            dict.fromkeys(
                r["method"] for r in latest.values() if wanted and r["method"] not in wanted
            )
        )
        self._wanted = wanted
        self._several = _several_limits(self.records)
        self._cells: dict[tuple[str, str, str], Cell] = {}
        for record in self.records:
            where = (record.get("set") or "", record["instance"], self.label(record))
            cell = self._cells.setdefault(where, Cell())
            cell.records.append(record)
            if record["status"] != "ok" or record["cost"] is None:
                cell.failed.append("no cost" if record["status"] == "ok" else record["status"])
                continue
            cell.costs[record["seed"]] = float(record["cost"])
            if record["seconds"] is not None:
                cell.seconds[record["seed"]] = float(record["seconds"])

    def label(self, record: Record) -> str:
        """The method's name, with its limit where there are several."""
        method = str(record["method"])
        return f"{method} ({_limit(record)})" if method in self._several else method

    @cached_property
    def methods(self) -> list[str]:
        """In the order in which they are wanted, or else of their first records."""
        found = {self.label(record): str(record["method"]) for record in self.records}
        rank = {method: k for k, method in enumerate(self._wanted)}
        return sorted(found, key=lambda label: rank.get(found[label], 0))

    @cached_property
    def answering(self) -> list[str]:
        """The methods that have an answer to anything."""
        found = {method for (_, _, method), cell in self._cells.items() if cell.costs}
        return [method for method in self.methods if method in found]

    @cached_property
    def conditions(self) -> str:
        """Limits and seeds of all runs in words."""
        limits = list(dict.fromkeys(_limit(record) for record in self.records))
        seeds = sorted({record["seed"] for record in self.records})
        span = f"{seeds[0]} to {seeds[-1]}" if len(seeds) > 2 else " and ".join(map(str, seeds))
        if seeds != list(range(seeds[0], seeds[-1] + 1)):
            span = ", ".join(map(str, seeds))
        limit = f"{limits[0]} per run, " if len(limits) == 1 and limits[0] else ""
        return f"{limit}{'seed' if len(seeds) == 1 else 'seeds'} {span}"

    @cached_property
    def sets(self) -> dict[str, list[str]]:
        """The instances of each set, SD2 before SD10."""
        sets: dict[str, set[str]] = {}
        for where, name, _ in self._cells:
            sets.setdefault(where, set()).add(name)
        return {where: sorted(sets[where], key=by_number) for where in sorted(sets)}

    def cell(self, where: str, instance: str, method: str) -> Cell | None:
        """The runs of a method on an instance, if any had an answer."""
        cell = self._cells.get((where, instance, method))
        return cell if cell is not None and cell.costs else None

    @cached_property
    def seeds(self) -> dict[str, set[int]]:
        """With which each method was run at all."""
        found: dict[str, set[int]] = {}
        for record in self.records:
            found.setdefault(self.label(record), set()).add(record["seed"])
        return found

    def failures(self, method: str) -> int:
        """How many of a method's runs came to nothing."""
        return sum(len(cell.failed) for (_, _, m), cell in self._cells.items() if m == method)

    def failed(self, where: str, instance: str, method: str) -> str:
        """What became of the runs that came to nothing; empty if there are none."""
        cell = self._cells.get((where, instance, method))
        return ", ".join(dict.fromkeys(cell.failed)) if cell else ""

    def lacks(self, where: str, instance: str, method: str) -> str:
        """Why a method has no answer to an instance; empty if it has one."""
        if self.cell(where, instance, method):
            return ""
        return self.failed(where, instance, method) or "no record"

    def source(self, where: str) -> str:
        """What the gaps of a set are to: the best of these runs if nothing else is known for it."""
        known = self.against != "runs" and any(
            reference(self.against, where, name, self.metric) for name in self.sets[where]
        )
        return self.against if known else "runs"

    def target(self, where: str, instance: str) -> float | None:
        """The value that gaps are measured against."""
        source = self._sources[where]
        if source == "runs":
            return self._best_of_runs.get((where, instance))
        return reference(source, where, instance, self.metric)

    @cached_property
    def _sources(self) -> dict[str, str]:
        return {where: self.source(where) for where in self.sets}

    @cached_property
    def common(self) -> list[tuple[str, str]]:
        """The instances for which every method has a gap, but for those without any answer."""
        found = [set(self.gaps(method)) for method in self.answering]
        return sorted(set.intersection(*found)) if found else []

    def mean_gap(self, method: str, where: str | None = None) -> float | None:
        """Over the instances that all methods have; over its own if there are none."""
        gaps = self.gaps(method, where)
        shared = [gaps[key] for key in self.common if key in gaps] if self.common else gaps.values()
        return statistics.fmean(shared) if shared else None

    @cached_property
    def _best_of_runs(self) -> dict[tuple[str, str], float]:
        best: dict[tuple[str, str], float] = {}
        for (where, name, _), cell in self._cells.items():
            if cell.costs:
                best[where, name] = min(best.get((where, name), cell.best), cell.best)
        return best

    def gap(self, where: str, instance: str, method: str) -> float | None:
        """Mean gap to best known in percent: how far the mean cost is above the target."""
        cell, target = self.cell(where, instance, method), self.target(where, instance)
        return 100 * (cell.cost / target - 1) if cell and target else None

    def gaps(self, method: str, where: str | None = None) -> dict[tuple[str, str], float]:
        """The mean gap of a method on every instance that it has an answer for."""
        found = {
            (each, name): self.gap(each, name, method)
            for each, names in self.sets.items()
            if where in (None, each)
            for name in names
        }
        return {key: gap for key, gap in found.items() if gap is not None}


def in_metrics(
    records: Iterable[Record], against: str | None = None, methods: Sequence[str] = ()
) -> list[Runs]:
    """The records of each metric by themselves; those of some methods only, and in their order."""
    by_metric: dict[str, list[Record]] = {}
    for record in records:
        by_metric.setdefault(str(record["metric"]), []).append(record)
    known = dict.fromkeys(str(r["method"]) for found in by_metric.values() for r in found)
    for method in methods:
        one_of(list(known), "method", method)
    found = [Runs(metric, rs, against, methods) for metric, rs in sorted(by_metric.items())]
    found = [runs for runs in found if runs.records]
    for runs in found:
        if against not in (None, "runs", *(runs.source(where) for where in runs.sets)):
            raise InputError(f"there are no values of {against!r} for these in {runs.metric}")
    return found


def _key(record: Record) -> object:
    names = ("set", "instance", "method", "metric", "seed")
    return record.get("key") or (*(record.get(name) for name in names), _limit(record))


def _limit(record: Record) -> str:
    limits = record.get("limit") or {}
    words = [f"{value:g} s" if k == "seconds" else f"{value} {k}" for k, value in limits.items()]
    return " ".join([*words, *(["passing"] if record.get("pass_through") else [])])


def _several_limits(records: list[Record]) -> set[str]:
    limits: dict[str, set[str]] = {}
    for record in records:
        limits.setdefault(str(record["method"]), set()).add(_limit(record))
    return {method for method, found in limits.items() if len(found) > 1}
