"""Compare our search with PyVRP on instances with windows, mixed fleets and several depots.

    .venv/bin/python benchmarks/rich.py whole --data ../instances/rich --seeds 1-3
    .venv/bin/python benchmarks/rich.py split --data ../instances/rich --capacity 50
    .venv/bin/python benchmarks/rich.py split --data ../instances/rich --demand-share 0.6
    .venv/bin/python benchmarks/rich.py min-drop
    .venv/bin/python benchmarks/rich.py scale --customers 5000

`whole` delivers every demand in one visit with both solvers. `split` lets ours split, and shows
what that saves. `min-drop` demands a share of each demand per visit on SD1 to SD21. Both solvers
get the same time on one core, in turns on each instance; every solution is validated and its cost
recomputed without rounding. An interrupted comparison continues when started again; --report only
prints what there is. `scale` measures time to the first valid solution and memory, each run in its
own process.
"""

from __future__ import annotations

import argparse
import itertools
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import splitroute as sr
from splitroute.bench.methods import Method
from splitroute.bench.records import read_records
from splitroute.bench.results import Results
from splitroute.bench.runner import execute_runs
from splitroute.bench.runs import Run, make_runs
from splitroute.bench.seeds import parse_seeds
from splitroute.bench.sets import RICH_SETS, BenchmarkInstance, load_instances
from splitroute.errors import SplitRouteError
from splitroute.generate import random_instance
from splitroute.instance import Depot, Instance, VehicleType
from splitroute.processes.pool import open_pool

WHOLE, SPLIT, PEER = "none+native", "native", "none+pyvrp"
SHARES = (10, 20, 30, 40)  # percent of each demand that a visit must deliver at least
MAX_KEPT = 20  # solutions of a run, among which the first valid one is sought
CLASSES = (re.compile(r"([A-Z]+\d)\d\d"), re.compile(r"c\d+_\d+([a-z]+)"), re.compile(r"(pr?)\d+"))


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        measure(int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]))
        return
    options = _parser().parse_args()
    options.run(options)


def compare_whole(options: argparse.Namespace) -> None:
    """Compare without splitting."""
    benchmarks = _load(options)
    _compare(options, benchmarks, [WHOLE, PEER])


def compare_split(options: argparse.Namespace) -> None:
    """Compare with splitting, on instances with other capacities or demands."""
    benchmarks = [_changed(b, options.capacity, options.demand_share) for b in _load(options)]
    _compare(options, benchmarks, [SPLIT, PEER, WHOLE])


def compare_min_drops(options: argparse.Namespace) -> None:
    """Print the costs of SD1 to SD21 for each minimum drop."""
    names = [f"SD{k}" for k in range(1, 22)] if options.only is None else options.only.split(",")
    classic = load_instances(names, "exact")
    sets = {share: f"SET-1, min_drop {share} %" for share in SHARES}
    variants = {sets[share]: [_with_min_drop(b, share) for b in classic] for share in SHARES}
    runs = _runs(options, {"SET-1": classic, **variants}, [SPLIT])
    runs += _runs(options, {"SET-1": classic}, [WHOLE])
    results = _execute(options, runs)
    columns = [
        ("classic", "SET-1", SPLIT),
        *((f"{share} %", sets[share], SPLIT) for share in SHARES),
        ("whole", "SET-1", WHOLE),
    ]
    print(f"{'instance':12}" + "".join(f"{c[0]:>11}" for c in columns) + "  largest decrease")
    for benchmark in classic:
        costs = [_cost(results, name, benchmark.name, method) for _, name, method in columns]
        known = [cost for cost in costs if cost is not None]
        drop = max((1 - b / a for a, b in itertools.pairwise(known)), default=0.0)
        print(f"{benchmark.name:12}" + "".join(map(_number, costs)) + f"  {100 * drop:8.3f} %")


