"""Compare our engines with peers: same instances, metric, seconds and cores.

    make peers
    .venv/bin/python benchmarks/versus.py --instances ../instances --methods native,sdvrp-py \\
        --metric dimacs --seconds 2 --seeds 1,2,3 --records versus.jsonl

Prints the mean gap to best known of each method, and wins, draws and losses of the first method
against each other one. Runs that exceed their time are killed, and every solution is validated.
Metric dimacs allows pass-through, which sdvrp-py always uses. An interrupted comparison continues
when started again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import splitroute as sr
from splitroute.bench.compare import compare
from splitroute.bench.methods import Method
from splitroute.bench.records import read_records
from splitroute.bench.render import terminal
from splitroute.bench.results import Results
from splitroute.bench.runner import execute_runs
from splitroute.bench.runs import make_runs
from splitroute.bench.sets import load_instances
from splitroute.bench.tables import overview
from splitroute.processes.pool import open_pool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=Path, required=True, help="folder of SET-1 to SET-4")
    parser.add_argument("--methods", default="native,sdvrp-py")
    parser.add_argument("--metric", default="dimacs", choices=["exact", "dimacs"])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--only", default="all", help="names of instances, separated by commas")
    parser.add_argument("--jobs", type=int, default=1, help="parallel runs, one core each")
    parser.add_argument("--records", type=Path, default=Path("versus.jsonl"))
    options = parser.parse_args()
    benchmarks = load_instances(
        options.only.split(","),
        options.metric,
        options.instances,
        pass_through=options.metric == "dimacs",
    )
    methods = [Method.parse(name) for name in options.methods.split(",")]
    seeds = [int(seed) for seed in options.seeds.split(",")]
    runs = make_runs(benchmarks, methods, sr.Stop(seconds=options.seconds), seeds)
    with open_pool(count=options.jobs) as pool:
        execute_runs(runs, options.records, pool)
    keys = {run.key for run in runs}
    records = [r for r in read_records([options.records]) if r.get("key") in keys]
    results = Results(options.metric, records)
    print(terminal(overview(results)))
    first, *others = (method.name for method in methods)
    for other in others:
        print(compare(results, first, other).summary())


if __name__ == "__main__":
    main()
