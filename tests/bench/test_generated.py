import pytest

from splitroute.bench.generated import generated_instances
from splitroute.bench.seeds import parse_seeds
from splitroute.errors import InputError
from splitroute.generate import random_instance


def test_there_is_an_instance_for_each_seed() -> None:
    text = "customers=6, low=0.7, high=0.9, depot=corner, seeds=1-2/5"
    generated = generated_instances(text, "dimacs")
    assert [b.name for b in generated] == [f"uniform-corner-6-0.7-0.9-{seed}" for seed in (1, 2, 5)]
    assert {b.set_name for b in generated} == {"customers=6,low=0.7,high=0.9,depot=corner"}
    expected = random_instance(6, low=0.7, high=0.9, depot="corner", seed=5)
    assert generated[2].instance.places == expected.places
    assert generated[2].instance.metric == "dimacs"


def test_one_instance_is_the_default() -> None:
    (benchmark,) = generated_instances("customers=3")
    assert benchmark.instance == random_instance(3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("low=0.1", "no number of customers; write for example 'customers=120,"),
        ("customers", "found 'customers'; write for example"),
        ("customers=x", "customers is 'x'; it must be a number"),
        (
            "customers=3,sides=4",
            "unknown option .* 'sides'; known: customers, low, high, capacity,",
        ),
        ("customers=3,seeds=b", "seeds is 'b'; write for example 1-3"),
        ("customers=3,layout=round", "unknown layout 'round'"),
        ("customers=0", "customers is 0; it must be a whole number from 1"),
    ],
)
def test_invalid_options_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        generated_instances(text)


def test_seeds_are_ranges_and_lists() -> None:
    assert parse_seeds("1-3, 7,2") == [1, 2, 3, 7]
    for text in ("", "3-1", "x", "1-" + "9" * 30):
        with pytest.raises(InputError, match="write for example 1-3 or 1,5"):
            parse_seeds(text)
