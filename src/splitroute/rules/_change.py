"""Greedy change-making: demands as sums of denominations."""

from collections.abc import Iterable, Sequence

from splitroute.errors import LimitError
from splitroute.split_plan import MAX_PIECES


def make_change(
    demands: Iterable[int], denominations: Sequence[Sequence[int]], levels: Iterable[int], load: int
) -> tuple[tuple[int, ...], ...]:
    """Split each demand into the denominations of its level, largest first, and a remainder.

    A demand above a vehicle's load is split into full loads first, as denominations need not add up
    to one.
    """
    coins = [sorted(sizes, reverse=True) for sizes in denominations]
    cache: dict[tuple[int, int], tuple[int, ...]] = {}
    pieces: list[tuple[int, ...]] = []
    total = 0
    for demand, level in zip(demands, levels, strict=True):
        loads, rest = divmod(demand, load) if demand > load else (0, demand)
        total += loads + _count(rest, coins[level])
        if total > MAX_PIECES:  # known before any of them is created
            raise LimitError(
                f"the split plan would have more than {MAX_PIECES:,} pieces; "
                "use a coarser rule or unit",
                field="rule",
                value=total,
            )
        key = (demand, level)
        if key not in cache:
            cache[key] = (load,) * loads + _change(rest, coins[level])
        pieces.append(cache[key])
    return tuple(pieces)


def _count(amount: int, coins: Sequence[int]) -> int:
    """Number of pieces that `_change` returns."""
    total = 0
    for coin in coins:
        count, amount = divmod(amount, coin)
        total += count
    return total + (amount > 0)


def _change(amount: int, coins: Sequence[int]) -> tuple[int, ...]:
    pieces: list[int] = []
    for coin in coins:
        count, amount = divmod(amount, coin)
        pieces += [coin] * count
    return tuple(pieces + [amount] * (amount > 0))
