"""Compare splitroute with VROOM on its documented example and on random requests.

    .venv/bin/python benchmarks/vroom.py --seconds 2

Both get the same request, the same time limit and one thread. VROOM runs through pyvroom, in a
child process and at its highest exploration level; it may end before the limit. With
`--as-long-as-vroom`, splitroute gets no more time than VROOM took, but at least 0.1 s.
Responses are compared by priority, then by assigned jobs, then by cost.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests"))
import splitroute as sr
from splitroute import formats
from splitroute.formats import vroom as vroom_format
from vroom_requests import EXAMPLE_2, OVERSIZED, SERVED, SHORT

EXPLORATION_LEVEL = 5
MIN_SECONDS = 0.1
MAX_GAP = 0.5  # percent above VROOM
MORE, LESS = "more", "LESS"
CHILD = """
import json, sys, vroom
from datetime import timedelta
path, level, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
solution = vroom.Input.from_json(path).solve(level, 1, timedelta(seconds=seconds))
print(json.dumps(solution.to_dict()))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="time limit of both")
    parser.add_argument("--seed", type=int, default=1, help="of splitroute; VROOM has none")
    parser.add_argument("--only", default="", help="requests whose name contains this")
    parser.add_argument("--as-long-as-vroom", action="store_true")
    options = parser.parse_args()
    groups = {
        "every job fits": {"example 2": lambda: EXAMPLE_2, **SERVED},
        "the fleet is too small": SHORT,
        "oversized jobs": OVERSIZED,
    }
    is_good = True
    for title, requests in groups.items():
        print(f"\n{title}")
        print(f"{'request':30}{'VROOM':>9}{'s':>6}{'-':>4}{'ours':>9}{'s':>6}{'-':>4}{'gap %':>9}")
        outcomes = [
            compare(name, request(), options)
            for name, request in requests.items()
            if options.only in name
        ]
        is_good = is_good and LESS not in outcomes
        if gaps := [gap for gap in outcomes if isinstance(gap, float)]:
            print(f"{len(gaps)} of equal service: mean {statistics.mean(gaps):+.2f} %, "
                  f"highest {max(gaps):+.2f} %")  # fmt: skip
            is_good = is_good and max(gaps) <= MAX_GAP and statistics.mean(gaps) < 0
    sys.exit(0 if is_good else 1)


def compare(name: str, request: dict[str, Any], options: argparse.Namespace) -> float | str:
    """Print a row; return the gap, or whether ours serves more or less in priority and jobs."""
    theirs, their_seconds = run_vroom(request, options.seconds)
    seconds = options.seconds
    if options.as_long_as_vroom:
        seconds = max(MIN_SECONDS, theirs["summary"]["computing_times"]["solving"] / 1000)
    ours, our_seconds = run_splitroute(request, seconds, options.seed)
    summaries = [response["summary"] for response in (theirs, ours)]
    cost, our_cost = (summary["cost"] for summary in summaries)
    served, ours_served = ((s["priority"], -s["unassigned"]) for s in summaries)
    outcome: float | str = 100 * (our_cost - cost) / cost
    verdict = f"{outcome:+9.2f}"
    if served != ours_served:
        outcome = MORE if ours_served > served else LESS
        verdict = f"   serves {outcome}"
    left, our_left = (summary["unassigned"] for summary in summaries)
    print(f"{name:30}{cost:9}{their_seconds:6.2f}{left:4}{our_cost:9}{our_seconds:6.2f}{our_left:4}"
          f"{verdict}", flush=True)  # fmt: skip
    return outcome


def run_vroom(request: dict[str, Any], seconds: float) -> tuple[dict[str, Any], float]:
    """Return VROOM's response, and the seconds that it took to solve."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(request, file)
        file.flush()
        command = [sys.executable, "-c", CHILD, file.name, str(EXPLORATION_LEVEL), str(seconds)]
        output = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    response = json.loads(output)
    return response, response["summary"]["computing_times"]["solving"] / 1000


def run_splitroute(
    request: dict[str, Any], seconds: float, seed: int
) -> tuple[dict[str, Any], float]:
    """Return our response, and the seconds that it took with parsing and validation."""
    started = time.perf_counter()
    instance = formats.parse(json.dumps(request), "request.json")
    result = sr.solve(instance, stop=sr.Stop(seconds=seconds), seed=seed)
    text = vroom_format.dump_solution(instance, result.solution, result.metadata())
    return json.loads(text), time.perf_counter() - started


if __name__ == "__main__":
    main()
