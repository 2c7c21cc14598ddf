from splitroute.allocation import allocate, round_quantities


def test_quantities_are_passed_on_to_routes_with_room() -> None:
    demands = {1: 10, 2: 10, 3: 10}
    quantities = allocate(10, demands, [[1, 2], [2, 3], [1]])
    assert quantities is not None
    assert [sum(route.values()) for route in quantities] == [10, 10, 10]
    assert allocate(10, demands, [[1, 2], [2, 3]]) is None
    assert allocate(10, demands, [[1, 2], [1, 2], [1, 2]]) is None


def test_whole_quantities_stay() -> None:
    quantities = [{1: 10, 2: 5}, {1: 5}]
    round_quantities(quantities, 5)
    assert quantities == [{1: 10, 2: 5}, {1: 5}]


def test_a_path_between_two_vehicles_with_room() -> None:
    quantities = [{1: 7}, {1: 8}]
    round_quantities(quantities, 5)
    assert sorted(route[1] for route in quantities) == [5, 10]


def test_a_cycle_keeps_every_load_and_every_demand() -> None:
    quantities = [{1: 7, 2: 8}, {1: 8, 2: 7}]
    round_quantities(quantities, 5)
    assert all(quantity % 5 == 0 for route in quantities for quantity in route.values())
    assert [sum(route.values()) for route in quantities] == [15, 15]
    assert [sum(route[c] for route in quantities) for c in (1, 2)] == [15, 15]
