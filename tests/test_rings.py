from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from splitroute.rings import Forest, Ring


def find_ring(routes: list[list[int]]) -> Ring | None:
    forest = Forest()
    found = (
        forest.add(number, customer) for number, stops in enumerate(routes) for customer in stops
    )
    return next((ring for ring in found if ring is not None), None)


def test_a_chain_of_splits_is_no_ring() -> None:
    assert find_ring([]) is None
    assert find_ring([[1, 2], [2, 3], [3, 4]]) is None
    assert find_ring([[1, 2], [1, 3], [1, 4]]) is None


def test_two_routes_that_share_two_customers_are_a_ring() -> None:
    ring = find_ring([[5, 1, 2], [3, 2, 4, 1]])
    assert ring is not None
    assert sorted(ring) == [(0, 1), (0, 2), (1, 1), (1, 2)]


def test_what_is_removed_closes_no_ring() -> None:
    forest = Forest()
    for visit in [(0, 1), (0, 2), (1, 2)]:
        assert forest.add(*visit) is None
    assert forest.add(1, 1) is not None
    forest.remove(0, 2)
    assert forest.add(1, 1) is None
    assert forest.add(0, 2) is not None


@given(st.lists(st.lists(st.integers(1, 9), unique=True, max_size=5), max_size=7))
def test_a_ring_is_found_where_there_is_one(routes: list[list[int]]) -> None:
    ring = find_ring(routes)
    assert (ring is not None) == (_edges(routes) > _edges_of_a_forest(routes))
    if ring is not None:
        assert len(set(ring)) == len(ring) >= 4
        assert all(customer in routes[number] for number, customer in ring)
        closed = [*ring, ring[0]]
        shares = ["route" if a[0] == b[0] else "customer" for a, b in pairwise(closed)]
        assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(closed))
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
