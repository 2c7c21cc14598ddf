"""Execute runs and append their records; runs that have a record are skipped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from splitroute.bench.records import LARGE_FIELDS, Journal, Record, read_records
from splitroute.bench.runs import Run
from splitroute.processes.pool import Failure, Pool, open_pool

REFUSED = "failed"  # status of runs that could not start, for example without the engine installed


def pending_runs(runs: Sequence[Run], path: Path, retry: bool = False) -> list[Run]:
    """Return the runs without a record; with `retry` also those that crashed or overran."""
    done: set[str] = set()
    if path.exists():
        done = {
            record.get("key", "")
            for record in read_records([path])
            if record["status"] == "ok" or (record["status"] != REFUSED and not retry)
        }
    return [run for run in runs if run.key not in done]


def execute_runs(
    runs: Sequence[Run],
    path: Path,
    pool: Pool,
    *,
    retry: bool = False,
    on_start: Callable[[Run], None] | None = None,
    on_end: Callable[[Run, Record], None] | None = None,
) -> list[Record]:
    """Execute the pending runs and return their records without the large fields.

    `on_start` is called from other threads, and not at all on a cluster.
    """
    new: list[Record] = []
    with Journal(path) as journal:
        pending = pending_runs(runs, path, retry)
        on_task = None if on_start is None else lambda number: on_start(pending[number])
        for number, outcome in pool.run((run.task() for run in pending), on_task):
            run = pending[number]
            record = run.failure_record(outcome) if isinstance(outcome, Failure) else outcome
            journal.append(record)
            new.append({k: v for k, v in record.items() if k not in LARGE_FIELDS})
            if on_end is not None:
                on_end(run, record)
    return new


def complete_runs(runs: Sequence[Run], path: Path, jobs: int = 1) -> list[Record]:
    """Execute the pending runs in `jobs` local processes; return the last record of every run."""
    with open_pool(count=jobs) as pool:
        execute_runs(runs, path, pool)
    by_key = {record.get("key"): record for record in read_records([path])}
    return [by_key[run.key] for run in runs]
