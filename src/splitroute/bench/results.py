"""Results by instance and method, computed from records."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from splitroute.bench.best_known import reference_value
from splitroute.bench.records import Record
from splitroute.errors import InputError
from splitroute.registry import check_choice
from splitroute.report import natural_key

REFERENCES = ("paper", "challenge", "own", "literature", "runs")


@dataclass(slots=True)
class Cell:
    """All runs of a method on an instance."""

    costs: dict[int, float] = field(default_factory=dict)  # by seed
    seconds: dict[int, float] = field(default_factory=dict)  # by seed
    failures: list[str] = field(default_factory=list)  # status of each failed run

    @property
    def mean_cost(self) -> float:
        """Mean cost over the seeds."""
        return statistics.fmean(self.costs.values())

    @property
    def best_cost(self) -> float:
        """Lowest cost over the seeds."""
        return min(self.costs.values())

    @property
    def mean_seconds(self) -> float | None:
        """Mean time over the seeds."""
        return statistics.fmean(self.seconds.values()) if self.seconds else None


def instance_key(record: Record) -> tuple[str, str]:
    """Return set and name of the instance of a record."""
    return record.get("set") or "", record["instance"]


class Results:
    """The results of one metric; costs in different metrics are never compared."""

    def __init__(
        self,
        metric: str,
        records: Iterable[Record],
        reference: str | None = None,
        methods: Sequence[str] = (),
    ) -> None:
        self.metric = metric
        self.reference = reference or ("challenge" if metric == "dimacs" else "paper")
        self._is_default = reference is None
        latest = list({_key(record): record for record in records}.values())
        self.records = [r for r in latest if not methods or r["method"] in methods]
        self.unselected_methods = (
            list(dict.fromkeys(r["method"] for r in latest if r["method"] not in methods))
            if methods
            else []
        )
        self._selected_methods = methods
        self._methods_with_several_limits = _methods_with_several_limits(self.records)
        self._cells: dict[tuple[str, str, str], Cell] = {}
        for record in self.records:
            cell = self._cells.setdefault((*instance_key(record), self.label(record)), Cell())
            if record["status"] != "ok" or record["cost"] is None:
                cell.failures.append("no cost" if record["status"] == "ok" else record["status"])
                continue
            cell.costs[record["seed"]] = float(record["cost"])
            if record["seconds"] is not None:
                cell.seconds[record["seed"]] = float(record["seconds"])

    def label(self, record: Record) -> str:
        """Return the method of a record, with the limit if the method has several."""
        method = str(record["method"])
        if method in self._methods_with_several_limits:
            return f"{method} ({_limit_text(record)})"
        return method

    @cached_property
    def methods(self) -> list[str]:
        """Method labels, in the order selected or else of their first records."""
        labels = {self.label(record): str(record["method"]) for record in self.records}
        rank = {method: k for k, method in enumerate(self._selected_methods)}
        return sorted(labels, key=lambda label: rank.get(labels[label], 0))

    @cached_property
    def successful_methods(self) -> list[str]:
        """Methods with a valid solution of at least one instance."""
        successful = {method for (_, _, method), cell in self._cells.items() if cell.costs}
        return [method for method in self.methods if method in successful]

    @cached_property
    def conditions(self) -> str:
        """Limit and seeds of the runs as text."""
        limits = list(dict.fromkeys(_limit_text(record) for record in self.records))
        seeds = sorted({record["seed"] for record in self.records})
        text = ", ".join(map(str, seeds))
        if len(seeds) == seeds[-1] - seeds[0] + 1:
            two = " and ".join(map(str, seeds))
            text = f"{seeds[0]} to {seeds[-1]}" if len(seeds) > 2 else two
        limit = f"{limits[0]} per run, " if len(limits) == 1 and limits[0] else ""
        return f"{limit}{'seed' if len(seeds) == 1 else 'seeds'} {text}"

    @cached_property
    def sets(self) -> dict[str, list[str]]:
        """The instances of each set in natural order: SD2 before SD10."""
        sets: dict[str, set[str]] = {}
        for set_name, name, _ in self._cells:
            sets.setdefault(set_name, set()).add(name)
        return {set_name: sorted(sets[set_name], key=natural_key) for set_name in sorted(sets)}

    def cell(self, set_name: str, instance: str, method: str) -> Cell | None:
        """Return the runs of a method on an instance if any succeeded."""
        cell = self._cells.get((set_name, instance, method))
        return cell if cell is not None and cell.costs else None

    @cached_property
    def seeds(self) -> dict[str, set[int]]:
        """The seeds of each method."""
        seeds: dict[str, set[int]] = {}
        for record in self.records:
            seeds.setdefault(self.label(record), set()).add(record["seed"])
        return seeds

    def failure_count(self, method: str) -> int:
        """Return the number of failed runs of a method."""
        return sum(len(cell.failures) for (_, _, m), cell in self._cells.items() if m == method)

    def failure_reasons(self, set_name: str, instance: str, method: str) -> str:
        """Return the distinct statuses of failed runs; empty if none failed."""
        cell = self._cells.get((set_name, instance, method))
        return ", ".join(dict.fromkeys(cell.failures)) if cell else ""

    def missing_reason(self, set_name: str, instance: str, method: str) -> str:
        """Return why a method has no result on an instance; empty if it has one."""
        if self.cell(set_name, instance, method):
            return ""
        return self.failure_reasons(set_name, instance, method) or "no record"

    def reference_of(self, set_name: str) -> str:
        """Return the kind of reference of a set: `runs` where the chosen one has no values."""
        names = self.sets[set_name]

        def values(kind: str) -> list[float | None]:
            return [reference_value(kind, set_name, name, self.metric) for name in names]

        if self.reference != "runs" and any(values(self.reference)):
            return self.reference
        # Gaps of a set are comparable only if they refer to values of one kind.
        return "literature" if self._is_default and all(values("literature")) else "runs"

    def reference_value(self, set_name: str, instance: str) -> float | None:
        """Return the best known value that the gaps of an instance refer to."""
        kind = self._references[set_name]
        if kind == "runs":
            return self._best_costs.get((set_name, instance))
        return reference_value(kind, set_name, instance, self.metric)

    @cached_property
    def _references(self) -> dict[str, str]:
        return {set_name: self.reference_of(set_name) for set_name in self.sets}

    @cached_property
    def common_instances(self) -> list[tuple[str, str]]:
        """Set and name of the instances on which every successful method has a gap."""
        keys = [set(self.gaps(method)) for method in self.successful_methods]
        return sorted(set.intersection(*keys)) if keys else []

    def mean_gap(self, method: str, set_name: str | None = None) -> float | None:
        """Return the mean gap over common instances, or over the method's own if there are none."""
        gaps = self.gaps(method, set_name)
        if self.common_instances:
            gaps = {key: gaps[key] for key in self.common_instances if key in gaps}
        return statistics.fmean(gaps.values()) if gaps else None

    def mean_seconds(self, method: str) -> float | None:
        """Return the mean time over the instances on which the method succeeded."""
        times = [
            cell.mean_seconds
            for set_name, names in self.sets.items()
            for name in names
            if (cell := self.cell(set_name, name, method)) and cell.mean_seconds is not None
        ]
        return statistics.fmean(times) if times else None

    @cached_property
    def _best_costs(self) -> dict[tuple[str, str], float]:
        best: dict[tuple[str, str], float] = {}
        for (set_name, name, _), cell in self._cells.items():
            if cell.costs:
                lowest = best.get((set_name, name), cell.best_cost)
                best[set_name, name] = min(lowest, cell.best_cost)
        return best

    def gap(self, set_name: str, instance: str, method: str) -> float | None:
        """Return the gap to best known of the mean cost, in percent."""
        cell = self.cell(set_name, instance, method)
        reference = self.reference_value(set_name, instance)
        return 100 * (cell.mean_cost / reference - 1) if cell and reference else None

    def gaps(self, method: str, set_name: str | None = None) -> dict[tuple[str, str], float]:
        """Return the gap of a method on each instance that it has one for."""
        gaps = {
            (owner, name): self.gap(owner, name, method)
            for owner, names in self.sets.items()
            if set_name in (None, owner)
            for name in names
        }
        return {key: gap for key, gap in gaps.items() if gap is not None}


