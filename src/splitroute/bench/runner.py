"""Runs jobs and keeps their records; what is recorded already is not run again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from splitroute.bench.records import HEAVY, Journal, Record, read_records
from splitroute.bench.tasks import Job
from splitroute.processes.pool import Failure, Pool

REFUSED = "failed"  # it was not even tried, such as with an engine that is not installed


def missing(jobs: Sequence[Job], path: Path, retry: bool = False) -> list[Job]:
    """The jobs that have no record yet; with `retry`, also those that crashed or overran."""
    done: set[str] = set()
    if path.exists():
        done = {
            record.get("key", "")
            for record in read_records([path])
            if record["status"] == "ok" or (record["status"] != REFUSED and not retry)
        }
    return [job for job in jobs if job.key not in done]


def run(
    jobs: Sequence[Job],
    path: Path,
    workers: Pool,
    *,
    retry: bool = False,
    begun: Callable[[Job], None] | None = None,
    ended: Callable[[Job, Record], None] | None = None,
) -> list[Record]:
    """Runs what is missing and returns the new records.

    What is called when a job has `begun` may be called from other threads; on a cluster nobody
    knows, and it is not called.
    """
    new: list[Record] = []
    with Journal(path) as journal:
        left = missing(jobs, path, retry)
        at_start = None if begun is None else lambda number: begun(left[number])
        for number, answer in workers.run((job.task() for job in left), at_start):
            job = left[number]
            record = job.failed(answer) if isinstance(answer, Failure) else answer
            journal.append(record)
            new.append({k: v for k, v in record.items() if k not in HEAVY})
            if ended is not None:
                ended(job, record)
    return new
