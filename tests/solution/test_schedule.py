"""Departures, arrivals and returns, on lines where every distance is a difference."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from splitroute import Instance, Route, Solution, Visit
from splitroute.instance import Depot, VehicleType
from splitroute.solution import RouteTimes, timetable, with_departures


def line(
    xs: Sequence[float],
    *,
    demands: Sequence[int] | None = None,
    depots: Sequence[Depot] = (Depot(),),
    vehicle: dict[str, Any] | None = None,
    **rules: Any,
) -> Instance:
    """The depots, then customers, at these places on a line; vehicles of capacity 10."""
    count = len(xs) - len(depots)
    fleet = [VehicleType("van", 10, **(vehicle or {}))]
    return Instance.create(
        None, demands or [1] * count, [(x, 0) for x in xs], vehicles=fleet, depots=depots, **rules
    )


def one(instance: Instance, *customers: int, **route: Any) -> RouteTimes:
    """Times of one route that delivers 1 to each customer."""
    visits = tuple(Visit(c, 1) for c in customers)
    (times,) = timetable(instance, Solution((Route(visits, **route),)))
    return times


def test_times_without_rules_start_at_zero() -> None:
    times = one(line([0, 3, 5]), 1, 2)
    assert (times.start, times.end, times.duration) == (0, 10, 10)
    assert times.visits == ((3, 3, 3), (5, 5, 5))


def test_speed_and_durations_determine_travel_times() -> None:
    assert one(line([0, 3, 5], speed=2), 1, 2).end == 5
    table = [[0, 1, 2], [1, 0, 7], [4, 1, 0]]
    assert one(line([0, 3, 5], durations=table), 1, 2).end == 1 + 7 + 4
    globe = Instance.create(10, [1], lat=[0, 0], lon=[0, 1])
    (times,) = timetable(globe, Solution((Route((Visit(1, 1),)),)))
    assert times.end == pytest.approx(2 * 111.195 / 50 * 60, abs=0.01)  # minutes at 50 km/h


def test_service_takes_time_per_visit_and_per_unit() -> None:
    instance = line([0, 3], demands=[4], service=2, service_per_unit=0.5, unit="0.5")
    (times,) = timetable(instance, Solution((Route((Visit(1, 4),)),)))
    assert times.visits == ((3, 3, 6),)  # 2 + 0.5 * 4 * 0.5
    assert times.end == 9


def test_a_pass_through_takes_no_time_and_needs_no_window() -> None:
    instance = line([0, 3], service=2, windows=[((50, 60),)])
    (times,) = timetable(instance, Solution((Route((Visit(1, 0),), start=1.0),)))
    assert times.visits == ((4, 4, 4),)
    assert times.end == 7


def test_a_vehicle_waits_for_a_window_and_departs_as_late_as_possible() -> None:
    instance = line([0, 3, 5], windows=[((20, 30),), ((0, 100),)])
    times = one(instance, 1, 2)
    assert (times.start, times.end) == (17, 27)
    assert times.visits[0] == (20, 20, 20)
    early = one(instance, 1, 2, start=2.0)
    assert (early.start, early.end) == (2, 27)
    assert early.visits[0] == (5, 20, 20)


def test_a_departure_does_not_delay_the_return() -> None:
    # Customer 2 closes early: the vehicle must come to it by 6, and waits for customer 1.
    instance = line([0, 3, 5], windows=[((20, 30),), ((0, 6),)])
    times = one(instance, 2, 1)
    assert (times.start, times.end) == (1, 23)
    assert times.visits == ((6, 6, 6), (8, 20, 20))


def test_a_missed_window_is_served_on_arrival() -> None:
    times = one(line([0, 3], windows=[((0, 2),)], partial=True), 1)
    assert times.visits == ((3, 3, 3),)


def test_the_second_window_is_used_when_the_first_is_missed() -> None:
    instance = line([0, 5], windows=[((0, 2), (9, 10))])
    assert one(instance, 1).visits == ((9, 9, 9),)
    assert one(instance, 1).start == 4


def test_the_shift_and_the_depot_windows_hold_for_departure_and_return() -> None:
    depot = Depot(windows=((6, 8), (20, 40)))
    times = one(line([0, 3], depots=[depot], vehicle={"shift": (7, 100)}), 1)
    assert times.start == 8  # as late as the return at 20 allows
    assert times.end == 20  # the depot is closed from 8 to 20
    assert times.duration == 12


@pytest.mark.parametrize(
    ("vehicle", "start"), [({"shift": (40, 90)}, 40), ({"shift": (40, 90), "max_trips": 2}, 40)]
)
def test_a_shift_outside_the_windows_of_the_depot_has_finite_times(
    vehicle: dict[str, Any], start: float
) -> None:
    closed = [Depot(windows=((0, 30),))]
    instance = line([0, 3], depots=closed, vehicle=vehicle, demands=[2], partial=True)
    times = one(instance, 1)
    assert (times.start, times.end) == (start, start + 6)
    trips = Solution((Route((Visit(1, 1),), vehicle=1), Route((Visit(1, 1),), vehicle=1, trip=2)))
    assert [t.start for t in timetable(instance, trips)] == [start, start + 6]


def test_the_shortest_duration_is_chosen_if_it_counts() -> None:
    depot = Depot(windows=((6, 8), (20, 40)))
    for vehicle in ({"cost_per_time": 1.0}, {"max_duration": 50}):
        times = one(line([0, 3], depots=[depot], vehicle=vehicle), 1)
        assert (times.start, times.end) == (20, 26)


def test_routes_start_and_end_at_their_depots() -> None:
    depots = [Depot("a"), Depot("b", windows=((50, 60),))]
    vehicle = {"depot": "a", "end_depot": "b"}
    times = one(line([0, 10, 3], depots=depots, vehicle=vehicle), 1)
    assert (times.start, times.end) == (40, 50)  # 3 and 7 on the road


def test_trips_follow_each_other_with_loading_between() -> None:
    vehicle = {"max_trips": 3, "loading": 2, "loading_per_unit": 0.5, "shift": (1, 100)}
    instance = line([0, 3, 5], demands=[4, 6], vehicle=vehicle, unit="0.5")
    second = Route((Visit(1, 4),), vehicle=1, trip=2)
    first = Route((Visit(2, 6),), vehicle=1, trip=1)
    other = Route((Visit(2, 6),))
    after, before, alone = timetable(instance, Solution((second, first, other)))
    assert (before.start, before.end) == (1, 11)
    assert (after.start, after.end) == (14, 20)  # 2 + 0.5 * 4 * 0.5 after the return
    assert (alone.start, alone.end) == (1, 11)


def test_a_shorter_trip_must_not_make_the_next_one_late() -> None:
    depot = Depot(windows=((0, 8), (20, 40)))
    vehicle = {"cost_per_time": 1.0, "max_trips": 2}
    windows = [((5, 5.5), (30, 31)), ((23, 24),)]
    instance = line([0, 5, 3], depots=[depot], vehicle=vehicle, windows=windows)
    first = Route((Visit(1, 1),), vehicle=1, trip=1)
    second = Route((Visit(2, 1),), vehicle=1, trip=2)
    assert timetable(instance, Solution((first,)))[0].start == 25
    before, after = timetable(instance, Solution((first, second)))
    assert before.end == 20
    assert (after.start, after.end) == (20, 26)


def test_departures_are_added_where_the_instance_has_times() -> None:
    plain = line([0, 3])
    solution = Solution((Route((Visit(1, 1),)),))
    assert with_departures(plain, solution) is solution
    instance = line([0, 3], windows=[((20, 30),)])
    assert with_departures(instance, solution).routes[0].start == 17
    late = Solution((Route((Visit(1, 1),), start=18.0),))
    assert with_departures(instance, late) == late


def random_windows(draw: random.Random) -> tuple[tuple[int, int], ...]:
    times = sorted(draw.sample(range(60), 2 * draw.randint(0, 3)))
    return tuple(zip(times[::2], times[1::2], strict=True))


def test_chosen_departures_are_the_best_of_all_whole_ones() -> None:
    draw = random.Random(1)
    shorter = 0
    for _ in range(300):
        count = draw.randint(1, 4)
        windows = [random_windows(draw) for _ in range(count)]
        depot = Depot(windows=random_windows(draw))
        instance = line(
            [draw.randint(0, 6) for _ in range(count + 1)],
            depots=[depot],
            vehicle={"cost_per_time": float(draw.randint(0, 1))},
            windows=windows,
            service=draw.randint(0, 2),
            partial=True,
        )
        order = tuple(draw.sample(range(1, count + 1), count))
        every = [one(instance, *order, start=float(start)) for start in range(100)]
        valid = [times for times in every if is_valid(times, order, windows, depot.windows)]
        if not valid:
            continue
        chosen = one(instance, *order)
        assert is_valid(chosen, order, windows, depot.windows)
        earliest = min(times.end for times in valid)
        assert chosen.start == max(t.start for t in valid if t.end == chosen.end)
        if instance.fleet[0].cost_per_time:
            assert chosen.duration == min(times.duration for times in valid)
            shorter += chosen.end > earliest
        else:
            assert chosen.end == earliest
    assert shorter > 5


def is_valid(
    times: RouteTimes,
    order: Sequence[int],
    windows: Sequence[Sequence[tuple[float, float]]],
    depot: Sequence[tuple[float, float]],
) -> bool:
    checks = [(times.start, depot), (times.end, depot)]
    checks += [(v.start, windows[c - 1]) for v, c in zip(times.visits, order, strict=True)]
    return all(not w or any(a <= time <= b for a, b in w) for time, w in checks)
