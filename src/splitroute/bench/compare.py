"""Whether one method is better than another, over instances and seeds."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

from splitroute.bench.omissions import instances, no_answer
from splitroute.bench.results import Runs
from splitroute.errors import InputError
from splitroute.registry import require
from splitroute.report import counted

SAME = 1e-6  # relative difference of costs that counts as none, as for proven optima
LEVEL = 0.05
FEWEST = 6  # differing instances: with less, not even wins on all are beyond chance at the level


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first method against the second; differences in percent, below 0 if it is better."""

    first: str
    second: str
    metric: str
    instances: int
    wins: int
    draws: int
    losses: int
    mean_difference: float
    median_difference: float
    ranks: float  # sum of the signed ranks of the differences
    p_value: float  # that such differences arise by chance, two-sided
    left_out: tuple[str, ...] = ()  # instances that only one has, or with other seeds

    @property
    def score(self) -> str:
        """Wins, draws and losses in words."""
        counts = ((self.wins, "win"), (self.draws, "draw"), (self.losses, "loss"))
        return ", ".join(counted(count, noun) for count, noun in counts)

    @property
    def tested(self) -> bool:
        """Whether enough instances differ for the test to say anything."""
        return self.wins + self.losses >= FEWEST

    @property
    def likely(self) -> str:
        """The p-value in words."""
        return "< 0.0001" if self.p_value < 1e-4 else f"= {self.p_value:.4f}"

    def text(self) -> str:
        """In words."""
        sign = "less" if self.mean_difference < 0 else "more"
        by = f"{abs(self.mean_difference):.3f} % {sign}" if self.mean_difference else "equal"
        tested = f"p {self.likely}; no clear difference at the 5 % level"
        if not self.tested:
            tested = f"too few instances differ; it takes {FEWEST} at least"
        elif self.p_value < LEVEL:
            better = self.first if self.ranks < 0 else self.second
            tested = f"p {self.likely}; {better} is better at the 5 % level"
        return (
            f"{self.first} against {self.second}, metric {self.metric}, "
            f"{counted(self.instances, 'instance')}, mean over common seeds\n"
            f"  {self.score}\n"
            f"  {by} on average, "
            f"median {self.median_difference:+.3f} %\n"
            f"  Wilcoxon's signed-rank test: {tested}"
        ) + (f"\n  left out: {'; '.join(self.left_out)}" if self.left_out else "")


def compare(runs: Runs, first: str, second: str) -> Comparison:
    """Paired by instance: the mean relative difference over the seeds that both have."""
    require("scipy", "bench")
    from scipy.stats import rankdata, wilcoxon

    for method in (first, second):
        if method not in runs.methods:
            known = ", ".join(runs.methods)
            raise InputError(f"no records of the method {method!r} ({runs.metric}); known: {known}")
    found = {
        (where, name): _difference(runs, where, name, first, second)
        for where, names in runs.sets.items()
        for name in names
    }
    differences = [each for each in found.values() if isinstance(each, float)]
    if not differences:
        raise InputError(f"{first} and {second} have no instance and seed in common")
    tied = [d if abs(d) > 100 * SAME else 0.0 for d in differences]
    p_value = float(wilcoxon(tied).pvalue) if any(tied) else 1.0
    clear = [d for d in tied if d]
    ranks = sum(
        math.copysign(r, d) for r, d in zip(rankdata([abs(d) for d in clear]), clear, strict=True)
    )
    return Comparison(
        first,
        second,
        runs.metric,
        len(tied),
        wins=sum(d < 0 for d in tied),
        draws=sum(d == 0 for d in tied),
        losses=sum(d > 0 for d in tied),
        mean_difference=statistics.fmean(tied),
        median_difference=statistics.median(tied),
        ranks=float(ranks),
        p_value=1.0 if math.isnan(p_value) else p_value,
        left_out=tuple(instances(runs, lambda where, name: _words(found[where, name]))),
    )


def _difference(runs: Runs, where: str, name: str, first: str, second: str) -> float | str:
    """In percent over the common seeds, or why there is none."""
    a, b = runs.cell(where, name, first), runs.cell(where, name, second)
    if a is None or b is None:
        return no_answer(runs, where, name, (first, second))
    if not (seeds := a.costs.keys() & b.costs.keys()):
        return "no seed in common"
    pairs = [(a.costs[seed], b.costs[seed]) for seed in sorted(seeds)]
    return 100 * statistics.fmean(x / y - 1 if y else 0.0 for x, y in pairs)


def _words(found: float | str) -> str:
    return found if isinstance(found, str) else ""
