"""Our engines and their peers side by side: same instances, metric, seconds and cores.

    make peers
    .venv/bin/python benchmarks/versus.py --instances ../instances --methods native,sdvrp-py \\
        --metric dimacs --seconds 2 --seeds 1,2,3 --records versus.jsonl

What `splitroute bench` does, for one question: mean gaps to the best values of the challenge, and
wins, draws and losses of the first method against each other one. A run that overruns is ended;
every answer is checked by our validator and its cost computed anew. In the metric dimacs vehicles
may pass through customers without delivering: sdvrp-py always does. Run again, it goes on where it
was interrupted.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import splitroute as sr
from splitroute.bench.compare import compare
from splitroute.bench.methods import Method
from splitroute.bench.records import read_records
from splitroute.bench.render import terminal
from splitroute.bench.results import Runs
from splitroute.bench.runner import run
from splitroute.bench.sets import cases
from splitroute.bench.tables import overview
from splitroute.bench.tasks import jobs
from splitroute.processes.pool import workers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=Path, required=True, help="folder of SET-1 to SET-4")
    parser.add_argument("--methods", default="native,sdvrp-py")
    parser.add_argument("--metric", default="dimacs", choices=["exact", "dimacs"])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--only", default="all", help="names of instances, separated by commas")
    parser.add_argument("--at-once", type=int, default=1, help="runs at once, one core each")
    parser.add_argument("--records", type=Path, default=Path("versus.jsonl"))
    options = parser.parse_args()
    wanted = cases(
        options.only.split(","),
        options.metric,
        options.instances,
        pass_through=options.metric == "dimacs",
    )
    methods = [Method.parse(text) for text in options.methods.split(",")]
    seeds = [int(seed) for seed in options.seeds.split(",")]
    todo = jobs(wanted, methods, sr.Stop(seconds=options.seconds), seeds)
    with workers(count=options.at_once) as where:
        run(todo, options.records, where)
    keys = {job.key for job in todo}
    records = [r for r in read_records([options.records]) if r.get("key") in keys]
    runs = Runs(options.metric, records)
    print(terminal(overview(runs)))
    first, *others = (method.text for method in methods)
    for other in others:
        print(compare(runs, first, other).text())


if __name__ == "__main__":
    main()
