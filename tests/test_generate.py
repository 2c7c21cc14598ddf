import hashlib
from collections.abc import Callable

import pytest

import splitroute as sr
from splitroute.formats import coordlist
from splitroute.generate import DEMAND_RANGES, LAYOUTS, SET_1, random_instance, set1


@pytest.mark.parametrize("number", range(1, len(SET_1) + 1))
def test_set_1_equals_the_benchmark_to_the_last_digit(
    number: int, benchmark_file: Callable[..., str]
) -> None:
    assert set1(number) == sr.read(benchmark_file(f"SET-1/SD{number}.txt"))


# Of the numbers in the benchmark's 21 files, in order, separated by single spaces.
SHA256_OF_SET_1 = "5c506789867091a95578eaf48536def39a9f62fde904f050fe75ec457e46ff35"


def test_set_1_without_the_files() -> None:
    files = [coordlist.dump_instance(set1(k)) for k in range(1, len(SET_1) + 1)]
    text = " ".join(str(int(word)) for file in files for word in file.split())
    assert hashlib.sha256(text.encode()).hexdigest() == SHA256_OF_SET_1


def test_set_1_by_its_construction() -> None:
    sd6 = set1(6)
    assert (len(sd6.customers), sd6.capacity) == (32, 100)
    assert [c.demand for c in sd6.customers] == [60, 90] * 16
    assert sd6.places[:3] == ((0, 0), (1000, 0), (924, 383))
    away = set1(6, rounded=False).distances_from_depot()
    assert away[:16] == pytest.approx([10] * 16)
    assert away[16:] == pytest.approx([20] * 16)


@pytest.mark.parametrize("number", [0, 22])
def test_set_1_has_21_instances(number: int) -> None:
    with pytest.raises(sr.InputError, match="SD1 to SD21"):
        set1(number)


@pytest.mark.parametrize("layout", ["uniform", "clustered"])
@pytest.mark.parametrize(("low", "high"), DEMAND_RANGES)
def test_random_demands_are_in_range(layout: str, low: float, high: float) -> None:
    made = random_instance(200, capacity=200, low=low, high=high, layout=layout, seed=3)
    demands = [c.demand for c in made.customers]
    assert low * 200 <= min(demands)
    assert max(demands) <= high * 200
    assert max(demands) - min(demands) > 0.8 * (high - low) * 200
    assert made == random_instance(200, capacity=200, low=low, high=high, layout=layout, seed=3)
    assert made != random_instance(200, capacity=200, low=low, high=high, layout=layout, seed=4)


def test_clustered_customers_are_closer_together() -> None:
    def spread(layout: str) -> float:
        table = random_instance(300, layout=layout).table[1:, 1:].copy()
        table.sort(axis=1)
        return float(table[:, 10].mean())

    assert spread("clustered") < 0.7 * spread("uniform")


@pytest.mark.parametrize(
    "wrong",
    [{"customers": 0}, {"capacity": 0}, {"low": 0.9, "high": 0.1}, {"layout": "spiral"}],
)
def test_invalid_arguments_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(sr.InputError):
        random_instance(**{"customers": 5, **wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("customers", [2, 60, 600, 1000])
def test_small_instances_have_distinct_places(layout: str, customers: int) -> None:
    instance = random_instance(customers, layout=layout, depot="corner", seed=3)
    assert len(set(instance.places[1:])) == customers