def results_by_metric(
    records: Iterable[Record], reference: str | None = None, methods: Sequence[str] = ()
) -> list[Results]:
    """Return the results of each metric, optionally of some methods in the order given."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(str(record["metric"]), []).append(record)
    known = dict.fromkeys(str(r["method"]) for group in groups.values() for r in group)
    for method in methods:
        check_choice(list(known), "method", method)
    by_metric = [
        results
        for metric, group in sorted(groups.items())
        if (results := Results(metric, group, reference, methods)).records
    ]
    for results in by_metric:
        if reference not in (None, "runs", *map(results.reference_of, results.sets)):
            raise InputError(
                f"reference {reference!r} has no values for these instances "
                f"in metric {results.metric}",
                field="reference",
                value=reference,
            )
    return by_metric


def _key(record: Record) -> object:
    names = ("set", "instance", "method", "metric", "seed")
    return record.get("key") or (*(record.get(name) for name in names), _limit_text(record))


def _limit_text(record: Record) -> str:
    limits = record.get("limit") or {}
    parts = [f"{value:g} s" if k == "seconds" else f"{value} {k}" for k, value in limits.items()]
    return ", ".join([*(["pass-through"] if record.get("pass_through") else []), *parts])


def _methods_with_several_limits(records: list[Record]) -> set[str]:
    limits: dict[str, set[str]] = {}
    for record in records:
        limits.setdefault(str(record["method"]), set()).add(_limit_text(record))
    return {method for method, texts in limits.items() if len(texts) > 1}
