"""Our engines and their peers side by side: same instances, metric, seconds and cores.

    make peers
    .venv/bin/python benchmarks/versus.py --instances ../instances --methods native,sdvrp-py \\
        --metric dimacs --seconds 2 --seeds 1,2,3 --records versus.jsonl

A method is `native`, `sdvrp-py`, or RULE+ENGINE such as `pasa+rtr` and `pasa:levels=3+pyvrp`;
`pasa+native+improve` goes on from the merged answer for the second half of the time. Every run has
a process of its own, ended if it overruns; every answer is checked by our validator and its cost
computed anew. In the metric dimacs vehicles may pass through customers without delivering:
sdvrp-py always does.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import splitroute as sr
from splitroute.bench.sets import SETS, BenchmarkSet
from splitroute.solution import cost

# Files that repeat others: p10 is p05, and three of SET-3 are in SET-4 under other names.
REPEATED = {"p01_00", "p02_00", "p03_00"}
SIXTEEN_BITS = 32_767  # sdvrp-py keeps distances in so many, whatever they mean
GRACE = 10.0


def instance_of(owner: BenchmarkSet, path: Path, metric: Any) -> sr.Instance:
    instance = owner.read(path, metric)
    return replace(instance, pass_through=metric == "dimacs")


def solve(instance: sr.Instance, method: str, seconds: float, seed: int) -> sr.Solution:
    """What a method answers; runs in the child."""
    stop = sr.Stop(seconds=seconds)
    if method == "sdvrp-py":
        return alkaid(instance, seconds, seed)
    if method == "native":
        return sr.solve(instance, stop=stop, seed=seed).solution
    rule, engine, *rest = method.split("+")
    name, *words = rule.split(":")
    given = dict(word.split("=") for word in words)
    improve = 0.0
    if rest == ["improve"]:
        improve, stop = seconds / 2, sr.Stop(seconds=seconds / 2)
    elif rest:
        raise SystemExit(f"{method}: after the engine only +improve is known")
    return sr.solve(
        instance,
        rule=name,
        engine=engine,
        stop=stop,
        seed=seed,
        improve=improve,
        **{key: int(value) if value.isdigit() else value for key, value in given.items()},
    ).solution


def alkaid(instance: sr.Instance, seconds: float, seed: int) -> sr.Solution:
    import sdvrp_py

    scale = 1.0
    if instance.metric != "dimacs":
        scale = SIXTEEN_BITS / float(instance.table.max())
    routes = sdvrp_py.solve_sdvrp(
        capacity=instance.capacity,
        demands=[c.demand for c in instance.customers],
        distance_matrix=[[round(scale * d) for d in row] for row in instance.table.tolist()],
        random_seed=seed,
        time_limit=seconds,
    )
    visits = [tuple(sr.Visit(c, q) for c, q in route if c) for route in routes]
    if not instance.pass_through:
        visits = [tuple(v for v in route if v.quantity) for route in visits]
    return sr.Solution(tuple(sr.Route(route) for route in visits if route))


def child(set_name: str, path: str, metric: str, method: str, seconds: str, seed: str) -> None:
    owner = next(each for each in SETS if each.name == set_name)
    instance = instance_of(owner, Path(path), metric)
    began = time.perf_counter()
    solution = solve(instance, method, float(seconds), int(seed))
    took = time.perf_counter() - began
    routes = [[list(visit) for visit in route.visits] for route in solution.routes]
    print("\n" + json.dumps({"seconds": took, "routes": routes}))


def measured(job: tuple[BenchmarkSet, Path, str, str, float, int]) -> dict[str, Any]:
    """One run as a record, whatever happens to it."""
    owner, path, metric, method, seconds, seed = job
    record: dict[str, Any] = {
        "instance": path.stem, "set": owner.name, "method": method, "metric": metric,
        "limit": seconds, "seed": seed, "cost": None,
    }  # fmt: skip
    words = [owner.name, str(path), metric, method, str(seconds), str(seed)]
    command = [sys.executable, __file__, "--child", *words]
    try:
        run = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=seconds + GRACE
        )
        answer = json.loads(run.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {**record, "status": "overran"}
    except (IndexError, ValueError):
        return {**record, "status": "crashed", "why": run.stderr[-300:]}
    instance = instance_of(owner, path, metric)
    solution = sr.Solution(
        tuple(sr.Route(tuple(sr.Visit(*v) for v in route)) for route in answer["routes"])
    )
    if violations := sr.validate(instance, solution):
        return {**record, "status": "invalid", "why": violations[0].message}
    return {
        **record,
        "status": "ok",
        "cost": cost(instance, solution),
        "seconds": round(answer["seconds"], 3),
        "routes": len(solution.routes),
        "visits": solution.visits,
    }


def best_known(
    reference: Path | None, metric: str, records: list[dict[str, Any]]
) -> dict[str, float]:
    """The challenge's best values where given for the metric, else the best of these runs."""
    best: dict[str, float] = {}
    for record in records:
        if record["cost"] is not None:
            name = record["instance"]
            best[name] = min(best.get(name, math.inf), record["cost"])
    if reference is not None and metric == "dimacs":
        with reference.open() as file:
            best.update({r["instance"]: float(r["best"]) for r in csv.DictReader(file)})
    return best


