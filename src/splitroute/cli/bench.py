"""`splitroute bench`: methods side by side, their records, tables, figures and report."""

import json as json_
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from splitroute.cli import _options as o
from splitroute.distances import METRICS
from splitroute.errors import InputError
from splitroute.files import check_writable, write_bytes
from splitroute.registry import one_of
from splitroute.report import counted
from splitroute.stop import Stop

if TYPE_CHECKING:
    from splitroute.bench.references import BestKnown
    from splitroute.bench.results import Runs

Records = Annotated[
    list[Path], typer.Option("--records", help="File of records (JSON lines); may be repeated.")
]
Against = Annotated[
    str | None,
    typer.Option("--against", help="Gaps to the values of: paper, challenge, own or runs."),
]
Chosen = Annotated[
    str | None,
    typer.Option("--methods", help="Only these, and in this order; all if none are named."),
]
Data = Annotated[
    Path | None, typer.Option("--data", help="Folder that holds SET-1 to SET-4; see `fetch`.")
]


def add_to(app: typer.Typer) -> None:
    """Adds the command, which has sub-commands of its own."""
    bench = typer.Typer(help="Compare methods on benchmarks.", no_args_is_help=True)
    for command in (_run, _table, _compare, _plot, _report, _records, _fetch):
        bench.command(command.__name__[1:])(command)
    app.add_typer(bench, name="bench")


def _run(
    methods: Annotated[
        str,
        typer.Option(
            "--methods", help="RULE+ENGINE,... such as pasa:L=3+rtr,none+native,native,sdvrp-py."
        ),
    ],
    instances: Annotated[
        list[str],
        typer.Option("--instances", help="Files, folders, sets (SET-1 .. SET-4, all) or names."),
    ],
    more: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    metric: o.MetricName = None,
    time: Annotated[float | None, typer.Option("--time", help="Seconds per job (10).")] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help="Iterations per job instead.")
    ] = None,
    seeds: Annotated[str, typer.Option("--seeds", help="Such as 1-3 or 1,5.")] = "1",
    jobs: Annotated[int, typer.Option("--jobs", help="Jobs at once, one core each.")] = 1,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="A Dask cluster: tcp://host:8786 or local:4.")
    ] = None,
    records: Annotated[Path, typer.Option("--records", help="Added to as jobs end.")] = Path(
        "runs.jsonl"
    ),
    data: Data = None,
    pass_through: o.PassThrough = False,
    repeats: Annotated[
        bool, typer.Option("--repeats", help="Also the files that repeat others.")
    ] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Run failed jobs again.")] = False,
    quiet: o.Quiet = False,
) -> None:
    """Run methods on instances; one record per job, and only what has none yet."""
    from splitroute.bench.methods import Method
    from splitroute.bench.runner import missing
    from splitroute.bench.runner import run as run_jobs
    from splitroute.bench.sets import cases
    from splitroute.bench.tasks import jobs as make_jobs
    from splitroute.cli._board import Board
    from splitroute.processes.pool import open_pool

    if metric is not None:
        one_of(list(METRICS), "metric", metric)
    if time is not None and iterations is not None:
        raise InputError("--time and --iterations; give one of them")
    stop = (
        Stop(iterations=iterations)
        if iterations is not None
        else Stop(seconds=10.0 if time is None else time)
    )
    words = [part for word in [*instances, *(more or [])] for part in word.split(",") if part]
    wanted = cases(words, metric, data, pass_through, repeats)  # type: ignore[arg-type]
    chosen = [Method.parse(text) for text in _list(methods)]
    for method in chosen:
        method.check(stop)
    todo = make_jobs(wanted, chosen, stop, _seeds(seeds))
    if not todo:
        raise InputError("nothing to run; name at least one method, such as native")
    left = missing(todo, records, retry)
    said = Console(stderr=True, soft_wrap=True)
    if not quiet:
        said.print(
            f"{counted(len(wanted), 'instance')}, {counted(len(todo), 'job')}, "
            f"{len(todo) - len(left)} recorded already"
        )
    board = Board(len(left), said, shown=not quiet)
    with open_pool(cluster, jobs) as where, board:
        try:
            new = run_jobs(todo, records, where, retry=retry, begun=board.begun, ended=board.ended)
        except KeyboardInterrupt:
            said.print("interrupted; the same command goes on from here", markup=False)
            raise
    if not quiet:
        failed = [r for r in new if r["status"] != "ok"]
        count = f"{counted(len(new) - len(failed), 'new record')}, {len(failed)} failed"
        said.print(f"{count}: {records}", markup=False)
        for r in failed[:5]:
            said.print(f"  {r['status']}: {r['instance']}, {r['method']}: {r['why']}", markup=False)
    if any(r["status"] != "ok" for r in new):
        raise typer.Exit(1)


def _table(
    records: Records,
    format: Annotated[str, typer.Option("--format", help="terminal, markdown, latex or csv.")] = (
        "terminal"
    ),
    against: Against = None,
    methods: Chosen = None,
    short: Annotated[bool, typer.Option("--overview", help="Mean gaps per set only.")] = False,
) -> None:
    """Print tables: one per set and metric, the paper's columns beside ours."""
    from splitroute.bench.render import FORMATS, comma_separated
    from splitroute.bench.tables import overview, tables

    one_of([*FORMATS, "csv"], "format", format)
    if format == "csv" and short:
        raise InputError("--overview is for people; CSV has all figures, and averages are left out")
    found = _runs(records, against, methods)
    if format == "csv":
        shown = [table for runs in found for table in tables(runs)]
        typer.echo(comma_separated(shown), nl=False)
        for note in [note for table in shown for note in table.notes]:
            typer.echo(note, err=True)
        return
    render = FORMATS[format]
    for runs in found:
        for table in [overview(runs)] if short else [*tables(runs), overview(runs)]:
            typer.echo(render(table))


