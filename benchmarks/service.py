"""Load test of the service, and a test that it loses no job when it is killed.

    .venv/bin/python benchmarks/service.py load --jobs 50 --seconds 5
    .venv/bin/python benchmarks/service.py kills --jobs 40 --kills 20

Runs the real program on a free port, with a store in a temporary folder or at the given URL. Prints
one line per requirement; the exit code is 1 if one is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import math
import random
import sys
import tempfile
import time
import uuid
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
from clients import Client, Program

from splitroute.formats.json import parse_solution
from splitroute.generate import random_instance
from splitroute.instance import Instance
from splitroute.validation import Claims, validate

CUSTOMERS = 50
REQUEST_RATE = 50  # per second
MAX_P99_SECONDS = 0.1
KILL_SECONDS = 3.0  # between kills on average, restart included
ENDED = ("done", "failed", "cancelled")


@dataclass(frozen=True)
class Requirement:
    is_met: bool
    text: str


async def load(program: Program, options: argparse.Namespace) -> list[Requirement]:
    """Submit many jobs and request their states while they run."""
    run, count = uuid.uuid4().hex[:8], options.jobs
    max_seconds = 120 + count * (options.seconds + 5) / options.workers
    clients = [Client(program, k + 1) for k in range(options.clients)]
    await clients[0].ready()
    start = time.perf_counter()
    ids = await asyncio.gather(
        *(clients[k % len(clients)].post(_instance(run, k), options.seconds) for k in range(count))
    )
    submitted = time.perf_counter() - start
    latencies: list[float] = []
    has_ended = asyncio.Event()
    polling = asyncio.create_task(_poll(clients[0], ids, latencies, has_ended))
    streams = []
    for k in range(options.streams):  # opened one after another, as by people
        stream = clients[k % len(clients)].follow(ids[k % count], max_seconds)
        streams.append(asyncio.create_task(stream))
        await asyncio.sleep(1 / REQUEST_RATE)
    streamed = await asyncio.gather(*streams)
    # There may be fewer streams than jobs; the stream of an ended job repeats all its events.
    histories = await asyncio.gather(*(clients[0].follow(job, max_seconds) for job in ids))
    elapsed = time.perf_counter() - start
    has_ended.set()
    await polling
    done = Counter([(await clients[0].state(job))["status"] for job in ids])
    ended = sum(statuses[-1:] == ["done"] for statuses in streamed)
    once = sum(statuses == ["queued", "running", "done"] for statuses in histories)
    listed = await clients[0].names(run)
    p99 = sorted(latencies)[int(0.99 * len(latencies))]
    for client in clients:
        await client.http.aclose()
    return [
        Requirement(
            done["done"] == count,
            f"{done['done']} of {count} jobs of {options.seconds:g} s done in {elapsed:.0f} s on "
            f"{options.workers} workers; submitted in {submitted:.2f} s",
        ),
        Requirement(
            len(set(ids)) == len(listed) == listed.total() == once == count,
            f"{once} of {count} jobs run exactly once; {listed.total()} listed",
        ),
        Requirement(
            p99 < MAX_P99_SECONDS,
            f"p99 latency {1000 * p99:.0f} ms over {len(latencies)} requests "
            f"(limit {1000 * MAX_P99_SECONDS:.0f} ms), maximum {1000 * max(latencies):.0f} ms",
        ),
        Requirement(
            ended == options.streams,
            f"{ended} of {options.streams} event streams received the end of their job",
        ),
    ]


async def _poll(
    client: Client, ids: list[str], latencies: list[float], has_ended: asyncio.Event
) -> None:
    """Request states at a fixed rate: waiting for responses would hide a slow service."""

    async def request(job: str) -> None:
        start = time.perf_counter()
        try:
            await client.state(job)
            latencies.append(time.perf_counter() - start)
        except httpx.HTTPError:
            latencies.append(math.inf)

    start = time.perf_counter()
    async with asyncio.TaskGroup() as requests:
        for k in itertools.count(1):
            requests.create_task(request(ids[k % len(ids)]))
            await asyncio.sleep(start + k / REQUEST_RATE - time.perf_counter())
            if has_ended.is_set():
                break


async def kills(program: Program, options: argparse.Namespace) -> list[Requirement]:
    """Kill the service repeatedly while jobs are submitted and run."""
    run, rng = uuid.uuid4().hex[:8], random.Random(options.seed)
    client = Client(program)
    await client.ready()
    killing = asyncio.create_task(_kill(program, options.kills, rng))
    accepted: dict[str, Instance] = {}
    lost_responses = 0
    for k in range(options.jobs):
        instance, is_accepted = _instance(run, k), False
        while not is_accepted:
            try:
                accepted[await client.post(instance, options.seconds)] = instance
                is_accepted = True
            except httpx.TransportError as error:
                lost_responses += not isinstance(error, httpx.ConnectError)
                await asyncio.sleep(0.05)
        await asyncio.sleep(rng.uniform(0, 2) * options.kills * KILL_SECONDS / options.jobs)
    await killing
    await client.ready()
    max_seconds = 120 + len(accepted) * (options.seconds + 5) / options.workers
    histories = await asyncio.gather(*(client.follow(job, max_seconds) for job in accepted))
    states = [await client.state(job) for job in accepted]
    done = sum(state["status"] == "done" for state in states)
    valid = sum(map(_is_valid, accepted.values(), states))
    restarts = sum(statuses.count("running") - 1 for statuses in histories)
    ends = sum(status in ENDED for statuses in histories for status in statuses)
    await client.http.aclose()
    return [
        Requirement(
            done == ends == options.jobs,
            f"{done} of {options.jobs} accepted jobs done after {options.kills} kills; "
            f"{restarts} restarts of jobs, {lost_responses} lost responses",
        ),
        Requirement(valid == options.jobs, f"{valid} of {options.jobs} solutions valid"),
    ]


async def _kill(program: Program, times: int, rng: random.Random) -> None:
    for _ in range(times):
        await asyncio.sleep(rng.uniform(0, 2 * KILL_SECONDS))
        program.kill()
        program.start()


def _instance(run: str, number: int) -> Instance:
    """Return an instance named after this run: a store may hold others."""
    return replace(random_instance(CUSTOMERS, seed=number), name=f"{run} {number}")


def _is_valid(instance: Instance, state: dict[str, Any]) -> bool:
    if "solution" not in state:
        return False
    solution = parse_solution(json.dumps(state["solution"]), instance, instance.name).solution
    return not validate(instance, solution, Claims(state["cost"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", help="URL of the database; a new SQLite file by default")
    parser.add_argument("--workers", type=int, default=2)
    commands = parser.add_subparsers(required=True, metavar="load|kills")
    load_parser = commands.add_parser("load", help=load.__doc__)
    load_parser.set_defaults(measure=load)
    load_parser.add_argument("--jobs", type=int, default=50)
    load_parser.add_argument("--seconds", type=float, default=5.0)
    load_parser.add_argument("--clients", type=int, default=10)
    load_parser.add_argument("--streams", type=int, default=200)
    kills_parser = commands.add_parser("kills", help=kills.__doc__)
    kills_parser.set_defaults(measure=kills)
    kills_parser.add_argument("--jobs", type=int, default=40)
    kills_parser.add_argument("--seconds", type=float, default=1.0)
    kills_parser.add_argument("--kills", type=int, default=20)
    kills_parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or f"sqlite:///{folder}/jobs.db"
        serve_options = ["--workers", options.workers, "--max-open-jobs", max(100, options.jobs)]
        serve_options += ["--trusted-proxy", "127.0.0.1"]
        streams = getattr(options, "streams", 0) + options.jobs
        serve_options += ["--max-streams", max(500, streams)]
        serve_options += ["--max-streams-per-client", max(100, streams)]
        program = Program(store, serve_options, Path(folder) / "log")
        program.start()
        try:
            requirements = asyncio.run(options.measure(program, options))
        finally:
            program.stop()
        for requirement in requirements:
            print(f"{'met' if requirement.is_met else 'MISSED'}: {requirement.text}")
        if not all(requirement.is_met for requirement in requirements):
            print(program.log.read_text()[-2000:], file=sys.stderr)
            sys.exit(1)


if __name__ == "__main__":
    main()
