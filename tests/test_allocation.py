from splitroute.allocation import to_whole


def test_what_is_whole_stays_as_it_is() -> None:
    quantities = [{1: 10, 2: 5}, {1: 5}]
    to_whole(quantities, 5)
    assert quantities == [{1: 10, 2: 5}, {1: 5}]


def test_a_path_between_two_vehicles_with_room() -> None:
    quantities = [{1: 7}, {1: 8}]
    to_whole(quantities, 5)
    assert sorted(q[1] for q in quantities) == [5, 10]


def test_a_cycle_keeps_every_load_and_every_demand() -> None:
    quantities = [{1: 7, 2: 8}, {1: 8, 2: 7}]
    to_whole(quantities, 5)
    assert all(q % 5 == 0 for route in quantities for q in route.values())
    assert [sum(route.values()) for route in quantities] == [15, 15]
    assert [sum(route[c] for route in quantities) for c in (1, 2)] == [15, 15]
