"""Time and memory of a large table from a road server, and from the cache.

    .venv/bin/python benchmarks/roads.py --server osrm:http://127.0.0.1:5000 --places 1000

The places are random points in Monaco, for a server on that map.
"""

import argparse
import random
import resource
import sys
import tempfile
import time
import warnings

import splitroute as sr

SOUTH, NORTH, WEST, EAST = 43.7247, 43.7517, 7.409, 7.439


def instance(places: int, seed: int) -> sr.Instance:
    """Customers at random points."""
    draw = random.Random(seed)
    lat = [draw.uniform(SOUTH, NORTH) for _ in range(places)]
    lon = [draw.uniform(WEST, EAST) for _ in range(places)]
    return sr.Instance.create(100, [1] * (places - 1), lat=lat, lon=lon, name="Monaco")


def main() -> None:
    """Print a line for the server and one for the cache."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", default="osrm:http://127.0.0.1:5000")
    parser.add_argument("--places", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", sr.InputWarning)  # places at sea
    straight = instance(arguments.places, arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        for source in ("server", "cache"):
            start, cpu = time.perf_counter(), time.process_time()
            roads = sr.with_roads(straight, arguments.server, cache=folder)
            seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{source}: {len(roads.table):,} places, {seconds:.2f} s ({cpu:.2f} s CPU of this "
                f"process), peak {peak:.0f} MB"
            )


if __name__ == "__main__":
    try:
        main()
    except sr.SplitRouteError as error:
        sys.exit(f"error: {error}")
