"""Generated instances: SET-1 exactly, and random ones like those of SET-2 and SET-3."""

import math
from fractions import Fraction
from numbers import Integral

import numpy as np

from splitroute.distances import Integers
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.instance.checks import MAX_QUANTITY
from splitroute.registry import check_choice

# SD1 to SD21: number of circles, and of customers on each.
SET_1 = (
    (2, 4), (4, 4), (2, 8), (2, 12), (4, 8), (2, 16), (10, 4), (12, 4), (4, 12), (4, 16), (20, 4),
    (10, 8), (12, 8), (10, 12), (12, 12), (2, 72), (20, 8), (10, 16), (12, 16), (20, 12), (4, 72),
)  # fmt: skip

# All 21 files agree with this value to the last digit, but not with pi.
SET_1_PI = 3.1415
SET_1_SCALE = 100

# Demands of SET-2 and SET-3 are drawn from these ranges, as shares of the capacity.
DEMAND_RANGES = ((0.01, 0.1), (0.1, 0.3), (0.1, 0.5), (0.1, 0.9), (0.3, 0.7), (0.7, 0.9))
LAYOUTS = ("uniform", "clustered", "towns")
DEPOTS = {"centre": (0.5, 0.5), "corner": (0.0, 0.0)}  # as shares of the side
SPREADS = {"clustered": 1 / 20, "towns": 1 / 100}  # standard deviation, as a share of the side
MAX_SPREAD = 1 / 4

MAX_CUSTOMERS = 1_000_000
MAX_LOADS = 1000  # demand of one customer in multiples of the capacity
MAX_SEED = 2**31 - 1
MAX_DRAWS = 1000  # of places
DRAWS_BEFORE_WIDENING = 100  # then the towns are full, and grow with each further draw
WIDENING = 1.02
SIDE = 100  # of the square in which random customers lie, for every thousand of them


def set1(number: int, rounded: bool = True) -> Instance:
    """Return SD<number>, times 100 and rounded as in its file, or in true units and unrounded."""
    if not 1 <= number <= len(SET_1):
        raise InputError(
            f"SET-1 has no SD{number}; it has SD1 to SD{len(SET_1)}", field="number", value=number
        )
    circles, per_circle = SET_1[number - 1]
    radius = 10.0 * (SET_1_SCALE if rounded else 1)
    places = [(0.0, 0.0)]
    for circle in range(1, circles + 1):
        for k in range(per_circle):
            angle = 2 * SET_1_PI * k / per_circle
            places.append((circle * radius * math.cos(angle), circle * radius * math.sin(angle)))
    if rounded:
        places = [(_round_half_away(x), _round_half_away(y)) for x, y in places]
    demands = [60, 90] * (circles * per_circle // 2)
    return Instance.create(100, demands, places, name=f"SD{number}")


def random_instance(
    customers: int,
    *,
    capacity: int = 160,
    low: float = 0.1,
    high: float = 0.9,
    layout: str = "uniform",
    depot: str = "centre",
    seed: int = 1,
) -> Instance:
    """Return distinct integer coordinates and demands uniform in [low Q, high Q]."""
    _check_range("customers", customers, 1, MAX_CUSTOMERS)
    _check_range("capacity", capacity, 1, MAX_QUANTITY)
    if not 0 <= low <= high <= MAX_LOADS or high == 0:
        raise InputError(
            f"low is {low} and high is {high}; they must satisfy 0 <= low <= high <= {MAX_LOADS} "
            "and high > 0",
            field="high",
            value=high,
        )
    _check_range("seed", seed, 0, MAX_SEED)
    check_choice(LAYOUTS, "layout", layout)
    check_choice(tuple(DEPOTS), "depot", depot)
    side = SIDE * math.ceil(customers / 1000)
    random = np.random.default_rng(seed)
    xy = _distinct_places(customers, side, layout, random)
    # Exact: 0.7 of 90 is 63, not the 62.99 of floating point.
    min_demand = max(1, math.ceil(Fraction(str(low)) * capacity))
    max_demand = max(min_demand, math.floor(Fraction(str(high)) * capacity))
    demands = random.integers(min_demand, max_demand, size=customers, endpoint=True).tolist()
    x, y = DEPOTS[depot]
    places = [(x * side, y * side), *map(tuple, xy.tolist())]
    at = "" if depot == "centre" else f"-{depot}"
    name = f"{layout}{at}-{customers}-{low:g}-{high:g}-{seed}"
    return Instance.create(capacity, demands, places, name=name)


def _distinct_places(count: int, side: int, layout: str, random: np.random.Generator) -> Integers:
    """Return integer coordinates; a place that is taken is drawn again."""
    if layout != "uniform":
        centres = random.uniform(0, side, size=(max(2, round(math.sqrt(count) / 2)), 2))

    def draw(size: int, widening: float = 1.0) -> Integers:
        if layout == "uniform":
            return random.integers(0, side, size=(size, 2), endpoint=True)
        centre = centres[random.integers(len(centres), size=size)]
        spread = side * min(widening * SPREADS[layout], MAX_SPREAD)
        offset = random.normal(0, spread, size=(size, 2))
        return np.clip(np.rint(centre + offset), 0, side).astype(np.int64)

    xy = draw(count)
    for draws in range(MAX_DRAWS):
        _, first = np.unique(xy, axis=0, return_index=True)
        taken = np.ones(count, dtype=bool)
        taken[first] = False
        if not taken.any():
            break
        widening = WIDENING ** max(0, draws - DRAWS_BEFORE_WIDENING)
        xy[taken] = draw(int(taken.sum()), widening)
    return xy


def _check_range(field: str, value: int, low: int, high: int) -> None:
    is_int = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_int or not low <= value <= high:
        raise InputError(
            f"{field} is {value!r}; it must be a whole number from {low} to {high:,}",
            field=field,
            value=value,
        )


def _round_half_away(value: float) -> float:
    return math.copysign(math.floor(abs(value) + 0.5), value) + 0.0