def _compare(
    options: argparse.Namespace, benchmarks: list[BenchmarkInstance], methods: list[str]
) -> None:
    """Run the methods and print cost ratios of the first to each other one."""
    stop = sr.Stop(seconds=options.seconds)
    runs = make_runs(benchmarks, map(Method.parse, methods), stop, parse_seeds(options.seeds))
    results = _execute(options, runs)
    print(f"{'instance':14}" + "".join(f"{m:>13}" for m in methods), end="")
    print("".join(f"{f'/ {m}':>15}" for m in methods[1:]))
    ratios: dict[str, list[list[float]]] = {}
    for b in benchmarks:
        costs = [_cost(results, b.set_name, b.name, method) for method in methods]
        print(f"{b.name:14}" + "".join(_number(cost, 13) for cost in costs), end="")
        if any(cost is None for cost in costs):
            print("  no result of every method")
            continue
        first, *others = (cost for cost in costs if cost is not None)
        row = [first / other for other in others]
        print("".join(f"{100 * (ratio - 1):+13.3f} %" for ratio in row))
        for group in (b.set_name, f"{b.set_name}: {_class_of(b.name)}"):
            ratios.setdefault(group, []).append(row)
    print(f"\n{methods[0]} against {', '.join(methods[1:])}: mean and largest difference of costs")
    for group, rows in sorted(ratios.items()):
        columns = list(zip(*rows, strict=True))
        texts = [
            f"{100 * (statistics.fmean(c) - 1):+8.3f} % {100 * (max(c) - 1):+8.3f} %"
            for c in columns
        ]
        print(f"{group:24} {len(rows):3}  {'   '.join(texts)}")


def _execute(options: argparse.Namespace, runs: list[Run]) -> Results:
    """Execute the runs that have no record, and return the results of all of them."""
    if not options.report:
        with open_pool(count=options.jobs) as pool:
            execute_runs(runs, options.records, pool, on_end=_log)
    keys = {run.key for run in runs}
    return Results("exact", [r for r in read_records([options.records]) if r.get("key") in keys])


def _log(run: Run, record: dict[str, object]) -> None:
    text = record["cost"] if record["status"] == "ok" else record.get("reason")
    name = f"{run.benchmark.set_name}/{run.benchmark.name}"
    print(f"{name} {run.method.name} seed {run.seed}: {text}", file=sys.stderr, flush=True)


def _runs(
    options: argparse.Namespace,
    variants: dict[str, list[BenchmarkInstance]],
    methods: Sequence[str],
) -> list[Run]:
    benchmarks = [replace(b, set_name=name) for name, group in variants.items() for b in group]
    stop = sr.Stop(seconds=options.seconds)
    return make_runs(benchmarks, map(Method.parse, methods), stop, parse_seeds(options.seeds))


def _load(options: argparse.Namespace) -> list[BenchmarkInstance]:
    names = (options.only or ",".join(s.name for s in RICH_SETS)).split(",")
    return load_instances(names, "exact", options.data)


def _changed(
    benchmark: BenchmarkInstance, capacity: int | None, demand_share: float | None
) -> BenchmarkInstance:
    """Return the instance with vehicles of a capacity, or with equal demands."""
    instance, name = benchmark.instance, benchmark.set_name
    if capacity is not None:
        fleet = tuple(replace(kind, capacity=capacity) for kind in instance.fleet)
        instance = replace(instance, capacity=capacity, fleet=fleet)
        name += f", capacity {capacity}"
    if demand_share is not None:
        demand = round(demand_share * instance.capacity)
        customers = tuple(replace(c, demand=demand) for c in instance.customers)
        instance = replace(instance, customers=customers)
        name += f", demands {100 * demand_share:g} %"
    return BenchmarkInstance(name, instance)


