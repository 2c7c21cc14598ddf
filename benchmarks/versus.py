"""Compare our engines with peers: same instances, metric, seconds and cores.

    make peers
    .venv/bin/python benchmarks/versus.py --instances ../instances --methods native,sdvrp-py \\
        --metric dimacs --seconds 2 --seeds 1,2,3 --records versus.jsonl
    .venv/bin/python benchmarks/versus.py --methods native --seconds 10 --seeds 1-3 \\
        --generate customers=120,low=0.7,high=0.9,seeds=1-3 \\
        --peer 'mysolver=./solver {instance} {solution} --time {seconds} --seed {seed}'

Prints the mean gap to best known of each method, or for instances without best known values the
mean difference to the first method; and wins, draws and losses of the first method against each
other one. Runs that exceed their time are killed, and every solution is validated.
Metric dimacs allows pass-through on SET-1 to SET-4, which sdvrp-py always uses. An interrupted
comparison continues when started again.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import splitroute as sr
from splitroute.bench.compare import compare
from splitroute.bench.differences import differences
from splitroute.bench.generated import generated_instances
from splitroute.bench.methods import Method
from splitroute.bench.peer_command import PeerCommand
from splitroute.bench.records import Record
from splitroute.bench.render import terminal
from splitroute.bench.results import Results
from splitroute.bench.runner import complete_runs
from splitroute.bench.runs import make_runs
from splitroute.bench.seeds import parse_seeds
from splitroute.bench.sets import SETS, BenchmarkInstance, load_instances
from splitroute.bench.tables import overview
from splitroute.errors import InputError, SplitRouteError


def main() -> None:
    options = _parser().parse_args()
    names = options.methods or ("native" if options.peer else "native,sdvrp-py")
    methods: list[Method | PeerCommand] = [
        *(Method.parse(name) for name in names.split(",")),
        *(PeerCommand.parse(text, options.peer_format) for text in options.peer),
    ]
    stop = sr.Stop(seconds=options.seconds)
    for method in methods:
        method.check(stop)
    runs = make_runs(_instances(options), methods, stop, parse_seeds(options.seeds))
    records = complete_runs(runs, options.records, options.jobs)
    for pass_through in (True, False):  # instances with another rule are another comparison
        if group := [r for r in records if r["pass_through"] == pass_through]:
            _print_comparison(options.metric, group, [method.name for method in methods])
    failed = [r for r in records if r["status"] != "ok"]
    for line in dict.fromkeys(f"{r['method']} {r['status']}: {r['reason']}" for r in failed):
        print(line)


def _print_comparison(metric: str, records: list[Record], methods: list[str]) -> None:
    results = Results(metric, records)
    known = {name for name in results.sets if results.reference_of(name) != "runs"}
    if known:
        selected = [record for record in records if record["set"] in known]
        print(terminal(overview(Results(metric, selected))))
    if others := [record for record in records if record["set"] not in known]:
        print(terminal(differences(Results(metric, others), methods[0])))
    for other in methods[1:]:
        try:
            print(compare(results, methods[0], other).summary())
        except InputError as error:  # no run of one of them succeeded
            print(error)
    print()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=Path, help="folder with one folder per set")
    parser.add_argument(
        "--set", "--only", dest="names", default="", metavar="LIST",
        help="sets, names of instances, files or folders, separated by commas; default: all",
    )  # fmt: skip
    parser.add_argument(
        "--generate", action="append", default=[], metavar="OPTIONS",
        help="random instances: customers=120,low=0.7,high=0.9,seeds=1-3; may be repeated",
    )  # fmt: skip
    parser.add_argument("--methods", help="default: native,sdvrp-py; with --peer native")
    parser.add_argument(
        "--peer", action="append", default=[], metavar="NAME=COMMAND",
        help="with {instance}, {solution}, {seconds} and {seed}; may be repeated",
    )  # fmt: skip
    parser.add_argument("--peer-format", default="vrplib", help="of the instances for commands")
    parser.add_argument("--metric", default="dimacs", choices=["exact", "dimacs"])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--seeds", default="1", help="for example 1-3 or 1,5")
    parser.add_argument("--jobs", type=int, default=1, help="parallel runs, one core each")
    parser.add_argument("--records", type=Path, default=Path("versus.jsonl"))
    return parser


def _instances(options: argparse.Namespace) -> list[BenchmarkInstance]:
    names = options.names.split(",") if options.names else [] if options.generate else ["all"]
    loaded = load_instances(names, options.metric, options.instances)
    if options.metric == "dimacs":  # the challenge allows pass-through
        challenge = {s.name for s in SETS}
        loaded = [
            replace(b, instance=replace(b.instance, pass_through=b.set_name in challenge))
            for b in loaded
        ]
    return loaded + [
        b for text in options.generate for b in generated_instances(text, options.metric)
    ]


if __name__ == "__main__":
    try:
        main()
    except SplitRouteError as error:
        sys.exit(f"error: {error}")
