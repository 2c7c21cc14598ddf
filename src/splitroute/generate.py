"""Instances by construction: SET-1 exactly, and random ones in the manner of SET-2 and SET-3."""

import math
from fractions import Fraction

import numpy as np

from splitroute.errors import InputError
from splitroute.instance import MAX_QUANTITY, Instance

# SD1 to SD21: how many circles, and how many customers on each.
SET_1 = (
    (2, 4), (4, 4), (2, 8), (2, 12), (4, 8), (2, 16), (10, 4), (12, 4), (4, 12), (4, 16), (20, 4),
    (10, 8), (12, 8), (10, 12), (12, 12), (2, 72), (20, 8), (10, 16), (12, 16), (20, 12), (4, 72),
)  # fmt: skip

# The files were made with this value: with it all 21 agree to the last digit, with pi they do not.
PI_OF_SET_1 = 3.1415
SCALE_OF_SET_1 = 100

# The shares of the capacity between which SET-2 and SET-3 draw demands.
PAIRS = ((0.01, 0.1), (0.1, 0.3), (0.1, 0.5), (0.1, 0.9), (0.3, 0.7), (0.7, 0.9))
LAYOUTS = ("uniform", "clustered")

MOST_LOADS = 1000
SIDE = 100  # of the square that holds the customers of a random instance


def set1(number: int, rounded: bool = True) -> Instance:
    """SD<number> as its file has it, times 100 and rounded; else in true units, unrounded."""
    if not 1 <= number <= len(SET_1):
        raise InputError(f"SET-1 has no SD{number}; it has SD1 to SD{len(SET_1)}")
    circles, on_each = SET_1[number - 1]
    radius = 10.0 * (SCALE_OF_SET_1 if rounded else 1)
    places = [(0.0, 0.0)]
    for circle in range(1, circles + 1):
        for k in range(on_each):
            angle = 2 * PI_OF_SET_1 * k / on_each
            places.append((circle * radius * math.cos(angle), circle * radius * math.sin(angle)))
    if rounded:
        places = [(_nearest(x), _nearest(y)) for x, y in places]
    demands = [60, 90] * (circles * on_each // 2)
    return Instance.create(100, demands, places, name=f"SD{number}")


def random_instance(
    customers: int,
    *,
    capacity: int = 160,
    low: float = 0.1,
    high: float = 0.9,
    layout: str = "uniform",
    seed: int = 1,
) -> Instance:
    """Whole coordinates in a square around the depot, demands uniform from [low Q, high Q]."""
    if not 1 <= customers <= 1_000_000:
        raise InputError(
            f"{customers} customers; a random instance has 1 to 1,000,000",
            field="customers",
            value=customers,
        )
    if not 1 <= capacity <= MAX_QUANTITY:
        raise InputError(
            f"the capacity is {capacity}; it is a whole number from 1 to {MAX_QUANTITY}",
            field="capacity",
            value=capacity,
        )
    if not 0 <= low <= high <= MOST_LOADS or high == 0:
        raise InputError(
            f"demands from {low} Q to {high} Q; they rise from 0 to {MOST_LOADS} Q",
            field="high",
            value=high,
        )
    if not 0 <= seed < 2**31:
        raise InputError(
            f"the seed is {seed}; it is a whole number from 0 to {2**31 - 1}",
            field="seed",
            value=seed,
        )
    if layout not in LAYOUTS:
        raise InputError(
            f"unknown layout {layout!r}; known: {', '.join(LAYOUTS)}", field="layout", value=layout
        )
    draw = np.random.default_rng(seed)
    if layout == "uniform":
        xy = draw.integers(0, SIDE, size=(customers, 2), endpoint=True)
    else:
        centres = draw.uniform(0, SIDE, size=(max(2, round(math.sqrt(customers) / 2)), 2))
        around = centres[draw.integers(len(centres), size=customers)]
        spread = draw.normal(0, SIDE / 20, size=(customers, 2))
        xy = np.clip(np.rint(around + spread), 0, SIDE).astype(np.int64)
    # As fractions: 0.7 of 90 is 63, not the 62.99 of floating point.
    smallest = max(1, math.ceil(Fraction(str(low)) * capacity))
    largest = max(smallest, math.floor(Fraction(str(high)) * capacity))
    demands = draw.integers(smallest, largest, size=customers, endpoint=True).tolist()
    places = [(SIDE / 2, SIDE / 2), *map(tuple, xy.tolist())]
    name = f"{layout}-{customers}-{low:g}-{high:g}-{seed}"
    return Instance.create(capacity, demands, places, name=name)


def _nearest(value: float) -> float:
    return math.copysign(math.floor(abs(value) + 0.5), value) + 0.0
