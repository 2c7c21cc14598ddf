"""Sets of nodes, a row of a table each, and their cuts.

None of this calls a threaded matrix product: on a machine with other work, its threads wait for
each other much longer than the product takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitroute.distances import Floats

Sets = np.ndarray[Any, np.dtype[np.bool_]]


def shared_duals(sets: Sets, duals: Floats) -> Floats:
    """Return the sum of the duals of the sets that each pair of nodes is in."""
    shared = np.zeros((sets.shape[1], sets.shape[1]))
    for k in np.flatnonzero(duals):
        inside = np.flatnonzero(sets[k])
        shared[inside[:, None], inside] += duals[k]
    return shared


def entering_flow(sets: Sets, visits: Floats, flow: Floats) -> Floats:
    """Return how often each set is entered, for a flow as a symmetric table."""
    tails, heads = np.nonzero(np.triu(flow, 1))
    within = np.einsum("ij,j->i", sets[:, tails] & sets[:, heads], flow[tails, heads])
    return np.asarray(np.einsum("ij,j->i", sets, visits) - within)
