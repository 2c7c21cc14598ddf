"""Lower bounds and proofs of optimality."""

from splitroute.bounds.bound import lower_bound
from splitroute.bounds.bound_progress import Bound

__all__ = ["Bound", "lower_bound"]
