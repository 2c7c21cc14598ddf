"""Measure the native engine on large instances: first solution, speed, memory, cores, time limit.

    .venv/bin/python benchmarks/scale.py --customers 1000,10000,100000 --seconds 60
    .venv/bin/python benchmarks/scale.py --customers 1000000 --stops 20 --layout towns \\
        --threads 1,2 --seconds 300 --checkpoints 30,60,120 --files

Each run has its own process, so that its memory is its own. Times count from the call of `solve`.

first     time to the first solution; `first cost` is its cost, and `gap` its optimality gap to the
          radial lower bound: delivering q to a customer at distance d with vehicles of capacity Q
          costs at least 2 d q / Q
at 30 s   cost at a checkpoint
min       minimum number of routes: the total demand in vehicle loads, rounded up
iter/s    iterations per second of each thread
overrun   time beyond the limit
silence   longest time between two reports
stop      with --interrupt: time from the request to stop to the end
write     with --files: time to write the instance to a file; `read` to read it again
speed-up  with several --threads: time of one thread divided by the time in which k threads reach
          its final cost
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import splitroute as sr
from splitroute.distances import from_depot
from splitroute.formats import check_output_format
from splitroute.generate import DEPOTS, LAYOUTS, random_instance

CAPACITY = 1000
UNITS_PER_STOP, MIN_STOP, MAX_STOP = 10, 2, 18  # mean, smallest and largest demand with --stops


def generate(options: dict[str, Any]) -> sr.Instance:
    """Return the instance of a run."""
    if options["stops"]:
        capacity = UNITS_PER_STOP * options["stops"]
        # Half a unit more on both sides, which is rounded away.
        low, high = (MIN_STOP - 0.5) / capacity, (MAX_STOP + 0.5) / capacity
    else:
        capacity = CAPACITY
        low, high = map(float, options["demands"].split("-"))
    return random_instance(
        options["customers"], capacity=capacity, low=low, high=high, seed=options["seed"],
        layout=options["layout"], depot=options["depot"],
    )  # fmt: skip


def measure(options: dict[str, Any]) -> dict[str, Any]:
    """Solve an instance in this process and return what was measured."""
    instance = generate(options)
    limit, interrupt = options["seconds"], options["interrupt"]
    points: list[tuple[float, float, int]] = []  # seconds, best cost so far, iterations
    report_times: list[float] = []
    first: tuple[float, float, int] | None = None
    start = time.perf_counter()

    def listener(progress: sr.Progress) -> bool:
        nonlocal first
        seconds = time.perf_counter() - start
        report_times.append(seconds)
        point = (seconds, progress.cost, progress.iterations)
        if first is None and progress.solution is not None:
            first = point
        if first is not None and progress.phase == "search":
            points.append(point)
        return interrupt is not None and seconds >= interrupt

    stop, threads = sr.Stop(seconds=limit), options["threads"]
    result = sr.solve(instance, stop=stop, seed=1, listener=listener, threads=threads)
    elapsed = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    first = first or (elapsed, result.cost, 0)
    last = max(points, key=lambda point: point[2], default=first)
    distances = from_depot(instance.xy)[instance.sites]
    bound = float(np.sum(2 * distances * instance.demands)) / instance.capacity
    return {
        "first": first[0],
        "first_cost": first[1],
        "gap": 100 * (1 - bound / first[1]),
        "cost": result.cost,
        "improved": 100 * (1 - result.cost / first[1]),
        "routes": len(result.solution.routes),
        "min_routes": -(-int(instance.demands.sum()) // instance.capacity),
        "speed": last[2] / max(last[0] - first[0], 1e-9),
        "memory": memory,
        "overrun": elapsed - limit if interrupt is None else None,
        "silence": max((b - a for a, b in itertools.pairwise(report_times)), default=0.0),
        "stop": None if interrupt is None else elapsed - interrupt,
        "points": [*((s, c) for s, c, _ in points), (elapsed, result.cost)],
        **(measure_files(instance, options["files"]) if options["files"] else {}),
    }


def measure_files(instance: sr.Instance, suffix: str) -> dict[str, float]:
    """Return the seconds to write an instance and to read it again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"instance{suffix}"
        check_output_format("instance", path)  # imports the formats
        start = time.perf_counter()
        sr.write(instance, path)
        written = time.perf_counter()
        sr.read(path)
        return {"write": written - start, "read": time.perf_counter() - written}


