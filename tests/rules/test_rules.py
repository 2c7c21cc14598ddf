"""The rules against the numbers of the paper."""

import tracemalloc
from collections.abc import Callable

import pytest

import splitroute as sr
from splitroute.generate import random_instance, set1


@pytest.mark.parametrize(
    ("rule", "pieces"),
    [
        ({"rule": "coins", "coins": "20/10/5/1"}, 855),
        ({"rule": "coins", "coins": "25/10/5/1"}, 820),
        ({"rule": "pasa", "levels": 1}, 572),
        ({"rule": "pasa", "levels": 2}, 582),
        ({"rule": "pasa", "levels": 3}, 622),
        ({"rule": "pasa", "levels": 4}, 731),
        ({"rule": "none"}, 150),
    ],
)
def test_p04_3070_has_the_pieces_of_the_paper(
    rule: dict[str, object], pieces: int, benchmark: Callable[[str], sr.Instance]
) -> None:
    assert sr.split(benchmark("SET-3/p04_3070.cri"), **rule).num_pieces == pieces  # type: ignore[arg-type]


@pytest.mark.parametrize("rounded", [True, False])
def test_sd6_is_the_example_of_the_paper(rounded: bool) -> None:
    plan = sr.split(set1(6, rounded), rule="pasa", levels=2, base=2)
    assert (plan.gcd, plan.mean, plan.s_max) == (10, 7.5, 3)
    assert [level.denominations for level in plan.levels] == [(10, 20, 40, 80), (10, 20, 40)]
    assert [level.num_customers for level in plan.levels] == [16, 16]
    near, far = plan.pieces[0], plan.pieces[-1]
    assert (near, far) == ((40, 20), (80, 10))
    assert plan.num_pieces == 72


@pytest.mark.parametrize(("base", "pieces"), [(2, (128, 64, 4, 2, 1)), (3, (81, 81, 27, 9, 1))])
def test_199_in_powers_of_two_and_of_three(base: int, pieces: tuple[int, ...]) -> None:
    instance = sr.Instance.create(200, [199], [(0, 0), (1, 0)])
    assert sr.split(instance, levels=1, base=base).pieces == (pieces,)


def test_the_mean_is_rounded_to_the_nearest_power() -> None:
    def s_max(*demands: int) -> int | None:
        places = [(0, 0)] + [(1, 0)] * len(demands)
        return sr.split(sr.Instance.create(1000, demands, places), levels=1).s_max

    assert s_max(1) == 0
    assert s_max(1, 2) == 1  # log2(1.5) = 0.58
    assert s_max(11) == 3  # log2(11) = 3.46
    assert s_max(23) == 5  # log2(23) = 4.52


def test_rings_are_closed_outward_and_the_depot_is_in_the_nearest() -> None:
    places = [(0, 0), (0, 0), (5, 0), (5.001, 0), (10, 0)]
    plan = sr.split(sr.Instance.create(100, [64] * 4, places), levels=2)
    assert [level.num_customers for level in plan.levels] == [2, 2]
    assert plan.pieces == ((32, 32), (32, 32), (64,), (64,))


def test_rings_of_equal_count() -> None:
    places = [(0, 0), *((2**k, 0) for k in range(6))]
    instance = sr.Instance.create(100, [64] * 6, places)
    plan = sr.split(instance, levels=3, rings="count")
    assert [level.num_customers for level in plan.levels] == [2, 2, 2]
    assert [level.max_distance for level in plan.levels] == [32, 8, 2]
    assert [level.num_customers for level in sr.split(instance, levels=3).levels] == [1, 1, 4]


def test_more_levels_than_powers_end_at_the_divisor() -> None:
    plan = sr.split(set1(6), levels=6)
    assert plan.levels[-1].denominations == (10,)


def test_denominations_above_the_capacity_are_dropped() -> None:
    instance = sr.Instance.create(7, [100], [(0, 0), (1, 0)])
    plan = sr.split(instance, levels=1)
    assert plan.levels[0].denominations == (1, 2, 4)
    assert plan.pieces == ((7,) * 14 + (2,),)  # full loads first, then the rule for the rest


def test_a_demand_equal_to_the_capacity_is_split_like_any_other() -> None:
    instance = sr.Instance.create(200, [200, 3], [(0, 0), (1, 0), (1, 0)])
    plan = sr.split(instance, levels=1)
    assert (plan.gcd, plan.s_max) == (1, 7)
    assert plan.pieces[0] == (128, 64, 8)


def test_coins_need_not_be_whole() -> None:
    instance = sr.Instance.create(140, [30], [(0, 0), (1, 0)])
    plan = sr.split(instance, rule="coins")  # 28, 14, 7 and 1.4
    assert plan.scale == 5
    assert plan.pieces == ((28 * 5, 7, 3),)  # 28, 1.4 and the 0.6 that is left
    assert plan.levels[0].denominations == (7, 35, 70, 140)


@pytest.mark.parametrize("coins", ["", "20/x", "0/1", "120", "20//5", "nan", "-5", "1e-9"])
def test_invalid_coins_are_refused(coins: str) -> None:
    with pytest.raises(sr.InputError, match="percentage"):
        sr.split(set1(1), rule="coins", coins=coins)


def test_without_splitting_full_loads_come_first() -> None:
    instance = sr.Instance.create(10, [9, 10, 25, 0], [(0, 0)] + [(1, 0)] * 4)
    assert sr.split(instance, rule="none").pieces == ((9,), (10,), (10, 10, 5), ())


def test_zero_demands_have_no_pieces_and_do_not_count_in_the_mean() -> None:
    with_zero = sr.Instance.create(100, [60, 0, 90], [(0, 0), (1, 0), (2, 0), (3, 0)])
    plan = sr.split(with_zero)
    assert plan.pieces[1] == ()
    assert (plan.gcd, plan.mean, plan.s_max) == (10, 7.5, 3)
    far = sr.Instance.create(100, [60, 0, 90], [(0, 0), (1, 0), (99, 0), (3, 0)])
    assert sr.split(far).pieces == plan.pieces
    nobody = sr.Instance.create(100, [0, 0], [(0, 0), (1, 0), (2, 0)])
    assert sr.split(nobody).num_pieces == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "halves"}, "unknown rule 'halves'; known: coins, free, none, pasa"),
        ({"rule": "pasa", "base": 1}, "base is 1"),
        ({"rule": "pasa", "levels": 0}, "levels is 0"),
        ({"rule": "pasa", "rings": "square"}, "known: count, width"),
        ({"rule": "pasa", "coins": "5"}, "the rule pasa has no option 'coins'; it has: base"),
        ({"rule": "none", "levels": 2}, "the rule none has no option 'levels'; it has none"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(sr.InputError, match=message):
        sr.split(set1(1), **options)  # type: ignore[arg-type]


def test_too_many_pieces_are_refused_before_they_are_created() -> None:
    instance = sr.Instance.create(1, [10**12], [(0, 0), (1, 0)])
    for rule in ("none", "pasa"):
        with pytest.raises(sr.LimitError, match="pieces"):
            sr.split(instance, rule=rule)


def test_twenty_thousand_customers_share_their_pieces() -> None:
    """Linear memory: equal demands in one ring are one tuple, not twenty thousand."""
    instance = random_instance(20_000, seed=1)
    tracemalloc.start()
    plan = sr.split(instance)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1000 * len(instance.customers)
    assert len(plan.pieces) == 20_000
    assert len({id(sizes) for sizes in plan.pieces}) < 1000
