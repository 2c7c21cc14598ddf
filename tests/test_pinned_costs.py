"""Exact costs after a fixed number of iterations reveal unintended changes of the search.

After an intended change, `python tests/test_pinned_costs.py` prints the new ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import splitroute as sr
from splitroute.generate import random_instance, set1

INSTANCES = {
    "SD4": set1(4),
    "SD8": set1(8),
    "SD10": set1(10),
    "40, 1-10 %": random_instance(40, low=0.01, high=0.1, seed=3),
    "60, 10-90 %": random_instance(60, low=0.1, high=0.9, seed=4),
    "80, 70-90 %": random_instance(80, low=0.7, high=0.9, seed=5),
    "100, clustered": random_instance(100, low=0.1, high=0.3, seed=8, layout="clustered"),
    "120, 30-50 %": random_instance(120, low=0.3, high=0.5, seed=6),
    "300, 10-50 %": random_instance(300, low=0.1, high=0.5, seed=7),
    "60, small vehicles": random_instance(60, capacity=40, low=0.1, high=0.9, seed=9),
}
METHODS: dict[str, dict[str, Any]] = {
    "native": {"engine": "native", "stop": sr.Stop(iterations=3_000)},
    "rtr": {"engine": "rtr", "rule": "pasa", "stop": sr.Stop(iterations=100)},
    "hybrid": {"engine": "hybrid", "stop": sr.Stop(iterations=8_000)},
}


def solve(instance: str, method: str) -> float:
    return sr.solve(INSTANCES[instance], seed=1, bound=0, **METHODS[method]).cost


def cases() -> Iterator[tuple[str, str]]:
    for instance in INSTANCES:
        for method in METHODS:
            yield instance, method


PINNED: dict[tuple[str, str], float] = {
    ("SD4", "native"): 63344.217900299955,
    ("SD4", "rtr"): 63104.90298105638,
    ("SD4", "hybrid"): 63104.90298105638,
    ("SD8", "native"): 506828.43074965564,
    ("SD8", "rtr"): 520100.6785695482,
    ("SD8", "hybrid"): 506828.4306937033,
    ("SD10", "native"): 272397.56953519606,
    ("SD10", "rtr"): 270678.99796298845,
    ("SD10", "hybrid"): 271716.00236354873,
    ("40, 1-10 %", "native"): 602.3228106780755,
    ("40, 1-10 %", "rtr"): 602.3228106780755,
    ("40, 1-10 %", "hybrid"): 602.3228106780755,
    ("60, 10-90 %", "native"): 2600.036963690247,
    ("60, 10-90 %", "rtr"): 2717.879183451269,
    ("60, 10-90 %", "hybrid"): 2594.464570583172,
    ("80, 70-90 %", "native"): 5527.663998040544,
    ("80, 70-90 %", "rtr"): 5852.901730894628,
    ("80, 70-90 %", "hybrid"): 5538.012614737741,
    ("100, clustered", "native"): 1676.6635993283396,
    ("100, clustered", "rtr"): 1705.3310082865744,
    ("100, clustered", "hybrid"): 1676.2000334560228,
    ("120, 30-50 %", "native"): 4334.924877501816,
    ("120, 30-50 %", "rtr"): 4522.91529098477,
    ("120, 30-50 %", "hybrid"): 4306.82397681931,
    ("300, 10-50 %", "native"): 8028.757666468756,
    ("300, 10-50 %", "rtr"): 8246.069703328974,
    ("300, 10-50 %", "hybrid"): 7983.205856146983,
    ("60, small vehicles", "native"): 2936.010535747871,
    ("60, small vehicles", "rtr"): 2991.717848613892,
    ("60, small vehicles", "hybrid"): 2909.8898156648365,
}


@pytest.mark.parametrize(("instance", "method"), list(cases()))
def test_the_cost_is_unchanged(instance: str, method: str) -> None:
    assert solve(instance, method) == pytest.approx(PINNED[instance, method], rel=1e-12)


if __name__ == "__main__":
    for case in cases():
        print(f"    {case!r}: {solve(*case)!r},")  # noqa: T201
