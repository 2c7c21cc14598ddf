"""Record-to-record travel: construction can be interrupted, and slicing changes nothing."""

import math

import splitroute as sr
from splitroute import _core
from splitroute.core import Model
from splitroute.generate import random_instance


def pieces(customers: int) -> sr.Instance:
    return sr.split(random_instance(customers, seed=3), "pasa").to_cvrp()


def test_a_stop_during_construction_gives_the_routes_so_far() -> None:
    cvrp, costs = pieces(3000), []

    def stop_at_once(progress: sr.Progress) -> bool:
        costs.append(progress.cost)
        return True

    result = sr.solve(cvrp, engine="rtr", rule="none", listener=stop_at_once)
    assert costs[0] == math.inf  # no solution yet
    assert not sr.validate(cvrp, result.solution)
    assert len(result.solution.routes) < len(cvrp.customers) / 2  # some are merged


def test_slices_do_not_change_the_savings() -> None:
    model = Model(pieces(900))
    found = []
    for seconds in (0.0, 1e9):
        search = _core.RecordToRecord(model.compiled, 1)
        while not search.has_solution:
            search.advance(1, max(seconds, 1e-4))
        if seconds == 0:
            while search.iterations < 1:
                search.advance(1, 1e9)
        found.append(search.best_cost)
    assert found[0] == found[1]
