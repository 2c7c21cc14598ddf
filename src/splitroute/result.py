"""The result of a run: a validated solution and how it was found."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from splitroute.bounds.bound_progress import GAP_TOLERANCE, MAX_CUSTOMERS
from splitroute.formats import write
from splitroute.instance import Instance
from splitroute.progress import RaceEntry, TracePoint
from splitroute.report import (
    cost_text,
    distance_text,
    distances_text,
    json_number,
    percent_text,
    pluralize,
    solution_facts,
    user_quantity,
)
from splitroute.solution import Solution
from splitroute.solution.reasons import Undelivered, undelivered_texts
from splitroute.stop import Stop

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_UNDELIVERED_SHOWN = 20  # customers in the summary


@dataclass(frozen=True, repr=False)
class Result:
    """A validated solution and how it was found."""

    instance: Instance
    solution: Solution
    cost: float
    seconds: float
    rule: str
    engine: str
    seed: int
    stop: Stop
    pieces: int
    trace: tuple[TracePoint, ...]  # seconds, cost and iterations of each improvement
    race: tuple[RaceEntry, ...] = ()  # of split plans, heat by heat, if there was one
    undelivered: tuple[Undelivered, ...] = ()  # by customer, with the reason
    unsplit: Solution | None = None  # solution without splitting, if requested
    unsplit_cost: float | None = None
    baseline_seconds: float = 0.0  # spent on it, after the search
    bound: float = 0.0  # lower bound
    bound_trace: tuple[tuple[float, float], ...] = ()  # (seconds, bound) of each improvement
    bound_seconds: float = 0.0  # spent on it, in parallel to the search if possible
    bound_rules: frozenset[str] = frozenset()  # that the bound takes into account,
    bound_relaxed: frozenset[str] = frozenset()  # and those in use that it ignores
    versions: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        routes = pluralize(len(self.solution.routes), "route")
        return f"<Result: cost {cost_text(self.cost)}, {routes}, {self.rule}+{self.engine}>"

    def _repr_html_(self) -> str:
        from splitroute.plots.html import result_html

        return result_html(self)

    def stops(self, library: str | None = None) -> Any:
        """Return a data frame with a row per visit.

        `library` is "pandas", "polars" or "pyarrow"; by default that of the instance's data frame,
        or else the first of them that is installed.
        """
        from splitroute.formats._visit_rows import visit_rows
        from splitroute.formats._write_dataframe import check_library, to_dataframe

        check_library(library)
        rows = visit_rows(self.instance, self.solution, with_undelivered=False)
        return to_dataframe(rows, self.instance, library)

    def routes(self, library: str | None = None) -> Any:
        """Return a data frame with a row per route; `library` is as in `stops`."""
        from splitroute.formats._visit_rows import route_rows
        from splitroute.formats._write_dataframe import check_library, to_dataframe

        check_library(library)
        return to_dataframe(route_rows(self.instance, self.solution), self.instance, library)

    def plot(self, ax: Axes | None = None) -> Figure:
        """Return a figure of matplotlib with a map of the routes, which notebooks show.

        With `ax` the map is drawn into these axes, without a legend.
        """
        from splitroute.plots.routes import draw_routes

        return draw_routes(self.instance, self.solution, axes=ax)

    def save(self, path: str | os.PathLike[str], *, format: str | None = None) -> None:
        """Write the solution, and how it was found if the format has a place for it."""
        about = self.metadata()
        write(self.solution, path, instance=self.instance, about=about, format=format)

    @property
    def saving(self) -> float | None:
        """Share of the cost without splitting that splitting saves, if that was computed."""
        return 1 - self.cost / self.unsplit_cost if self.unsplit_cost else None

    @property
    def has_baseline(self) -> bool:
        """Whether a solution without splitting was searched for, found or not."""
        return self.baseline_seconds > 0

    @property
    def gap(self) -> float:
        """Optimality gap: (cost - bound) / cost."""
        return max(0.0, 1 - self.bound / self.cost) if self.cost else 0.0

    @property
    def optimal(self) -> bool:
        """Whether the solution is proven optimal, up to a relative tolerance of one millionth."""
        customers = self.instance.customers
        # There is no proof that no more of the mandatory demand can be delivered.
        is_complete = all(customers[i.customer - 1].penalty is not None for i in self.undelivered)
        return is_complete and self.gap <= GAP_TOLERANCE

    @property
    def bound_can_improve(self) -> bool:
        """Whether `bound` seconds, of which none were spent, could give a tighter bound."""
        is_small = len(self.instance.customers) <= MAX_CUSTOMERS
        has_time = self.bound_seconds > 0
        # The relaxation is over mandatory demand.
        has_mandatory = any(c.penalty is None for c in self.instance.customers)
        has_relaxation = has_mandatory and not self.instance.partial
        is_tight = has_time or self.optimal
        return self.bound > 0 and is_small and has_relaxation and not is_tight

    def metadata(self) -> dict[str, object]:
        """How the solution was found, as it is written into files."""
        limits = {k: v for k, v in asdict(self.stop).items() if v is not None}
        return {
            "rule": self.rule,
            "engine": self.engine,
            "seed": self.seed,
            "stop": limits,
            "seconds": round(self.seconds, 3),
            "baseline_seconds": round(self.baseline_seconds, 3),
            "pieces": self.pieces,
            "visits": self.solution.num_visits,
            "split_customers": len(self.solution.split_customers()),
            "bound": json_number(self.bound),
            "bound_seconds": round(self.bound_seconds, 3),
            **self.bound_metadata(),
            "gap": self.gap,
            "optimal": self.optimal,
            **self._baseline_metadata(),
            **self._race_metadata(),
            "versions": dict(self.versions),
        }

    def _baseline_metadata(self) -> dict[str, object]:
        if not self.has_baseline:
            return {}
        return {"unsplit_cost": self.unsplit_cost, "saving": self.saving}

    def _race_metadata(self) -> dict[str, object]:
        if not self.race:
            return {}
        entries = (entry._replace(seconds=round(entry.seconds, 3)) for entry in self.race)
        return {"race": [entry._asdict() for entry in entries]}

    def bound_metadata(self) -> dict[str, object]:
        """The rules that the bound takes into account, and those that it ignores."""
        if not self.instance.rules:
            return {}
        return {
            "bound_rules": sorted(self.bound_rules),
            "bound_relaxed": sorted(self.bound_relaxed),
        }

    def facts(self) -> list[tuple[str, str]]:
        """(name, text) of each figure."""
        instance, solution = self.instance, self.solution
        load = sum(route.load for route in solution.routes)
        types = instance.vehicle_types
        room = sum(types[route.vehicle_type].capacity for route in solution.routes)
        customers = pluralize(len(instance.customers), "customer")
        rows = [
            ("instance", f"{instance.name or '(no name)'}, {customers}"),
            ("cost", f"{distance_text(instance, self.cost)} ({instance.metric})"),
            ("distances", distances_text(instance)),
            ("lower bound", self.bound_text()),
            ("routes", f"{len(solution.routes):,}"),
            ("visits", f"{solution.num_visits:,}"),
            ("split customers", f"{len(solution.split_customers()):,}"),
            ("vehicle fill", f"{100 * load / room:.1f} %" if room else "-"),
            ("time", self._time_text()),
            ("method", f"{self.rule}+{self.engine}, seed {self.seed}"),
        ]
        if instance.rules or instance.has_times:
            position = [name for name, _ in rows].index("vehicle fill") + 1
            rows[position:position] = solution_facts(instance, solution)
        if instance.unit != 1:
            rows.insert(1, ("unit", f"{instance.unit}; quantities are multiples of it"))
        if self.rule != "free":
            rows.append(("pieces", f"{self.pieces:,}"))
        if self.race:
            rows.append(("race", self._race_text()))
        rows += self._undelivered_rows()
        if self.unsplit_cost is not None and self.saving is not None:
            unsplit = distance_text(instance, self.unsplit_cost)
            rows.append(("saving", f"{100 * self.saving:.1f} % of {unsplit} without splitting"))
        elif self.has_baseline and self.unsplit is None:
            rows.append(("without splitting", self._no_baseline_text()))
        return rows

    def _race_text(self) -> str:
        """The winner of the race and the runner-up, with their costs in the last heat."""
        last = [entry for entry in self.race if entry.heat == self.race[-1].heat]
        winner, *others = sorted(last, key=lambda entry: (entry.rule != self.rule, entry.cost))
        text = f"{pluralize(len({e.rule for e in self.race}), 'split plan')}, {winner.rule} wins"
        costs = [cost_text(winner.cost)]
        costs += [f"runner-up {e.rule}, {cost_text(e.cost)}" for e in others[:1]]
        return f"{text} ({'; '.join(costs)})"

    def _no_baseline_text(self) -> str:
        fleet = "with this fleet" if self.instance.rules else "in the time given"
        what = "that delivers as much " if self.instance.partial else ""
        return f"no solution {what}found {fleet}"

    def _undelivered_rows(self) -> list[tuple[str, str]]:
        """The total undelivered, and a row per customer."""
        if not self.undelivered:
            return []
        total = user_quantity(self.instance, sum(item.quantity for item in self.undelivered))
        customers = pluralize(len(self.undelivered), "customer")
        lines = undelivered_texts(self.instance, self.undelivered[:MAX_UNDELIVERED_SHOWN])
        if len(self.undelivered) > len(lines):
            lines.append(f"and {len(self.undelivered) - len(lines):,} more")
        return [("undelivered", f"{total:,} of {customers}"), *(("", line) for line in lines)]

    def bound_text(self) -> str:
        """The lower bound and the optimality gap."""
        if not self.bound and not self.optimal:
            return "none"
        bound = distance_text(self.instance, self.bound)
        if self.optimal:
            return f"{bound}, optimal (proven)"
        hint = f"; ignores {', '.join(sorted(self.bound_relaxed))}" if self.bound_relaxed else ""
        if len(self.instance.customers) > MAX_CUSTOMERS:
            hint += f"; tighter bounds need at most {MAX_CUSTOMERS:,} customers"
        return f"{bound} ({self.gap_text()}{hint})"

    def gap_text(self) -> str:
        """The optimality gap in percent."""
        return f"optimality gap {percent_text(self.gap)}"

    def _time_text(self) -> str:
        parts = {"search": self.seconds}
        if self.has_baseline:
            parts["baseline"] = self.baseline_seconds
        if self.bound_seconds:
            parts["lower bound"] = self.bound_seconds
        return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in parts.items())

    def summary(self) -> str:
        """The figures, one per line."""
        return "\n".join(
            f"{name:>17}{':' if name else ' '} {value}" for name, value in self.facts()
        )