def _compare(
    first: Annotated[str, typer.Argument(help="A method.")],
    second: Annotated[str, typer.Argument(help="The method to compare it with.")],
    records: Records,
    json: o.Json = False,
) -> None:
    """Say whether one method is better than another: wins, mean difference, Wilcoxon's test."""
    from splitroute.bench.compare import compare

    both = [runs for runs in _runs(records) if {first, second} <= set(runs.methods)]
    found = [compare(runs, first, second) for runs in both or _runs(records)]
    if json:
        typer.echo(json_.dumps([asdict(each) for each in found]))
    else:
        typer.echo("\n".join(each.text() for each in found))


def _plot(
    records: Records,
    out: Annotated[Path, typer.Option("--out", help="Folder for the figures (SVG).")] = Path(
        "figures"
    ),
    against: Against = None,
    methods: Chosen = None,
) -> None:
    """Save every figure that the records have data for."""
    from splitroute.bench.report import pictures

    found = _runs(records, against, methods, whole=True)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out}: cannot be a folder: {error.strerror}") from None
    for runs in found:
        drawn, lacking = pictures(runs)
        for name, picture in drawn.items():
            path = out / f"{runs.metric}-{name}.svg"
            write_bytes(path, picture.svg.replace("currentColor", "#1d2127").encode())
            typer.echo(f"saved {path}")
            if picture.left_out:
                typer.echo(f"left out of {path.name}: {picture.left_out}", err=True)
        for words in lacking:
            typer.echo(f"not drawn: {words}", err=True)


def _report(
    records: Records,
    out: Annotated[Path, typer.Option("--out", help="The page.")] = Path("report.html"),
    against: Against = None,
    methods: Chosen = None,
) -> None:
    """Save one page with the answer, all tables and figures, and the routes of each instance."""
    from splitroute.bench.records import read_records
    from splitroute.bench.report import write_report

    check_writable(out)
    _known(against)
    write_report(list(read_records(records, whole=True)), out, against, _list(methods or ""))
    typer.echo(f"saved {out}")


def _records(
    folder: Annotated[Path, typer.Argument(help="Solutions, as METRIC/INSTANCE.txt (DIMACS).")],
    table: Annotated[Path, typer.Option("--table", help="Updated with what is better.")] = Path(
        "best_known.csv"
    ),
    keep: Annotated[
        list[Path] | None, typer.Option("--from", help="First keep what is best in these records.")
    ] = None,
    bound: Annotated[
        float, typer.Option("--bound", help="Seconds for a lower bound of each.")
    ] = 0.0,
    jobs: Annotated[int, typer.Option("--jobs", help="Bounds at once, one core each.")] = 1,
    data: Data = None,
) -> None:
    """Check a folder of solutions and update the table of best known values."""
    from splitroute.bench import best_known
    from splitroute.bench.records import read_records
    from splitroute.processes.pool import open_pool

    if keep:
        for path in best_known.keep(read_records(keep, whole=True), folder, data):
            typer.echo(f"kept {path}")
    found = best_known.check(folder, table, data)
    for each in found:
        if each.problem:
            typer.echo(f"{each.path}: {each.problem}")
        elif each.news:
            typer.echo(f"{each.instance}, {each.metric}: {each.news}")
    wrong = sum(bool(each.problem) for each in found)
    typer.echo(f"{counted(len(found), 'solution')}, {wrong} not valid")
    if bound and not wrong:
        with open_pool(count=jobs) as where:
            best_known.raise_bounds(folder, table, where, bound, data, _show_bound)
    raise typer.Exit(1 if wrong else 0)


def _show_bound(row: "BestKnown") -> None:
    gap = f"gap to bound {100 * row.gap(float(row.bound)):.2f} %"
    news = "proven" if row.proven == "yes" else gap
    typer.echo(f"{row.instance}, {row.metric}: {row.value}, bound {row.bound}, {news}")


def _fetch(
    data: Data = None,
    source: Annotated[
        str | None, typer.Option("--from", help="Address of the folder with SET-1 to SET-4.")
    ] = None,
) -> None:
    """Download the public benchmark files and check them."""
    from splitroute.bench.fetch import SOURCE, fetch
    from splitroute.bench.sets import data_folder

    folder = data_folder(data)
    count = fetch(folder, source or SOURCE)
    typer.echo(f"{counted(count, 'file')} fetched, all complete: {folder}")


def _runs(
    records: list[Path],
    against: str | None = None,
    methods: str | None = None,
    whole: bool = False,
) -> "list[Runs]":
    from splitroute.bench.records import read_records
    from splitroute.bench.results import in_metrics

    _known(against)
    found = in_metrics(read_records(records, whole=whole), against, _list(methods or ""))
    if not found:
        raise InputError(f"{', '.join(map(str, records))}: no records yet")
    return found


def _known(against: str | None) -> None:
    from splitroute.bench.results import REFERENCES

    if against is not None:
        one_of(list(REFERENCES), "reference", against)


def _list(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _seeds(text: str) -> list[int]:
    try:
        seeds: list[int] = []
        for word in _list(text):
            low, _, high = word.partition("-")
            seeds += range(int(low), int(high or low) + 1)
    except ValueError:
        raise InputError(f"--seeds is {text!r}; it is written like 1-3 or 1,5") from None
    if not seeds:
        raise InputError(f"--seeds is {text!r}; there must be one at least")
    return list(dict.fromkeys(seeds))
