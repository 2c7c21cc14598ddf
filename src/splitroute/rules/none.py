"""No splitting: one piece per customer, or full loads and a remainder above the capacity."""

from splitroute.instance import Instance
from splitroute.rules._change import make_change
from splitroute.split_plan import Level, SplitPlan


def run(instance: Instance) -> SplitPlan:
    """Return whole demands; those above the capacity as full loads and a remainder."""
    demands = [customer.demand for customer in instance.customers]
    pieces = make_change(demands, [[]], [0] * len(demands), instance.capacity)
    return SplitPlan(instance, "none", pieces, levels=(Level((), len(demands)),))
