"""What the benchmark lab itself costs: time around many short jobs, and tables of many records.

    .venv/bin/python benchmarks/lab.py --jobs 1000 --records 100000

A job of 0.1 s should take 0.1 s; what the run takes beyond that is overhead. The records of the
tables are made up, with traces and solutions as large as those of 100 customers.
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


def splitroute(*words: object) -> float:
    """Seconds that the command took."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "splitroute", *map(str, words)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def overhead(jobs: int, folder: Path) -> None:
    took = splitroute(
        "bench", "run", "--instances", "SD1", "SD2", "SD3", "SD4", "SD5", "--methods", "native",
        "--time", SECONDS, "--seeds", f"1-{jobs // 5}", "--jobs", CORES, "--quiet",
        "--records", folder / "jobs.jsonl",
    )  # fmt: skip
    ideal = jobs * SECONDS / CORES
    print(
        f"{jobs} jobs of {SECONDS} s on {CORES} cores: {took:.1f} s, "
        f"{100 * (took - ideal) / took:.1f} % of it overhead"
    )


def many_records(count: int, folder: Path) -> None:
    draw = random.Random(1)
    path = folder / "many.jsonl"
    solution = [[[k, 10] for k in range(r, r + 5)] for r in range(1, 100, 5)]
    with Journal(path) as journal:
        for k in range(count):
            cost = draw.uniform(1000, 1100)
            journal.append(
                {
                    "instance": f"x{k % 250}", "set": "made", "customers": 100, "demand": 0.5,
                    "method": METHODS[k // 250 % 4], "metric": "exact", "seed": k // 1000,
                    "limit": {"seconds": 10.0}, "status": "ok", "cost": cost, "seconds": 10.0,
                    "key": f"{k}", "trace": [[0.1 * i, cost + 50 - i] for i in range(50)],
                    "solution": solution, "places": [[i, i] for i in range(101)],
                }
            )  # fmt: skip
    took = splitroute("bench", "table", "--records", path)
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    size = path.stat().st_size / 1e6
    print(f"table of {count} records ({size:.0f} MB): {took:.1f} s, {megabytes:.0f} MB of memory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--records", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        many_records(options.records, Path(folder))
        overhead(options.jobs, Path(folder))


if __name__ == "__main__":
    main()
