"""AlkaidSD, winner of the split delivery track of the 2022 DIMACS challenge, as sdvrp-py."""

from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit

PACKAGE = "sdvrp-py"

SIXTEEN_BITS = 32_767  # it keeps distances in so many, whatever they mean


def run(instance: Instance, seconds: float, seed: int) -> Solution:
    """What it answers; stops at which nothing is delivered only where these are allowed."""
    import sdvrp_py

    scale = 1.0
    if instance.metric != "dimacs":
        scale = SIXTEEN_BITS / float(instance.table.max())
    table = instance.table[instance.sites][:, instance.sites]
    routes = sdvrp_py.solve_sdvrp(
        capacity=instance.capacity,
        demands=[c.demand for c in instance.customers],
        distance_matrix=[[round(scale * d) for d in row] for row in table.tolist()],
        random_seed=seed,
        time_limit=seconds,
    )
    visits = [tuple(Visit(c, q) for c, q in route if c) for route in routes]
    found = Solution(tuple(Route(route) for route in visits if route))
    return found if instance.pass_through else found.delivering()
