import numpy as np
from numpy.typing import NDArray

def distance_matrix(xy: NDArray[np.float64], metric: str) -> NDArray[np.float64]: ...
def route_costs(
    xy: NDArray[np.float64], metric: str, places: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.float64]: ...
def matrix_route_costs(
    matrix: NDArray[np.float64], places: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.float64]: ...
