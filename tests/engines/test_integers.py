"""Costs in integers, for solvers that need them."""

import pytest

from splitroute import Instance
from splitroute.engines._integers import MAX_COST, IntegerModel
from splitroute.instance import VehicleType

PLACES = [(0.0, 0.0), (3.0, 4.0), (6.0, 8.0)]


def model(penalty: float | None, unit: float = 1, **costs: float) -> tuple[Instance, IntegerModel]:
    kind = VehicleType("van", 10, **costs)  # type: ignore[arg-type]
    instance = Instance.create(
        None, [1, 2], PLACES, vehicles=[kind], penalty=[penalty, None], unit=unit, metric="dimacs"
    )
    return instance, IntegerModel(instance)


def test_whole_costs_are_not_scaled() -> None:
    _, numbers = model(3, fixed_cost=7)
    assert numbers.cost_scale == 1


@pytest.mark.parametrize(
    ("penalty", "unit", "fixed_cost"), [(4.4, 1, 0.4), (4, 0.25, 7), (1 / 3, 1, 0), (None, 1, 0.05)]
)
def test_costs_paid_once_are_kept(penalty: float | None, unit: float, fixed_cost: float) -> None:
    instance, numbers = model(penalty, unit, fixed_cost=fixed_cost)
    assert numbers.cost(fixed_cost) / numbers.cost_scale == pytest.approx(fixed_cost)
    paid = numbers.penalty(instance.customers[0])
    assert (paid is None) == (penalty is None)
    if paid is not None and penalty is not None:
        assert paid / numbers.cost_scale == pytest.approx(penalty * unit)


def test_large_costs_keep_small_ones_from_being_scaled_beyond_64_bits() -> None:
    instance, numbers = model(1e12, fixed_cost=0.0001)
    assert (numbers.penalty(instance.customers[0]) or 0) <= MAX_COST
