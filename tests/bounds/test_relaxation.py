"""The bound of the relaxation is valid for any duals, and survives numerical trouble."""

import logging

import numpy as np
import pytest
from highspy import HighsModelStatus

from oracle import optimum, tiny_instance
from splitroute.bounds.network import Network
from splitroute.bounds.relaxation import Relaxation
from splitroute.milp import OUTCOMES
from statuses import inject

TROUBLE = sorted(set(HighsModelStatus.__members__) - set(OUTCOMES))


def test_any_duals_give_a_bound() -> None:
    """The solver is not trusted: wrong duals make the bound weak, not wrong."""
    random = np.random.default_rng(1)
    for seed in range(0, 40, 2):
        instance = tiny_instance(seed)
        relaxation = Relaxation(Network.of(instance))
        assert relaxation.solve(10.0)
        relaxation.separate(1)
        relaxation.solve(10.0)
        scale = relaxation.network.scale
        good = relaxation.bound() * scale
        relaxation._degree_duals = relaxation._degree_duals * random.uniform(
            0.5, 1.5, len(relaxation._degree_duals)
        )
        relaxation._cut_duals = relaxation._cut_duals * random.uniform(
            0.0, 2.0, len(relaxation._cut_duals)
        )
        assert relaxation.bound() * scale <= optimum(instance) * (1 + 1e-9)
        assert good <= optimum(instance) * (1 + 1e-9)


@pytest.mark.parametrize("status", [*TROUBLE, "kTimeLimit"])
def test_the_relaxation_recovers_from_every_status(
    status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Network.of(tiny_instance(4))
    relaxation, undisturbed = Relaxation(network), Relaxation(network)
    assert undisturbed.solve(10.0)
    inject(monkeypatch, [status, status])
    assert relaxation.solve(10.0)
    assert relaxation.bound() == pytest.approx(undisturbed.bound())
    relaxation.add_cuts(np.ones((1, network.size), dtype=bool) & (np.arange(network.size) > 0))
    assert relaxation.solve(10.0)


def test_an_infeasible_relaxation_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    relaxation = Relaxation(Network.of(tiny_instance(4)))
    inject(monkeypatch, ["kInfeasible"] * 9)
    with caplog.at_level(logging.WARNING, "splitroute"):
        assert not relaxation.solve(10.0)
    assert "infeasible" in caplog.text
