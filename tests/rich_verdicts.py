"""How the search compares with brute force on one tiny instance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import splitroute as sr
from rich_instances import rich_instance
from rich_oracle import optimum
from splitroute.errors import InfeasibleError
from splitroute.solution import rank
from splitroute.validation import Claims, validate

TOLERANCE = 1e-6
# From good to bad: only the first two are allowed.
KINDS = ("equal", "worse", "better", "invalid", "failed")


class Verdict(NamedTuple):
    """What the search found for a seed."""

    seed: int
    kind: str
    message: str


def judge(seed: int, iterations: int, **how: Any) -> Verdict:
    """Return how a search compares; what cannot be delivered may stay undelivered."""
    instance = rich_instance(seed)
    best = optimum(instance)
    if best.undelivered:
        instance = replace(instance, partial=True)
    stop = sr.Stop(iterations=iterations)
    try:
        result = sr.solve(instance, stop=stop, seed=seed, bound=0, **how)
    except InfeasibleError as error:
        return Verdict(seed, "worse", str(error))
    except Exception as error:
        return Verdict(seed, "failed", f"{type(error).__name__}: {error}")
    found = rank(instance, result.solution)
    message = f"found {found}, optimal {best[:2]}, rules {', '.join(sorted(instance.rules))}"
    if violations := validate(instance, result.solution, Claims(found[1])):
        return Verdict(seed, "invalid", f"{violations[0].message}; {message}")
    return Verdict(seed, _kind(found, best[:2]), message)


def _kind(found: tuple[int, float], best: tuple[int, float]) -> str:
    if found[0] != best[0]:
        return "better" if found[0] < best[0] else "worse"
    if abs(found[1] - best[1]) <= TOLERANCE * max(1.0, abs(best[1])):
        return "equal"
    return "better" if found[1] < best[1] else "worse"
