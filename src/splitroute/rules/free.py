"""No split plan: the engine splits during the search."""

from splitroute.instance import Instance
from splitroute.split_plan import SplitPlan


def run(instance: Instance) -> SplitPlan:
    """Return whole demands, for the engine to split."""
    pieces = tuple((c.demand,) if c.demand else () for c in instance.customers)
    return SplitPlan(instance, "free", pieces, free=True)
