"""Measure the benchmark lab itself: overhead of short runs, and tables of many records.

    .venv/bin/python benchmarks/lab.py --runs 1000 --records 100000

Runs of 0.1 s should take 0.1 s each; everything beyond that is overhead. The records are
synthetic, with traces and solutions as large as those of 100 customers.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from splitroute.bench.records import Journal

CORES = 2
SECONDS = 0.1
METHODS = ("native", "pasa:L=3+rtr", "none+native", "sdvrp-py")


def splitroute(*arguments: object) -> float:
    """Run a command and return its seconds."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "splitroute", *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure_overhead(runs: int, folder: Path) -> None:
    seconds = splitroute(
        "bench", "run", "--instances", "SD1", "SD2", "SD3", "SD4", "SD5", "--methods", "native",
        "--time", SECONDS, "--seeds", f"1-{runs // 5}", "--jobs", CORES, "--quiet",
        "--records", folder / "runs.jsonl",
    )  # fmt: skip
    ideal = runs * SECONDS / CORES
    print(
        f"{runs} runs of {SECONDS} s on {CORES} cores: {seconds:.1f} s, "
        f"{100 * (seconds - ideal) / seconds:.1f} % overhead"
    )


def measure_tables(count: int, folder: Path) -> None:
    rng = random.Random(1)
    path = folder / "many.jsonl"
    solution = [[[k, 10] for k in range(r, r + 5)] for r in range(1, 100, 5)]
    with Journal(path) as journal:
        for k in range(count):
            cost = rng.uniform(1000, 1100)
            journal.append(
                {
                    "instance": f"x{k % 250}", "set": "synthetic", "customers": 100, "demand": 0.5,
                    "method": METHODS[k // 250 % 4], "metric": "exact", "seed": k // 1000,
                    "limit": {"seconds": 10.0}, "status": "ok", "cost": cost, "seconds": 10.0,
                    "key": f"{k}", "trace": [[0.1 * i, cost + 50 - i] for i in range(50)],
                    "solution": solution, "places": [[i, i] for i in range(101)],
                }
            )  # fmt: skip
    seconds = splitroute("bench", "table", "--records", path)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    size = path.stat().st_size / 1e6
    print(f"table of {count} records ({size:.0f} MB): {seconds:.1f} s, {memory:.0f} MB of memory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--records", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure_tables(options.records, Path(folder))
        measure_overhead(options.runs, Path(folder))


if __name__ == "__main__":
    main()
