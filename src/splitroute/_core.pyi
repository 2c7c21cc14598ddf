import numpy as np
from numpy.typing import NDArray

def distance_matrix(xy: NDArray[np.float64], metric: str) -> NDArray[np.float64]: ...
def route_costs(
    xy: NDArray[np.float64], metric: str, places: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.float64]: ...
def matrix_route_costs(
    matrix: NDArray[np.float64], places: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.float64]: ...

Routes = tuple[list[int], list[tuple[int, int]]]

class Settings:
    hot: float
    cold: float
    reheat: float
    rounds: int
    moves: int

class Search:
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
        splitting: bool,
        symmetric: bool,
        seed: int,
        settings: Settings,
    ) -> None: ...
    def plan(self, seconds: float, iterations: int) -> None: ...
    def start(self) -> None: ...
    def start_from(self, routes: Routes) -> None: ...
    def adopt(self, routes: Routes) -> None: ...
    def advance(self, iterations: int, seconds: float) -> None: ...
    def best(self) -> Routes: ...
    @property
    def iterations(self) -> int: ...
    @property
    def best_cost(self) -> int: ...
