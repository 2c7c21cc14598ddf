from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from splitroute.rings import find_ring


def test_a_chain_of_splits_is_no_ring() -> None:
    assert find_ring([]) is None
    assert find_ring([[1, 2], [2, 3], [3, 4]]) is None
    assert find_ring([[1, 2], [1, 3], [1, 4]]) is None


def test_two_routes_that_share_two_customers_are_a_ring() -> None:
    ring = find_ring([[5, 1, 2], [3, 2, 4, 1]])
    assert ring is not None
    assert sorted(ring) == [(0, 1), (0, 2), (1, 1), (1, 2)]


@given(st.lists(st.lists(st.integers(1, 9), unique=True, max_size=5), max_size=7))
def test_a_ring_is_found_where_there_is_one(routes: list[list[int]]) -> None:
    ring = find_ring(routes)
    assert (ring is not None) == (_edges(routes) > _edges_of_a_forest(routes))
    if ring is not None:
        assert len(set(ring)) == len(ring) >= 4
        assert all(customer in routes[number] for number, customer in ring)
        for one, other in pairwise([*ring, ring[0]]):
            assert (one[0] == other[0]) != (one[1] == other[1]), "by a route or by a customer"
        shares = ["route" if a[0] == b[0] else "customer" for a, b in pairwise([*ring, ring[0]])]
        assert all(a != b for a, b in pairwise(shares)), "in turn"


def _edges(routes: list[list[int]]) -> int:
    return sum(map(len, routes))


def _edges_of_a_forest(routes: list[list[int]]) -> int:
    """Nodes less components, with the components found by joining sets."""
    customers = {c for stops in routes for c in stops}
    parts = [{c} for c in customers]
    for stops in routes:
        met = [part for part in parts if part & set(stops)]
        parts = [part for part in parts if part not in met] + ([set().union(*met)] if met else [])
    used = sum(1 for stops in routes if stops)
    return used + len(customers) - len(parts)
