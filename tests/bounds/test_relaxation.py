"""The bound of the relaxation is valid for any duals."""

import numpy as np

from oracle import optimum, tiny_instance
from splitroute.bounds.network import Network
from splitroute.bounds.relaxation import Relaxation


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
