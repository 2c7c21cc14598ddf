"""Fixed percentages of the capacity, as with coins.

P. Chen, B. Golden, X. Wang, E. Wasil: A novel approach to solve the split delivery vehicle routing
problem. International Transactions in Operational Research 24 (2017): the rules 20/10/5/1 and
25/10/5/1, in percent of the capacity.
"""

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import lcm

from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.rules._change import make_change
from splitroute.split_plan import Level, SplitPlan

MAX_DECIMALS = 4


def run(instance: Instance, *, coins: str = "20/10/5/1") -> SplitPlan:
    """Split each demand into these percentages of the capacity, largest first."""
    shares = [_parse_percent(text, coins) * instance.capacity for text in coins.split("/")]
    # A share need not be whole (1 % of 140 is 1.4), so pieces are counted in 1/scale of a unit.
    scale = lcm(*(share.denominator for share in shares))
    sizes = sorted({int(share * scale) for share in shares})
    demands = [customer.demand * scale for customer in instance.customers]
    pieces = make_change(demands, [sizes], [0] * len(demands), instance.capacity * scale)
    level = Level(tuple(sizes), len(demands))
    return SplitPlan(instance, f"coins:{coins}", pieces, scale, (level,))


def _parse_percent(text: str, coins: str) -> Fraction:
    try:
        share = Decimal(text)
        if not 0 < share <= 100 or -share.as_tuple().exponent > MAX_DECIMALS:  # type: ignore[operator]
            raise ValueError
    except (InvalidOperation, ValueError):
        raise InputError(
            f"{text!r} in coins {coins!r} is not a percentage of the capacity; coins are written "
            f"like 20/10/5/1, each above 0, at most 100, with up to {MAX_DECIMALS} decimals",
            field="coins",
            value=coins,
        ) from None
    return Fraction(share) / 100
