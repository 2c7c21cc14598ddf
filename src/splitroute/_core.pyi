import numpy as np
from numpy.typing import NDArray

def distance_matrix(xy: NDArray[np.float64], metric: str) -> NDArray[np.float64]: ...
def capacity_cuts(
    flow: NDArray[np.float64],
    visits: NDArray[np.float64],
    demands: NDArray[np.int64],
    capacity: int,
    starts: NDArray[np.bool_],
    effort: int,
    max_cuts: int,
    seed: int,
    seconds: float,
) -> NDArray[np.bool_]: ...
def price_routes(
    lengths: NDArray[np.float64],
    max_quantities: NDArray[np.int64],
    prizes: NDArray[np.float64],
    memory: NDArray[np.int32],
    capacity: int,
    max_routes: int,
    is_exact: bool,
    with_edges: bool,
    slack: float,
    seconds: float,
) -> tuple[float, NDArray[np.int32], NDArray[np.float64]]: ...
def close_under_shortest_paths(table: NDArray[np.float64], first: int) -> NDArray[np.int32]: ...
def route_costs(
    xy: NDArray[np.float64], metric: str, places: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.float64]: ...
def matrix_route_costs(
    matrix: NDArray[np.float64], places: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.float64]: ...

Visits = NDArray[np.int32]  # route, item and quantity of each visit, in order

class Instance:
    def __init__(
        self,
        xy: NDArray[np.float64],
        metric: str,
        scale: float,
        table: NDArray[np.int32],
        sites: int,
        item_sites: NDArray[np.int32],
        demands: NDArray[np.int32],
        capacity: int,
        allows_splitting: bool,
        is_symmetric: bool,
        max_vehicles: int,
        rules: Rules | None = None,
        cancellation: Cancellation | None = None,
        whole: Instance | None = None,
        *,
        places: NDArray[np.int32],
    ) -> None: ...

class Cancellation:
    def request(self) -> None: ...
    @property
    def is_requested(self) -> bool: ...

class Rules:
    """See cpp/rules.hpp."""

    time_per_distance: float
    durations: list[int]
    short_trip_penalty: float
    has_times: bool
    has_several_windows: bool
    def add_type(
        self,
        *,
        capacity: int,
        count: int,
        start: int,
        end: int,
        fixed_cost: int,
        cost_per_distance: float,
        cost_per_time: float,
        departure: list[tuple[int, int]],
        arrival: list[tuple[int, int]],
        max_distance: int,
        max_duration: int,
        max_stops: int,
        max_trips: int,
        loading: int,
        loading_per_unit: int,
        min_load: int,
    ) -> None: ...
    def add_item(
        self,
        *,
        customer: int,
        windows: list[tuple[int, int]],
        service: int,
        service_per_unit: int,
        min_drop: int,
        max_visits: int,
        lot: int,
        extra_visit_cost: int,
        types: int,
        penalty: float,
        is_mandatory: bool,
    ) -> None: ...

class Settings:
    """See cpp/settings.hpp, or the properties' docstrings."""

    initial_temperature: float
    final_temperature: float
    quench_share: float
    reheat: float
    cycle_iterations: float
    recombination_probability: float
    close_routes: int
    min_moves: int
    max_moves: int
    descent_margin: float
    descent_neighbours: int
    mean_removals: float
    long_route_removals: float
    max_string_length: float
    split_string_probability: float
    whole_site_probability: float
    large_ruin_probability: float
    max_large_string_length: float
    blink: float
    min_neighbours: int
    max_neighbours: int
    probes: int
    def check(self) -> None: ...

class CoolingSchedule:
    def __init__(self, settings: Settings, items: int, is_large: bool) -> None: ...
    def set_budget(self, seconds: float, iterations: int) -> None: ...
    def set_temperature_unit(self, unit: float) -> None: ...
    def set_warm_start(self) -> None: ...
    @property
    def cycles(self) -> int: ...
    def cycle(self, share: float) -> int: ...
    def observe(self, share: float, iterations: int, seconds: float) -> None: ...
    def share(self, iterations: int, seconds: float) -> float: ...
    def temperature(self, share: float) -> float: ...

class Annealing:
    def __init__(self, instance: Instance, seed: int, settings: Settings = ...) -> None: ...
    def set_budget(self, seconds: float, iterations: int) -> None: ...
    def follow(self, schedule: CoolingSchedule, begin: float, end: float) -> None: ...
    def start(self) -> None: ...
    def start_from(self, visits: Visits) -> None: ...
    def offer(self, visits: Visits) -> None: ...
    def advance(self, iterations: int, seconds: float) -> None: ...
    def best(self) -> Visits: ...
    def current(self) -> Visits: ...
    @property
    def iterations(self) -> int: ...
    @property
    def best_cost(self) -> int: ...
    @property
    def best_missing(self) -> int: ...
    @property
    def temperature_unit(self) -> float: ...

class RichAnnealing(Annealing): ...

class RecordToRecord:
    def __init__(self, instance: Instance, seed: int) -> None: ...
    def start_from(self, visits: Visits) -> None: ...
    def advance(self, passes: int, seconds: float) -> None: ...
    def stop_construction(self) -> None: ...
    def best(self) -> Visits: ...
    @property
    def is_done(self) -> bool: ...
    @property
    def has_solution(self) -> bool: ...
    @property
    def iterations(self) -> int: ...
    @property
    def best_cost(self) -> int: ...
    @property
    def best_missing(self) -> int: ...

def remove_redundant_visits(instance: Instance, visits: Visits) -> Visits: ...
