"""Pieces that respect the rules of splitting, from those of any rule.

Whichever pieces of a customer share a route, what it receives there is admissible: every piece is
at least `min_drop`, a multiple of the lot but for one that has the rest as well, and there are at
most `max_visits` of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from splitroute.errors import InputError
from splitroute.instance import Customer, Instance
from splitroute.instance.customers import customer_name
from splitroute.instance.feasibility import Feasibility
from splitroute.split_plan import SplitPlan


def admissible(plan: SplitPlan) -> SplitPlan:
    """Return the split plan with admissible pieces; it is the same if any pieces are allowed.

    With rules, pieces are whole units: when fractions are rounded at merging, neither lots nor
    the times that depend on quantities would be kept.
    """
    instance = plan.instance
    if plan.free or (instance.splittable and not instance.rules):
        return plan
    feasibility, kinds = Feasibility(instance), instance.vehicle_types
    pieces = tuple(
        _adjusted(
            instance,
            number,
            max((kinds[k].capacity for k in feasibility.usable_types(number)), default=0),
            _whole(sizes, plan.scale),
        )
        for number, sizes in enumerate(plan.pieces, 1)
    )
    return replace(plan, pieces=pieces, scale=1, direct_loads=())


def _whole(sizes: Sequence[int], scale: int) -> list[int]:
    """Pieces in whole units: the sums of the first 1, 2, .. pieces are rounded."""
    if scale == 1:
        return list(sizes)
    total, before, pieces = 0, 0, []
    for size in sizes:
        total += size
        rounded = (2 * total + scale) // (2 * scale)
        pieces.append(rounded - before)
        before = rounded
    return [piece for piece in pieces if piece]


@dataclass(frozen=True, slots=True)
class _Rules:
    """What the pieces of a customer must be, in multiples of its lot; the rest is left over."""

    lots: int  # of the demand
    rest: int
    lot: int
    min_lots: int  # of a piece
    min_lots_with_rest: int
    max_lots: int
    max_lots_with_rest: int
    max_pieces: int

    def allow(self, pieces: list[int]) -> bool:
        """Whether these numbers of lots are admissible; the first piece has the rest as well."""
        if sum(pieces) != self.lots or len(pieces) > self.max_pieces or not pieces:
            return False
        first, *others = pieces
        if self.rest:
            fits = self.min_lots_with_rest <= first <= self.max_lots_with_rest
        else:
            fits = self.min_lots <= first <= self.max_lots
        return fits and all(self.min_lots <= n <= self.max_lots for n in others)

    def quantities(self, pieces: list[int]) -> tuple[int, ...]:
        first, *others = pieces
        return (first * self.lot + self.rest, *(n * self.lot for n in others))


def _adjusted(instance: Instance, number: int, capacity: int, sizes: list[int]) -> tuple[int, ...]:
    """Return admissible pieces of a customer, as close to the sizes as is simple."""
    customer = instance.customers[number - 1]
    demand = sum(sizes)
    if not demand or demand < customer.demand:  # from a solution that leaves some undelivered
        return tuple(sizes)
    is_splittable = instance.splittable and customer.splittable
    if demand <= capacity and (len(sizes) == 1 or not is_splittable):
        return (demand,)
    rules = _rules(customer, demand, capacity)
    if is_splittable:
        if pieces := _merged(rules, _in_lots(rules, sizes)):
            return rules.quantities(pieces)
        if demand <= capacity:
            return (demand,)
        if pieces := _even(rules):
            return rules.quantities(pieces)
    if instance.partial or customer.penalty is not None:
        return _as_much_as_possible(instance, customer, capacity)
    raise InputError(
        f"the demand of {customer_name(instance, number)} cannot be split into pieces that respect "
        "its rules",
        field="rule",
        value=customer.demand,
    )


def _rules(customer: Customer, demand: int, capacity: int) -> _Rules:
    lot, min_drop = customer.lot, customer.min_drop
    lots, rest = divmod(demand, lot)
    return _Rules(
        lots=lots,
        rest=rest,
        lot=lot,
        min_lots=max(1, -(-min_drop // lot)),
        min_lots_with_rest=max(0, -((rest - min_drop) // lot)),
        max_lots=capacity // lot,
        max_lots_with_rest=(capacity - rest) // lot,
        max_pieces=demand if customer.max_visits is None else customer.max_visits,
    )


def _in_lots(rules: _Rules, sizes: list[int]) -> list[int]:
    """The sizes as numbers of lots, at most as many as a vehicle holds."""
    total, before, pieces = 0, 0, []
    for size in sizes:
        total += size
        rounded = min(rules.lots, (2 * total + rules.lot) // (2 * rules.lot))
        full, more = divmod(rounded - before, max(1, rules.max_lots))
        pieces += [rules.max_lots] * full + [more]
        before = rounded
    pieces = [piece for piece in pieces if piece]
    if pieces:
        pieces[-1] += rules.lots - sum(pieces)
    return sorted(pieces)


def _merged(rules: _Rules, pieces: list[int]) -> list[int] | None:
    """Merge the smallest piece with the next smallest that has room, until all are admissible."""
    if rules.rest:
        pieces = [0, *pieces]  # the rest by itself
    while not rules.allow(pieces):
        if len(pieces) < 2:
            return None
        # The first piece has the rest; it is merged if it is too small, and else the smallest is.
        is_first = rules.rest > 0 and pieces[0] < rules.min_lots_with_rest
        k = 0 if is_first else min(range(1, len(pieces)), key=pieces.__getitem__)
        partners = [j for j in range(len(pieces)) if j != k and _fits(rules, pieces, k, j)]
        if not partners:
            return None
        j = min(partners, key=lambda j: (pieces[j], j))
        k, j = sorted((k, j))
        pieces = [*pieces[:k], pieces[k] + pieces[j], *pieces[k + 1 : j], *pieces[j + 1 :]]
    return pieces


def _fits(rules: _Rules, pieces: list[int], k: int, j: int) -> bool:
    has_rest = rules.rest and 0 in (k, j)
    return pieces[k] + pieces[j] <= (rules.max_lots_with_rest if has_rest else rules.max_lots)


def _even(rules: _Rules) -> list[int] | None:
    """As few pieces as possible, nearly equal."""
    if rules.max_lots < 1:
        return None
    fewest = -(-(rules.lots + bool(rules.rest)) // rules.max_lots)
    for count in range(max(1, fewest), min(rules.max_pieces, rules.lots + 1) + 1):
        # The piece with the rest is as small as it may be, or takes its share.
        share = rules.lots // count
        for first in (share, rules.min_lots_with_rest, rules.max_lots_with_rest):
            others = rules.lots - first
            if count == 1:
                pieces = [rules.lots]
            else:
                least, larger = divmod(others, count - 1)
                pieces = [first, *([least + 1] * larger), *([least] * (count - 1 - larger))]
            if rules.allow(pieces):
                return pieces
        if count * rules.min_lots > rules.lots + 1:
            return None
    return None


def _as_much_as_possible(instance: Instance, customer: Customer, capacity: int) -> tuple[int, ...]:
    """Full loads within the rules; the rest of the demand stays undelivered."""
    load = capacity // customer.lot * customer.lot
    if load < max(1, customer.min_drop):
        return ()
    max_visits = customer.max_visits if instance.splittable and customer.splittable else 1
    count = customer.demand // load
    return (load,) * (count if max_visits is None else min(count, max_visits))
