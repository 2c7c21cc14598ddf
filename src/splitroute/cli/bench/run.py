"""`splitroute bench run`: run methods on instances."""

from pathlib import Path
from typing import Annotated

import typer

from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli._console import plain_console
from splitroute.cli._exit import VIOLATIONS
from splitroute.cli._options import INPUT, OUTPUT, SEARCH, option
from splitroute.cli.bench._options import Data, split_list
from splitroute.distances import METRICS
from splitroute.errors import InputError
from splitroute.registry import check_choice
from splitroute.report import pluralize
from splitroute.stop import Stop

DEFAULT_SECONDS = 10.0
MAX_LISTED = 5  # failed runs
EXAMPLE = "splitroute bench run --instances SET-1 --methods native,pasa:L=3+rtr --seeds 1-3"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "run", _run, EXAMPLE)


def _run(
    instances: Annotated[
        list[str],
        option(
            "--instances",
            INPUT,
            "Files, folders, sets (SET-1 to SET-4, all, solomon, hfvrp, mdvrp, belgium) or names.",
            "LIST",
        ),
    ],
    methods: Annotated[
        str,
        option(
            "--methods",
            SEARCH,
            "RULE+ENGINE,... for example pasa:L=3+rtr,none+native,native,sdvrp-py.",
            "LIST",
        ),
    ],
    more: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    metric: o.MetricName = None,
    data: Data = None,
    duplicates: Annotated[
        bool, option("--duplicates", INPUT, "Include the ten files that duplicate others.")
    ] = False,
    pass_through: o.PassThrough = False,
    time: Annotated[
        float | None, option("--time", SEARCH, "Seconds per run; default: 10.", "SECONDS")
    ] = None,
    iterations: Annotated[
        int | None, option("--iterations", SEARCH, "Iterations per run, instead of --time.", "N")
    ] = None,
    seeds: Annotated[str, option("--seeds", SEARCH, "For example 1-3 or 1,5.", "LIST")] = "1",
    jobs: Annotated[int, option("--jobs", SEARCH, "Parallel runs, one core each.", "N")] = 1,
    cluster: Annotated[
        str | None,
        option(
            "--cluster",
            SEARCH,
            "Dask cluster: tcp://host:8786, or local:4 to start one.",
            "ADDRESS",
        ),
    ] = None,
    retry: Annotated[bool, option("--retry", SEARCH, "Repeat failed runs.")] = False,
    records: Annotated[
        Path, option("--records", OUTPUT, "Append a record per run to this file.", "FILE")
    ] = Path("runs.jsonl"),
    quiet: o.Quiet = False,
) -> None:
    """Run methods on instances. Runs that have a record are skipped."""
    from splitroute.bench.methods import Method
    from splitroute.bench.runner import execute_runs, pending_runs
    from splitroute.bench.runs import make_runs
    from splitroute.bench.seeds import parse_seeds
    from splitroute.bench.sets import load_instances
    from splitroute.cli.bench._display import RunDisplay
    from splitroute.processes.pool import open_pool

    if metric is not None:
        check_choice(list(METRICS), "metric", metric)
    stop = _stop(time, iterations)
    names = [name for text in [*instances, *(more or [])] for name in split_list(text)]
    benchmarks = load_instances(names, metric, data, pass_through, duplicates)  # type: ignore[arg-type]
    selected = [Method.parse(name) for name in split_list(methods)]
    for method in selected:
        method.check(stop)
    runs = make_runs(benchmarks, selected, stop, parse_seeds(seeds))
    if not runs:
        message = "nothing to run; name at least one method, such as native"
        raise InputError(message, field="methods", value=methods)
    pending = pending_runs(runs, records, retry)
    console = plain_console(stderr=True, soft_wrap=True)
    if not quiet:
        console.print(
            f"{pluralize(len(benchmarks), 'instance')}, {pluralize(len(runs), 'run')}, "
            f"{len(runs) - len(pending)} already recorded"
        )
    display = RunDisplay(len(pending), console, shown=not quiet)
    with open_pool(cluster, jobs) as pool, display:
        try:
            new = execute_runs(
                runs, records, pool, retry=retry, on_start=display.on_start, on_end=display.on_end
            )
        except KeyboardInterrupt:
            console.print("interrupted; run the same command again to continue")
            raise
    failed = [record for record in new if record["status"] != "ok"]
    if not quiet:
        count = f"{pluralize(len(new) - len(failed), 'new record')}, {len(failed)} failed"
        console.print(f"{count}: {records}")
        for r in failed[:MAX_LISTED]:
            text = f"  {r['status']}: {r['instance']}, {r['method']}: {r['reason']}"
            console.print(text)
    if failed:
        raise typer.Exit(VIOLATIONS)


def _stop(time: float | None, iterations: int | None) -> Stop:
    if time is not None and iterations is not None:
        message = "time and iterations are mutually exclusive"
        raise InputError(message, field="iterations", value=iterations)
    if iterations is not None:
        return Stop(iterations=iterations)
    return Stop(seconds=DEFAULT_SECONDS if time is None else time)
