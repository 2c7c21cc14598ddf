"""How the native search does on large instances: first answer, speed, memory, time limit.

    .venv/bin/python benchmarks/scale.py --customers 1000,10000,100000 --seconds 60

Each run has a process of its own, so that memory is its own too. `bound` is how far below the first
answer any solution can be: a vehicle of capacity Q that brings q to a customer at distance d drives
at least 2 d q / Q for it.
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


def child(customers: str, demand: str, seconds: str, seed: str) -> None:
    low, high = DEMANDS[demand]
    instance = random_instance(int(customers), capacity=1000, low=low, high=high, seed=int(seed))
    away = from_depot(instance.xy)[instance.sites]
    bound = float(np.sum(2 * away * instance.demands)) / instance.capacity
    told: list[tuple[float, float, int, bool]] = []
    began = time.perf_counter()

    def listen(p: sr.Progress) -> None:
        told.append((time.perf_counter() - began, p.cost, p.iterations, p.solution is not None))

    result = sr.solve(instance, stop=sr.Stop(seconds=float(seconds)), seed=1, listener=listen)
    took = time.perf_counter() - began
    first = next(t for t in told if t[3])
    silence = max(b[0] - a[0] for a, b in pairwise(told))
    speed = told[-1][2] / (told[-1][0] - first[0])
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{customers:>9}  {demand:>8}  {first[0]:6.2f} s  {first[1]:12.0f}  {result.cost:12.0f}"
        f"  {100 * (1 - result.cost / first[1]):6.2f} %  {100 * (1 - bound / first[1]):6.2f} %"
        f"  {speed:9.0f}  {took - float(seconds):+6.2f} s  {silence:5.2f} s  {megabytes:5.0f} MB"
    )


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--customers", default="1000,10000,100000")
    parser.add_argument("--demands", default=",".join(DEMANDS))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1, help="of the instances")
    options = parser.parse_args()
    print(
        "customers   demands  1st answer    first cost     last cost     less    "
        "bound   iter/s    over limit  silence  memory"
    )
    for customers in options.customers.split(","):
        for demand in options.demands.split(","):
            words = [customers, demand, str(options.seconds), str(options.seed)]
            subprocess.run([sys.executable, __file__, "--child", *words], check=True)


if __name__ == "__main__":
    main()