def _with_min_drop(benchmark: BenchmarkInstance, percent: int) -> BenchmarkInstance:
    instance = benchmark.instance
    customers = tuple(
        replace(c, min_drop=-(-c.demand * percent // 100)) for c in instance.customers
    )
    return replace(benchmark, instance=replace(instance, customers=customers))


def rich_instance(customers: int, seed: int) -> Instance:
    """Return a random instance with windows of a fifth of the day and three vehicle types."""
    plain = random_instance(customers, capacity=1000, low=0.02, high=0.3, seed=seed)
    rng = np.random.default_rng(seed)
    reach = 4 * float(np.hypot(*(plain.xy - plain.xy[0]).T).max())  # there and back, twice
    openings = rng.uniform(0, 0.5 * reach, customers)
    return Instance.create(
        None,
        [c.demand for c in plain.customers],
        plain.places,
        vehicles=[
            VehicleType("small", 500, fixed_cost=50, cost_per_distance=0.8),
            VehicleType("medium", 1000, fixed_cost=80),
            VehicleType("large", 2000, fixed_cost=130, cost_per_distance=1.3),
        ],
        depots=[Depot(windows=((0, 2 * reach),))],
        windows=[((float(t), float(t) + 0.2 * 2 * reach),) for t in openings],
        service=reach / 200,
        name=f"rich {customers}",
    )


def measure(customers: int, seconds: float, seed: int) -> None:
    """Print time to the first valid solution, costs and memory of one run."""
    instance = rich_instance(customers, seed)
    found: list[tuple[float, sr.Progress]] = []
    start = time.perf_counter()

    def listener(progress: sr.Progress) -> None:
        is_new = progress.solution is not None and len(found) < MAX_KEPT
        if is_new and (not found or progress.solution is not found[-1][1].solution):
            found.append((time.perf_counter() - start, progress))

    result = sr.solve(instance, stop=sr.Stop(seconds=seconds), seed=1, bound=0.0, listener=listener)
    overrun = time.perf_counter() - start - seconds
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    first_seconds, first = next((t, p) for t, p in found if not sr.validate(instance, p.solution))
    print(
        f"{customers:>9}  {found[0][0]:6.2f} s  {first_seconds:6.2f} s  {first.cost:12.0f}  "
        f"{result.cost:12.0f}  {overrun:+6.2f} s  {memory:5.0f} MB"
    )


def measure_scale(options: argparse.Namespace) -> None:
    """Measure each size in its own process, so that its memory is its own."""
    print("customers     first     valid    valid cost    final cost   overrun   memory")
    for customers in options.customers.split(","):
        arguments = [customers, str(options.seconds), "1"]
        subprocess.run([sys.executable, __file__, "--child", *arguments], check=True)


def _cost(results: Results, set_name: str, instance: str, method: str) -> float | None:
    cell = results.cell(set_name, instance, method)
    return None if cell is None else cell.mean_cost


def _number(cost: float | None, width: int = 11) -> str:
    return f"{'-' if cost is None else f'{cost:.2f}':>{width}}"


def _class_of(name: str) -> str:
    """Return the class of a benchmark: R1 of R101, fsmf of c50_13fsmf."""
    matches: Iterable[re.Match[str] | None] = (p.match(name) for p in CLASSES)
    return next((match[1] for match in matches if match), "others")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    for name, function in (
        ("whole", compare_whole),
        ("split", compare_split),
        ("min-drop", compare_min_drops),
    ):
        command = commands.add_parser(name, help=function.__doc__)
        command.set_defaults(run=function)
        command.add_argument("--only", help="sets or instances, separated by commas")
        command.add_argument("--seconds", type=float, default=10.0)
        command.add_argument("--seeds", default="1", help="for example 1-3 or 1,5")
        command.add_argument("--jobs", type=int, default=1, help="parallel runs, one core each")
        command.add_argument("--records", type=Path, default=Path("rich.jsonl"))
        command.add_argument("--report", action="store_true", help="only print the records")
        if name != "min-drop":
            command.add_argument("--data", type=Path, help="folder of solomon, hfvrp and mdvrp")
        if name == "split":
            command.add_argument("--capacity", type=int)
            command.add_argument("--demand-share", type=float, help="of the capacity, all equal")
    scale = commands.add_parser("scale", help=measure_scale.__doc__)
    scale.set_defaults(run=measure_scale)
    scale.add_argument("--customers", default="5000")
    scale.add_argument("--seconds", type=float, default=10.0)
    return parser


if __name__ == "__main__":
    try:
        main()
    except SplitRouteError as error:
        sys.exit(f"error: {error}")
