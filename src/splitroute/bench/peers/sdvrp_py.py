"""AlkaidSD, winner of the SDVRP track of the 2022 DIMACS challenge, as packaged by sdvrp-py."""

from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit

PACKAGE = "sdvrp-py"

MAX_DISTANCE = 32_767  # it stores distances in 16 bits


def run(instance: Instance, seconds: float, seed: int) -> Solution:
    """Solve an instance; visits that deliver nothing are removed unless pass-through is allowed."""
    import sdvrp_py

    scale = 1.0
    if instance.metric != "dimacs":
        scale = MAX_DISTANCE / float(instance.table.max())
    table = instance.table[instance.sites][:, instance.sites]
    routes = sdvrp_py.solve_sdvrp(
        capacity=instance.capacity,
        demands=[c.demand for c in instance.customers],
        distance_matrix=[[round(scale * d) for d in row] for row in table.tolist()],
        random_seed=seed,
        time_limit=seconds,
    )
    visits = [tuple(Visit(c, q) for c, q in route if c) for route in routes]
    solution = Solution(tuple(Route(route) for route in visits if route))
    return solution if instance.pass_through else solution.without_empty_visits()
