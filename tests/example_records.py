"""Example records for tests of tables, figures and the report."""

from collections.abc import Callable
from pathlib import Path
from typing import Any


def record(
    instance: str, method: str, cost: float | None, *, seed: int = 1, **more: Any
) -> dict[str, Any]:
    return {
        "instance": instance,
        "set": "SET-1",
        "customers": 8,
        "method": method,
        "metric": "exact",
        "seed": seed,
        "limit": {"seconds": 1.0},
        "status": "ok" if cost is not None else "crashed",
        "cost": cost,
        "seconds": 1.0 if cost is not None else None,
        **more,
    }


def some_records() -> list[dict[str, Any]]:
    """Two methods on three instances with two seeds; one of them is better by 1 to 3 %."""
    costs = {"SD1": 228.28, "SD2": 708.28, "SD10": 2683.73}
    return [
        record(name, method, cost * (1 + 0.01 * k * percent), seed=seed)
        for percent, (name, cost) in enumerate(costs.items(), 1)
        for k, method in enumerate(("good", "bad"))
        for seed in (1, 2)
    ]


def run_benchmark(run: Callable[..., Any], folder: Path) -> Path:
    """Run four methods on three instances with two seeds and return the file of records."""
    path = folder / "runs.jsonl"
    methods = "native,none+native,pasa:L=1+rtr,pasa:L=3+rtr"
    options = ("--methods", methods, "--iterations", 200, "--seeds", "1-2", "--jobs", 1)
    done = run("bench", "run", "--instances", "SD1", "SD2", "SD6", *options, "--records", path)
    assert done.exit_code == 0, done.stderr
    return path
