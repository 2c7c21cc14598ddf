"""Compare us with the published results of FILO2 on ten CVRP instances from Belgium.

    .venv/bin/python benchmarks/belgium.py --instances ../instances --share 0.8 \\
        --seeds 1,2,3 --jobs 2

Each run gets a share of the seconds that FILO2 took on the instance. FILO2 visits each customer
once; we may split, but any CVRP solution is valid here too. Costs are means over the seeds. An
interrupted comparison continues when started again.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

import splitroute as sr
from splitroute.bench.filo2 import filo2
from splitroute.bench.methods import Method
from splitroute.bench.records import Record
from splitroute.bench.render import terminal
from splitroute.bench.runner import complete_runs
from splitroute.bench.runs import make_runs
from splitroute.bench.seeds import parse_seeds
from splitroute.bench.sets import BELGIUM, load_instances
from splitroute.bench.tables import Column, Table, Value
from splitroute.errors import SplitRouteError
from splitroute.registry import check_choice

COLUMNS = (
    Column("", "instance"), Column("", "cost", 1), Column("", "FILO2", 1),
    Column("", "difference, %", 3), Column("", "s", 1), Column("", "routes", 1),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=Path, help="folder with the folder belgium")
    parser.add_argument("--share", type=float, default=0.8, help="of the seconds of FILO2")
    parser.add_argument("--seeds", default="1,2,3", help="for example 1-3 or 1,5")
    parser.add_argument("--jobs", type=int, default=1, help="parallel runs, one core each")
    parser.add_argument("--method", default="native")
    parser.add_argument("--only", default=BELGIUM.name, help="names, separated by commas")
    parser.add_argument("--records", type=Path, default=Path("belgium.jsonl"))
    options = parser.parse_args()
    method, seeds = Method.parse(options.method), parse_seeds(options.seeds)
    benchmarks = load_instances(options.only.split(","), BELGIUM.metric, options.instances)
    runs = []
    for benchmark in benchmarks:
        check_choice([name for _, name in filo2()], "instance", benchmark.name)
        published = filo2()[benchmark.set_name, benchmark.name]
        stop = sr.Stop(seconds=options.share * published.mean_seconds)
        runs += make_runs([benchmark], [method], stop, seeds)
    # Seed by seed, so that an interrupted comparison has results of all instances.
    runs.sort(key=lambda run: seeds.index(run.seed))
    records = complete_runs(runs, options.records, options.jobs)
    by_name: dict[str, list[Record]] = {benchmark.name: [] for benchmark in benchmarks}
    for record in records:
        if record["status"] == "ok":
            by_name[record["instance"]].append(record)
        else:
            print(f"{record['instance']}, seed {record['seed']}: {record['reason']}")
    rows = [_row(name, group) for name, group in by_name.items() if group]
    gaps = [float(row[3]) for row in rows if row[3] is not None]
    average = ("mean", None, None, statistics.fmean(gaps), None, None) if gaps else ()
    title = f"{method.name}, {options.share:g} of the seconds of FILO2, seeds {options.seeds}"
    print(terminal(Table(title, COLUMNS, tuple(rows), average)))


def _row(name: str, records: list[Record]) -> tuple[Value, ...]:
    """Return the means of the successful runs on an instance."""
    cost, seconds, routes = (
        statistics.fmean(record[field] for record in records)
        for field in ("cost", "seconds", "routes")
    )
    published = filo2()[BELGIUM.name, name].mean_cost
    return name, cost, published, 100 * (cost / published - 1), seconds, routes


if __name__ == "__main__":
    try:
        main()
    except SplitRouteError as error:
        sys.exit(f"error: {error}")
