"""PASA: powers of p, coarser the further a customer is from the depot.

N. Torkzaban, A. Gholami, J. S. Baras, B. Golden: PASA: A Priori Adaptive Splitting Algorithm for
the Split Delivery Vehicle Routing Problem. Algorithm 1 and equation (5).
"""

from collections import Counter
from fractions import Fraction

import numpy as np

from splitroute.distances import Floats
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.registry import one_of
from splitroute.split_plan import Level, SplitPlan, common_divisor, make_change

# Rings that are meant to meet exactly must not part over the last bit of a square root.
SLACK = 1 + 1e-9


def run(instance: Instance, *, base: int = 2, levels: int = 2, rings: str = "width") -> SplitPlan:
    """Each demand in powers of `base`, by `levels` rings of equal "width" or equal "count"."""
    if base < 2:
        raise InputError(
            f"the base is {base}; it is a whole number of at least 2", field="base", value=base
        )
    if not 1 <= levels <= 100:
        raise InputError(
            f"the number of levels is {levels}; it is a whole number from 1 to 100",
            field="levels",
            value=levels,
        )
    borders_of = RINGS[one_of(sorted(RINGS), "kind of rings", rings, field="rings")]

    step = common_divisor(instance)
    wanted = [c.demand for c in instance.customers if c.demand]
    s_max = _nearest_log(Fraction(sum(wanted), step * len(wanted)), base) if wanted else 0
    # Level 1 is the furthest ring (the paper's SD6 example) and has the coarsest denominations.
    coins = [
        [
            step * base**k
            for k in range(max(0, s_max - i) + 1)
            if step * base**k <= instance.capacity
        ]
        for i in range(levels)
    ]
    away = instance.from_depot()
    borders = borders_of(away[instance.demands[1:] > 0], levels)
    ring = np.minimum(np.searchsorted(borders * SLACK, away), levels - 1)
    labels = (levels - 1 - ring).tolist()
    pieces = make_change([c.demand for c in instance.customers], coins, labels, instance.capacity)
    members = Counter(label for label, sizes in zip(labels, pieces, strict=True) if sizes)
    facts = tuple(
        Level(tuple(purse), members[i], float(borders[levels - 1 - i]))
        for i, purse in enumerate(coins)
    )
    rule = f"pasa:p={base}:L={levels}" + (":rings=count" if rings == "count" else "")
    return SplitPlan(instance, rule, pieces, levels=facts, s_max=s_max)


def _equal_width(away: Floats, levels: int) -> Floats:
    furthest = float(away.max(initial=0.0))
    return furthest * np.arange(1, levels + 1, dtype=np.float64) / levels


def _equal_count(away: Floats, levels: int) -> Floats:
    if not away.size:
        return np.zeros(levels)
    last = -(-np.arange(1, levels + 1) * away.size // levels) - 1
    return np.sort(away)[last]


# From the distances of the customers to the outer border of each ring, nearest ring first.
RINGS = {"width": _equal_width, "count": _equal_count}


def _nearest_log(mean: Fraction, base: int) -> int:
    """log_base(mean) to the nearest whole number, halves up, without a rounding error."""
    power = 0
    while base ** (2 * power + 1) <= mean**2:
        power += 1
    return power
