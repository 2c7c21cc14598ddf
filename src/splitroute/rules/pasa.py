"""PASA: powers of p, coarser the further a customer is from the depot.

N. Torkzaban, A. Gholami, J. S. Baras, B. Golden: PASA: A Priori Adaptive Splitting Algorithm for
the Split Delivery Vehicle Routing Problem. Algorithm 1 and equation (5).
"""

from collections import Counter
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from splitroute.distances import Floats
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.registry import check_choice
from splitroute.rules._change import make_change
from splitroute.split_plan import Level, SplitPlan, common_divisor

MAX_LEVELS = 100
# Relative; a customer on the border of a ring belongs to it despite rounding errors.
BORDER_TOLERANCE = 1e-9
PAPER = (2, 2, "width")  # base, levels and rings
AUTO_BASES = (2, 3, 4, 5)  # among which levels="auto" chooses
MORE_LEVELS = 2  # than s_max, at most


def run(
    instance: Instance, *, base: int = 2, levels: int | Literal["auto"] = 2, rings: str = "width"
) -> SplitPlan:
    """Split demands into powers of `base`, by `levels` rings of equal "width" or "count".

    With levels="auto", only `solve` can choose among the `candidates`.
    """
    _check_base(base)
    if levels == "auto":
        raise InputError(
            "levels 'auto' needs solve, which runs an engine to choose them; a split plan alone "
            "needs a number",
            field="levels",
            value=levels,
        )
    if not 1 <= levels <= MAX_LEVELS:
        raise InputError(
            f"levels is {levels}; it must be a whole number from 1 to {MAX_LEVELS}, or 'auto'",
            field="levels",
            value=levels,
        )
    check_choice(sorted(RINGS), "kind of rings", rings, field="rings")

    divisor, s_max = common_divisor(instance), _s_max(instance, base)
    # Level 1 is the furthest ring (the paper's SD6 example) and has the coarsest denominations.
    denominations = [
        [
            divisor * base**k
            for k in range(max(0, s_max - i) + 1)
            if divisor * base**k <= instance.capacity
        ]
        for i in range(levels)
    ]
    distances = instance.distances_from_depot()
    borders = RINGS[rings](distances[instance.demands[1:] > 0], levels)
    ring = np.searchsorted(borders * (1 + BORDER_TOLERANCE), distances)
    level_of = (levels - 1 - np.minimum(ring, levels - 1)).tolist()
    pieces = make_change(
        [c.demand for c in instance.customers], denominations, level_of, instance.capacity
    )
    num_customers = Counter(level for level, sizes in zip(level_of, pieces, strict=True) if sizes)
    summary = tuple(
        Level(tuple(sizes), num_customers[i], float(borders[levels - 1 - i]))
        for i, sizes in enumerate(denominations)
    )
    rule = f"pasa:p={base}:L={levels}" + (":rings=count" if rings == "count" else "")
    return SplitPlan(instance, rule, pieces, levels=summary, s_max=s_max)


def candidates(
    instance: Instance,
    *,
    levels: int | Literal["auto"] = 2,
    base: int | None = None,
    rings: str | None = None,
) -> list[dict[str, Any]]:
    """Options of `run` among which levels="auto" chooses: the paper's first, then by base.

    An option that is given is kept.
    """
    choices: list[dict[str, Any]] = []
    for p in AUTO_BASES if base is None else (base,):
        _check_base(p)
        max_levels = min(MAX_LEVELS, _s_max(instance, p) + MORE_LEVELS)
        choices += [
            {"base": p, "levels": count, "rings": kind}
            for count in (range(1, max_levels + 1) if levels == "auto" else (levels,))
            for kind in (sorted(RINGS, reverse=True) if rings is None else (rings,))
        ]
    return sorted(choices, key=lambda c: (c["base"], c["levels"], c["rings"]) != PAPER)


def _check_base(base: int) -> None:
    if base < 2:
        raise InputError(
            f"base is {base}; it must be a whole number of at least 2", field="base", value=base
        )


def _s_max(instance: Instance, base: int) -> int:
    """The largest exponent of the denominations."""
    demands = [c.demand for c in instance.customers if c.demand]
    if not demands:
        return 0
    return _nearest_log(Fraction(sum(demands), common_divisor(instance) * len(demands)), base)


def _equal_width(distances: Floats, levels: int) -> Floats:
    furthest = float(distances.max(initial=0.0))
    return furthest * np.arange(1, levels + 1, dtype=np.float64) / levels


def _equal_count(distances: Floats, levels: int) -> Floats:
    if not distances.size:
        return np.zeros(levels)
    last = -(-np.arange(1, levels + 1) * distances.size // levels) - 1
    return np.sort(distances)[last]


# Distances of the customers -> outer border of each ring, nearest ring first.
RINGS = {"width": _equal_width, "count": _equal_count}


def _nearest_log(mean: Fraction, base: int) -> int:
    """log_base(mean) to the nearest integer, halves up, without rounding errors."""
    power = 0
    while base ** (2 * power + 1) <= mean**2:
        power += 1
    return power
