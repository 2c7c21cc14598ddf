"""A validated solution and how it came about."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from splitroute.bounds.bound import GAP_TOLERANCE, MAX_CUSTOMERS
from splitroute.instance import Instance
from splitroute.report import cost_text, counted, length_text, number, share_text
from splitroute.solution import Solution
from splitroute.stop import Stop


@dataclass(frozen=True, repr=False)
class Result:
    """A validated solution and how it came about."""

    instance: Instance
    solution: Solution
    cost: float
    seconds: float
    rule: str
    engine: str
    seed: int
    stop: Stop
    pieces: int
    trace: tuple[tuple[float, float], ...]  # (seconds, cost) of each improvement
    unsplit: Solution | None = None  # the same without splitting, if it was asked for
    unsplit_cost: float | None = None
    baseline_seconds: float = 0.0  # that were spent on it, after the search
    bound: float = 0.0  # no solution costs less
    bound_trace: tuple[tuple[float, float], ...] = ()  # (seconds, bound) of each improvement
    bound_seconds: float = 0.0  # that were spent on it, beside the search where that was possible
    versions: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        routes = counted(len(self.solution.routes), "route")
        return f"<Result: cost {cost_text(self.cost)}, {routes}, {self.rule}+{self.engine}>"

    @property
    def saving(self) -> float | None:
        """Share of the cost without splitting that splitting saves, if both are known."""
        return 1 - self.cost / self.unsplit_cost if self.unsplit_cost else None

    @property
    def gap(self) -> float:
        """Gap to the lower bound: share of the cost that a better solution could save at most."""
        return max(0.0, 1 - self.bound / self.cost) if self.cost else 0.0

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no solution costs less, to a millionth."""
        return self.gap <= GAP_TOLERANCE

    def about(self) -> dict[str, object]:
        """How the solution came about, as it is written into files."""
        limits = {k: v for k, v in asdict(self.stop).items() if v is not None}
        return {
            "rule": self.rule,
            "engine": self.engine,
            "seed": self.seed,
            "stop": limits,
            "seconds": round(self.seconds, 3),
            "baseline_seconds": round(self.baseline_seconds, 3),
            "pieces": self.pieces,
            "bound": number(self.bound),
            "bound_seconds": round(self.bound_seconds, 3),
            "gap": self.gap,
            "optimal": self.optimal,
            "versions": dict(self.versions),
        }

    def facts(self) -> list[tuple[str, str]]:
        """The figures, named, in the order in which people ask for them."""
        instance, solution = self.instance, self.solution
        load = sum(route.load for route in solution.routes)
        room = len(solution.routes) * instance.capacity
        customers = counted(len(instance.customers), "customer")
        rows = [
            ("instance", f"{instance.name or '(no name)'}, {customers}"),
            ("cost", f"{length_text(instance, self.cost)}  ({instance.metric})"),
            ("lower bound", self.bound_text()),
            ("routes", f"{len(solution.routes):,}"),
            ("visits", f"{solution.visits:,}"),
            ("split customers", f"{len(solution.split_customers()):,}"),
            ("vehicle fill", f"{100 * load / room:.1f} %" if room else "-"),
            ("time", self._time_text()),
            ("method", f"{self.rule}+{self.engine}, seed {self.seed}"),
        ]
        if instance.unit != 1:
            rows.insert(1, ("unit", f"{instance.unit}, of which all quantities are multiples"))
        if self.rule != "free":
            rows.append(("pieces", f"{self.pieces:,}"))
        if self.unsplit_cost is not None and self.saving is not None:
            unsplit = cost_text(self.unsplit_cost)
            rows.append(("saving", f"{100 * self.saving:.1f} % of {unsplit} without splitting"))
        return rows

    def bound_text(self) -> str:
        """What is known of how much could be saved."""
        if self.optimal:
            return "met: this is optimal"
        if not self.bound:
            return "none known"
        words = f"{length_text(self.instance, self.bound)}: {self.gap_text()}"
        if len(self.instance.customers) > MAX_CUSTOMERS:
            return f"{words} (rough; better ones are for up to {MAX_CUSTOMERS:,} customers)"
        return words if self.bound_seconds else f"{words} (rough; bound=10 for a better one)"

    def gap_text(self) -> str:
        """How much a better solution could save."""
        share = share_text(self.gap)
        return f"{share} can be saved" if "less" in share else f"at most {share} can be saved"

    def _time_text(self) -> str:
        parts = [f"{self.seconds:.1f} s"]
        parts += [f"{self.baseline_seconds:.1f} s without splitting"] * (self.unsplit is not None)
        parts += [f"{self.bound_seconds:.1f} s for the bound"] * bool(self.bound_seconds)
        return ", and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:2])}, and {parts[2]}"

    def summary(self) -> str:
        """The figures, one a line."""
        return "\n".join(f"{name:>16}: {value}" for name, value in self.facts())
