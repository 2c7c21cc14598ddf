"""Measure the native engine on large instances: first solution, speed, memory, time limit.

    .venv/bin/python benchmarks/scale.py --customers 1000,10000,100000 --seconds 60

Each run has its own process, so that its memory is its own. The column `gap` is the optimality gap
of the first solution to the radial lower bound: delivering q to a customer at distance d with
vehicles of capacity Q costs at least 2 d q / Q. `silence` is the longest time between two reports.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np

import splitroute as sr
from splitroute.distances import from_depot
from splitroute.generate import random_instance

DEMANDS = {"0.1-0.9": (0.1, 0.9), "0.01-0.1": (0.01, 0.1)}


def measure(customers: str, demand: str, seconds: str, seed: str) -> None:
    low, high = DEMANDS[demand]
    instance = random_instance(int(customers), capacity=1000, low=low, high=high, seed=int(seed))
    distances = from_depot(instance.xy)[instance.sites]
    bound = float(np.sum(2 * distances * instance.demands)) / instance.capacity
    reports: list[tuple[float, sr.Progress]] = []
    start = time.perf_counter()

    def listener(progress: sr.Progress) -> None:
        reports.append((time.perf_counter() - start, progress))

    result = sr.solve(instance, stop=sr.Stop(seconds=float(seconds)), seed=1, listener=listener)
    overrun = time.perf_counter() - start - float(seconds)
    first_time, first = next(r for r in reports if r[1].solution is not None)
    # Reports of other phases have no iterations.
    last_time, last = max(reports, key=lambda r: r[1].iterations)
    silence = max(b[0] - a[0] for a, b in pairwise(reports))
    speed = last.iterations / (last_time - first_time)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{customers:>9}  {demand:>8}  {first_time:7.2f} s  {first.cost:12.0f}  {result.cost:12.0f}"
        f"  {100 * (1 - result.cost / first.cost):7.2f} %  {100 * (1 - bound / first.cost):6.2f} %"
        f"  {speed:9.0f}  {overrun:+6.2f} s  {silence:5.2f} s  {memory:5.0f} MB"
    )


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        measure(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--customers", default="1000,10000,100000")
    parser.add_argument("--demands", default=",".join(DEMANDS))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1, help="of the instances")
    options = parser.parse_args()
    print(
        "customers   demands      first    first cost    final cost  improved"
        "       gap     iter/s   overrun  silence   memory"
    )
    for customers in options.customers.split(","):
        for demand in options.demands.split(","):
            arguments = [customers, demand, str(options.seconds), str(options.seed)]
            subprocess.run([sys.executable, __file__, "--child", *arguments], check=True)


if __name__ == "__main__":
    main()
