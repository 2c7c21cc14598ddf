"""No splitting: one piece per customer, and full loads first where a demand exceeds a vehicle."""

from splitroute.instance import Instance
from splitroute.split_plan import Level, SplitPlan, make_change


def run(instance: Instance) -> SplitPlan:
    """Each demand whole, or as full loads and the rest."""
    demands = [customer.demand for customer in instance.customers]
    pieces = make_change(demands, [[]], [0] * len(demands), instance.capacity)
    return SplitPlan(instance, "none", pieces, levels=(Level((), len(demands)),))