def summary(records: list[dict[str, Any]], best: dict[str, float], methods: list[str]) -> str:
    lines = [f"{'method':<14}" + "".join(f"{s.name:>9}" for s in SETS) + f"{'all':>9}  failed"]
    gaps: dict[str, dict[tuple[str, int], float]] = {m: {} for m in methods}
    owners: dict[tuple[str, int], str] = {}
    for r in records:
        if r["cost"] is not None:
            key = (r["instance"], r["seed"])
            gaps[r["method"]][key] = 100 * (r["cost"] / best[r["instance"]] - 1)
            owners[key] = r["set"]
    for m in methods:
        cells = [[g for k, g in gaps[m].items() if owners[k] == s.name] for s in SETS]
        cells.append(list(gaps[m].values()))
        failed = sum(r["method"] == m and r["cost"] is None for r in records)
        row = "".join(f"{statistics.fmean(c):>8.3f}%" if c else f"{'-':>9}" for c in cells)
        lines.append(f"{m:<14}{row}  {failed}")
    for m in methods[1:]:
        both = gaps[methods[0]].keys() & gaps[m].keys()
        names = {name for name, _ in both}
        means = [
            [statistics.fmean(gaps[x][k] for k in both if k[0] == name) for x in (methods[0], m)]
            for name in names
        ]
        wins = sum(a < b - 1e-9 for a, b in means)
        losses = sum(a > b + 1e-9 for a, b in means)
        draws = len(means) - wins - losses
        lines.append(f"{methods[0]} against {m}: {wins} wins, {draws} draws, {losses} losses")
    return "\n".join(lines)


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=Path, required=True, help="folder of SET-1 to SET-4")
    parser.add_argument("--reference", type=Path, help="CSV with the columns instance and best")
    parser.add_argument("--methods", default="native,sdvrp-py")
    parser.add_argument("--metric", default="dimacs", choices=["exact", "dimacs"])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--only", default="", help="names of instances, separated by commas")
    parser.add_argument("--at-once", type=int, default=1, help="runs at once, one core each")
    parser.add_argument("--records", type=Path, default=Path("versus.jsonl"))
    options = parser.parse_args()
    if options.reference is not None and not options.reference.is_file():
        parser.error(f"--reference is {options.reference}; it is a CSV file")
    methods = options.methods.split(",")
    only = set(options.only.split(",")) - {""}
    files = [
        (owner, path)
        for owner in SETS
        for path in owner.files(options.instances)
        if path.stem not in REPEATED and not path.stem.startswith("p10_")
        if not only or path.stem in only
    ]
    jobs = [
        (owner, path, options.metric, method, options.seconds, int(seed))
        for seed in options.seeds.split(",")
        for owner, path in files
        for method in methods
    ]
    records = []
    with options.records.open("a") as out, ThreadPoolExecutor(options.at_once) as pool:
        for record in pool.map(measured, jobs):
            out.write(json.dumps(record) + "\n")
            out.flush()
            records.append(record)
    print(summary(records, best_known(options.reference, options.metric, records), methods))


if __name__ == "__main__":
    main()