def cost_at(points: list[tuple[float, float]], checkpoint: float) -> float | None:
    """Return the best cost at a time."""
    return min((cost for seconds, cost in points if seconds <= checkpoint), default=None)


def columns(options: argparse.Namespace) -> list[tuple[str, str, int, str]]:
    """Return title, field, width and format of each column."""
    shown = [
        ("customers", "customers", 9, "d"), ("demands", "demands", 8, "s"),
        ("threads", "threads", 7, "d"), ("first, s", "first", 8, ".2f"),
        ("first cost", "first_cost", 12, ".0f"), ("gap, %", "gap", 6, ".2f"),
        *((f"at {c:g} s", f"at {c:g} s", 12, ".0f") for c in options.checkpoints),
        ("final cost", "cost", 12, ".0f"), ("improved, %", "improved", 11, ".2f"),
        ("routes", "routes", 7, "d"), ("min", "min_routes", 7, "d"), ("iter/s", "speed", 8, ".0f"),
        ("MB", "memory", 6, ".0f"), ("overrun, s", "overrun", 10, "+.2f"),
        ("silence, s", "silence", 10, ".2f"),
    ]  # fmt: skip
    if options.interrupt is not None:
        shown.append(("stop, s", "stop", 7, ".2f"))
    if options.files:
        shown += [("write, s", "write", 8, ".2f"), ("read, s", "read", 7, ".2f")]
    return shown


def compare_threads(options: argparse.Namespace, customers: int, demands: str) -> None:
    """Print a row for each number of threads, and the speed-up over one."""
    single: list[tuple[float, float]] = []
    for threads in options.threads:
        run = vars(options) | {"customers": customers, "demands": demands, "threads": threads}
        command = [sys.executable, __file__, "--child", json.dumps(run)]
        row = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        points = row.pop("points")
        row |= {f"at {c:g} s": cost_at(points, c) for c in options.checkpoints}
        row |= {"customers": customers, "demands": demands, "threads": threads}
        cells = ((row.get(field), width, form) for _, field, width, form in columns(options))
        texts = [("-" if v is None else format(v, form)).rjust(width) for v, width, form in cells]
        print("  ".join(texts), flush=True)
        if threads == 1:
            single = points
        elif single:
            seconds, cost = single[-1]
            needed = next((at for at, reached in points if reached <= cost), None)
            ratio = "not reached" if needed is None else f"{seconds / needed:.2f}"
            print(f"{'':9}  speed-up of {threads} threads: {ratio}", flush=True)


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(measure(json.loads(sys.argv[2]))))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--customers", type=_list_of(int), default=[1000, 10_000, 100_000])
    parser.add_argument("--demands", type=_list_of(str), default=["0.1-0.9", "0.01-0.1"])
    parser.add_argument("--stops", type=int, help="mean stops per route, instead of --demands")
    parser.add_argument("--layout", default="uniform", choices=LAYOUTS)
    parser.add_argument("--depot", default="centre", choices=tuple(DEPOTS))
    parser.add_argument("--threads", type=_list_of(int), default=[1])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--checkpoints", type=_list_of(float), default=[], help="in seconds")
    parser.add_argument("--interrupt", type=float, help="request a stop after these seconds")
    parser.add_argument("--files", nargs="?", const=".vrp", help="file extension; default: .vrp")
    parser.add_argument("--seed", type=int, default=1, help="of the instances")
    options = parser.parse_args()
    options.threads.sort()  # one thread comes first
    print("  ".join(title.rjust(width) for title, _, width, _ in columns(options)))
    for customers in options.customers:
        for demands in [f"stops {options.stops}"] if options.stops else options.demands:
            compare_threads(options, customers, demands)


def _list_of(kind: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    return lambda text: [kind(item) for item in text.split(",")]


if __name__ == "__main__":
    main()
