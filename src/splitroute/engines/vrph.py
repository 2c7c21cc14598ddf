"""VRPH, the paper's own solver, as an external program: Clarke-Wright and record-to-record travel.

C. Groër, B. Golden, E. Wasil: A library of local search heuristics for the vehicle routing problem.
Mathematical Programming Computation 2 (2010). The program is `vrp_rtr`, run with its defaults.
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from splitroute.engines import Capabilities
from splitroute.engines._sweep import sweep
from splitroute.errors import EngineError, InputError, MissingPackageError
from splitroute.instance import Instance
from splitroute.processes.child import kill_session
from splitroute.progress import Listener, Progress
from splitroute.solution import Solution
from splitroute.stop import Stop, TimeBudget

# It prints "CW solution 0[L=0.6000]: 4690.8711", and a bare cost after each start.
COST_LINE = re.compile(r"^(?:CW solution \d+\[.*\]: )?(\d+\.\d+)$", re.MULTILINE)
MAX_INTEGER = 2**31 - 1
TICK_SECONDS = 0.1  # between two calls of the listener

CAPABILITIES = Capabilities(runs_program=True)


def check(program: str = "vrp_rtr") -> str:
    """Return the path of the program; raise if it is not installed."""
    path = shutil.which(program)
    if path is None:
        raise MissingPackageError(
            f"the program {program!r} of VRPH is not installed; put vrp_rtr on the PATH "
            "or give its path as `program` (https://github.com/coin-or/VRPH)",
            field="program",
            value=program,
        )
    return path


def run(
    instance: Instance,
    stop: Stop,
    seed: int,
    start: Solution | None,
    listener: Listener,
    *,
    program: str = "vrp_rtr",
) -> Solution:
    """Solve a CVRP; it terminates by itself, is deterministic and ignores the start."""
    path = check(program)
    if instance.splittable:
        raise InputError(
            "the engine vrph cannot split; choose a rule that does, such as pasa", field="rule"
        )
    if stop.seconds is None or stop != Stop(seconds=stop.seconds):
        raise InputError("the engine vrph can be limited by seconds alone", field="stop")
    if not instance.symmetric:
        raise InputError(
            "the engine vrph needs symmetric distances; pyvrp and ortools do not", field="matrix"
        )
    if instance.capacity > MAX_INTEGER:
        raise InputError(
            f"capacity is {instance.capacity}; the engine vrph takes at most {MAX_INTEGER}",
            field="capacity",
            value=instance.capacity,
        )
    budget = TimeBudget(stop)
    with tempfile.TemporaryDirectory(prefix="splitroute-") as folder:
        instance_file, solution_file, log = (
            Path(folder, name) for name in ("in.vrp", "out.sol", "log.txt")
        )
        instance_file.write_text(tsplib(instance))
        with log.open("wb") as output:
            try:
                child = subprocess.Popen(
                    [path, "-f", str(instance_file), "-v", "-out", str(solution_file)],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                raise EngineError(
                    f"the engine vrph cannot run {path}: {error.strerror}",
                    field="program",
                    value=program,
                ) from None
        try:
            is_stopped = _wait(child, budget, log, listener)
        finally:
            kill_session(child)
            child.wait()
        if is_stopped:  # it has no solution before it terminates
            return start or sweep(instance)
        if child.returncode != 0 or not solution_file.exists():
            raise EngineError(f"the engine vrph crashed: exit code {child.returncode}")
        return _parse_solution(instance, solution_file.read_text(errors="replace"))


def _wait(
    child: "subprocess.Popen[bytes]", budget: TimeBudget, log: Path, listener: Listener
) -> bool:
    """Return whether a stop was requested; raise EngineError at the time limit."""
    while True:
        try:
            child.wait(TICK_SECONDS)
            return False
        except subprocess.TimeoutExpired:
            costs = [float(text) for text in COST_LINE.findall(log.read_text(errors="replace"))]
            best = min(costs, default=float("inf"))
            if listener(Progress(budget.elapsed, len(costs), best)):
                return True
            if budget.should_stop(0):
                raise EngineError(
                    f"the engine vrph was stopped after {budget.elapsed:.1f} s; "
                    "it has no solution before it terminates, so give it more time"
                ) from None


def tsplib(instance: Instance) -> str:
    """Return the CVRP in VRPH's dialect of TSPLIB, with the depot as node 1."""
    places = instance.sites.tolist()
    lines = [
        f"NAME: {re.sub(r'[^A-Za-z0-9_-]', '_', instance.name)[:60] or 'instance'}",
        "TYPE: CVRP",
        f"DIMENSION: {len(places)}",
        f"CAPACITY: {instance.capacity}",
    ]
    if instance.metric == "exact":
        lines += ["EDGE_WEIGHT_TYPE: EXACT_2D", "EDGE_WEIGHT_FORMAT: FUNCTION"]
        lines += ["NODE_COORD_TYPE: TWOD_COORDS", "NODE_COORD_SECTION"]
        xy = instance.xy.tolist()
        lines += [f"{k} {xy[p][0]:.9g} {xy[p][1]:.9g}" for k, p in enumerate(places, 1)]
    else:
        lines += ["EDGE_WEIGHT_TYPE: EXPLICIT", "EDGE_WEIGHT_FORMAT: UPPER_DIAG_ROW"]
        lines += ["EDGE_WEIGHT_SECTION"]
        table = instance.table[np.ix_(instance.sites, instance.sites)]
        # One number per line: VRPH reads lines of at most 100 characters.
        lines += [f"{d:.9g}" for k, row in enumerate(table.tolist()) for d in row[k:]]
    lines += ["DEMAND_SECTION"]
    lines += [f"{k} {demand}" for k, demand in enumerate(instance.demands.tolist(), 1)]
    return "\n".join([*lines, "DEPOT_SECTION", "1", "-1", "EOF", ""])


def _parse_solution(instance: Instance, text: str) -> Solution:
    """Parse a solution file: the number of customers, then the visits, then 0.

    The first visit of a route is negative. The objective value follows the 0.
    """
    routes: list[list[int]] = []
    for word in text.split()[1:]:
        if not re.fullmatch(r"-?\d+", word):
            raise EngineError("the engine vrph wrote an unreadable solution")
        customer = int(word)
        if customer == 0:
            return Solution.unsplit(instance, routes)
        if customer < 0:
            routes.append([])
        if not routes or abs(customer) > len(instance.customers):
            raise EngineError("the engine vrph wrote a solution with unknown customers")
        routes[-1].append(abs(customer))
    raise EngineError("the engine vrph wrote an incomplete solution")
