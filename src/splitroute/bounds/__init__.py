"""Lower bounds and proofs of optimality."""

from splitroute.bounds.bound import Bound, lower_bound

__all__ = ["Bound", "lower_bound"]
