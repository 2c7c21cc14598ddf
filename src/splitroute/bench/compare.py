"""Statistical comparison of two methods over instances and seeds."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

from splitroute.bench.omissions import group_by_reason, missing_results
from splitroute.bench.results import Results
from splitroute.errors import InputError
from splitroute.registry import require
from splitroute.report import pluralize

COST_TOLERANCE = 1e-6  # relative difference of costs that counts as a draw, as for proven optima
SIGNIFICANCE_LEVEL = 0.05
MIN_DIFFERING = 6  # instances; with fewer, not even wins on all of them are significant


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first method against the second; differences in percent, negative if it is better."""

    first: str
    second: str
    metric: str
    instances: int
    wins: int
    draws: int
    losses: int
    mean_difference: float
    median_difference: float
    rank_sum: float  # of the signed ranks of the differences
    p_value: float  # two-sided
    excluded: tuple[str, ...] = ()  # instances without a common seed, with the reason

    @property
    def score(self) -> str:
        """Wins, draws and losses as text."""
        counts = ((self.wins, "win"), (self.draws, "draw"), (self.losses, "loss"))
        return ", ".join(pluralize(count, noun) for count, noun in counts)

    @property
    def is_testable(self) -> bool:
        """Whether enough instances differ for a significance test."""
        return self.wins + self.losses >= MIN_DIFFERING

    @property
    def p_text(self) -> str:
        """The p-value as text."""
        return "p < 0.0001" if self.p_value < 1e-4 else f"p = {self.p_value:.4f}"

    def summary(self) -> str:
        """The comparison as a few lines of text."""
        verdict = f"{self.p_text}; no significant difference at the 5 % level"
        if not self.is_testable:
            verdict = f"too few instances differ (at least {MIN_DIFFERING} needed)"
        elif self.p_value < SIGNIFICANCE_LEVEL:
            better = self.first if self.rank_sum < 0 else self.second
            verdict = f"{self.p_text}; {better} is better at the 5 % level"
        lines = [
            f"{self.first} vs. {self.second}, metric {self.metric}, "
            f"{pluralize(self.instances, 'instance')}, mean over common seeds",
            self.score,
            f"difference {self.mean_difference:+.3f} % (median {self.median_difference:+.3f} %)",
            f"Wilcoxon signed-rank test: {verdict}",
        ]
        if self.excluded:
            lines.append(f"excluded: {'; '.join(self.excluded)}")
        return "\n  ".join(lines)


def compare(results: Results, first: str, second: str) -> Comparison:
    """Compare two methods by the mean relative difference over common seeds on each instance."""
    require("scipy", "bench")
    from scipy.stats import rankdata, wilcoxon

    for method in (first, second):
        if method not in results.methods:
            raise InputError(
                f"no records of method {method!r} in metric {results.metric}; "
                f"known: {', '.join(results.methods)}",
                field="method",
                value=method,
            )
    outcomes = {
        (set_name, name): mean_difference(results, set_name, name, first, second)
        for set_name, names in results.sets.items()
        for name in names
    }
    raw = [difference for difference in outcomes.values() if isinstance(difference, float)]
    if not raw:
        message = f"{first} and {second} have no instance and seed in common"
        raise InputError(message, field="method", value=second)
    differences = [d if abs(d) > 100 * COST_TOLERANCE else 0.0 for d in raw]
    nonzero = [d for d in differences if d]
    p_value = float(wilcoxon(nonzero).pvalue) if nonzero else 1.0  # draws have no rank
    ranks = rankdata([abs(d) for d in nonzero])
    return Comparison(
        first,
        second,
        results.metric,
        len(differences),
        wins=sum(d < 0 for d in differences),
        draws=sum(d == 0 for d in differences),
        losses=sum(d > 0 for d in differences),
        mean_difference=statistics.fmean(differences),
        median_difference=statistics.median(differences),
        rank_sum=float(sum(math.copysign(r, d) for r, d in zip(ranks, nonzero, strict=True))),
        p_value=p_value,
        excluded=tuple(
            group_by_reason(
                results,
                lambda set_name, name: (
                    reason if isinstance(reason := outcomes[set_name, name], str) else ""
                ),
            )
        ),
    )


def mean_difference(
    results: Results, set_name: str, name: str, first: str, second: str
) -> float | str:
    """Return the mean difference in percent over common seeds, or why there is none."""
    a, b = results.cell(set_name, name, first), results.cell(set_name, name, second)
    if a is None or b is None:
        return missing_results(results, set_name, name, (first, second))
    if not (seeds := a.costs.keys() & b.costs.keys()):
        return "no seed in common"
    pairs = [(a.costs[seed], b.costs[seed]) for seed in sorted(seeds)]
    return 100 * statistics.fmean(x / y - 1 if y else 0.0 for x, y in pairs)
