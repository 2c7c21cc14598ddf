"""No plan in advance: the engine splits as it likes, if it can."""

from splitroute.instance import Instance
from splitroute.split_plan import SplitPlan


def run(instance: Instance) -> SplitPlan:
    """Whole demands, to be split by the engine."""
    pieces = tuple((c.demand,) if c.demand else () for c in instance.customers)
    return SplitPlan(instance, "free", pieces, free=True)
