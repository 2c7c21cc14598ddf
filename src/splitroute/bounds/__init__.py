"""How good an answer can be at best: lower bounds, and optima that are proven."""

from splitroute.bounds.bound import Bound, lower_bound

__all__ = ["Bound", "lower_bound"]
