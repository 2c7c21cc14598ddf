"""The slices of HGS."""

from types import SimpleNamespace
from typing import Any

import pytest

import splitroute as sr
from splitroute.engines import hgs
from splitroute.generate import random_instance


def test_a_slice_that_leaves_no_feasible_population_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    populations: list[Any] = []

    def evolve(instance: sr.Instance, scale: float, population: list[Any], *_: object) -> Any:
        populations.append(population)
        return SimpleNamespace(feasible_population=[], routes=population[0])

    monkeypatch.setattr(hgs, "_evolve", evolve)
    cvrp = sr.split(random_instance(9), "none").to_cvrp()
    hgs._search(cvrp, sr.Stop(seconds=60), 1, None, lambda progress: progress.iterations == 3)
    assert len(populations) == 3
    assert populations[0] == populations[1] == populations[2] != []
