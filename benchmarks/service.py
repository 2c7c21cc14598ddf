"""Whether the service keeps up with many jobs at once, and loses none when it is killed.

    .venv/bin/python benchmarks/service.py load --jobs 50 --seconds 5
    .venv/bin/python benchmarks/service.py kills --jobs 40 --kills 20

The real program, on a free port of this machine, with a store of its own in a temporary folder or
at the address given. One line per bar; the exit code says whether all were met.
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
RATE = 50  # looks at jobs per second
MOST_LATENCY = 0.1  # seconds, for 99 of 100 looks
BETWEEN_KILLS = 3.0  # seconds on average, starting included
ENDED = ("done", "failed", "cancelled")


@dataclass(frozen=True)
class Bar:
    met: bool
    text: str


async def load(program: Program, options: argparse.Namespace) -> list[Bar]:
    """Many jobs at once, with people who look at them meanwhile."""
    run, count = uuid.uuid4().hex[:8], options.jobs
    limit = 120 + count * (options.seconds + 5) / options.workers
    clients = [Client(program, k + 1) for k in range(options.clients)]
    await clients[0].ready()
    began = time.perf_counter()
    ids = await asyncio.gather(
        *(clients[k % len(clients)].post(_instance(run, k), options.seconds) for k in range(count))
    )
    posted = time.perf_counter() - began
    latencies: list[float] = []
    over = asyncio.Event()
    looking = asyncio.create_task(_look(clients[0], ids, latencies, over))
    streams = []
    for k in range(options.streams):  # which people open one after another
        stream = clients[k % len(clients)].follow(ids[k % count], limit)
        streams.append(asyncio.create_task(stream))
        await asyncio.sleep(1 / RATE)
    told = await asyncio.gather(*streams)
    # There may be fewer streams than jobs; that of a job that has ended is its whole story.
    stories = await asyncio.gather(*(clients[0].follow(job, limit) for job in ids))
    took = time.perf_counter() - began
    over.set()
    await looking
    done = Counter([(await clients[0].state(job))["status"] for job in ids])
    ended = sum(story[-1:] == ["done"] for story in told)
    once = sum(story == ["queued", "running", "done"] for story in stories)
    listed = await clients[0].names(run)
    slow = sorted(latencies)[int(0.99 * len(latencies))]
    for client in clients:
        await client.http.aclose()
    return [
        Bar(
            done["done"] == count,
            f"{done['done']} of {count} jobs of {options.seconds:g} s done in {took:.0f} s on "
            f"{options.workers} workers; handed in within {posted:.2f} s",
        ),
        Bar(
            len(set(ids)) == len(listed) == listed.total() == once == count,
            f"{once} of {count} jobs carried out exactly once; {listed.total()} in the list",
        ),
        Bar(
            slow < MOST_LATENCY,
            f"99 of 100 of {len(latencies)} looks at jobs within {1000 * slow:.0f} ms "
            f"(at most {1000 * MOST_LATENCY:.0f}), the slowest {1000 * max(latencies):.0f} ms",
        ),
        Bar(
            ended == options.streams,
            f"{ended} of {options.streams} streams of events were told of their job's end",
        ),
    ]


async def _look(
    client: Client, ids: list[str], latencies: list[float], over: asyncio.Event
) -> None:
    """Looks at jobs at a steady rate, answered or not: waiting would spare a slow service."""

    async def look(job: str) -> None:
        began = time.perf_counter()
        try:
            await client.state(job)
            latencies.append(time.perf_counter() - began)
        except httpx.HTTPError:
            latencies.append(math.inf)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as looks:
        for k in itertools.count(1):
            looks.create_task(look(ids[k % len(ids)]))
            await asyncio.sleep(began + k / RATE - time.perf_counter())
            if over.is_set():
                break


async def kills(program: Program, options: argparse.Namespace) -> list[Bar]:
    """The service is killed again and again while jobs come in and are carried out."""
    run, draw = uuid.uuid4().hex[:8], random.Random(options.seed)
    client = Client(program)
    await client.ready()
    killing = asyncio.create_task(_kill(program, options.kills, draw))
    accepted: dict[str, Instance] = {}
    unanswered = 0
    for k in range(options.jobs):
        instance, answered = _instance(run, k), False
        while not answered:
            try:
                accepted[await client.post(instance, options.seconds)] = instance
                answered = True
            except httpx.TransportError as error:
                unanswered += not isinstance(error, httpx.ConnectError)
                await asyncio.sleep(0.05)
        await asyncio.sleep(draw.uniform(0, 2) * options.kills * BETWEEN_KILLS / options.jobs)
    await killing
    await client.ready()
    limit = 120 + len(accepted) * (options.seconds + 5) / options.workers
    stories = await asyncio.gather(*(client.follow(job, limit) for job in accepted))
    states = [await client.state(job) for job in accepted]
    done = sum(state["status"] == "done" for state in states)
    valid = sum(map(_valid, accepted.values(), states))
    again = sum(story.count("running") - 1 for story in stories)
    ends = sum(status in ENDED for story in stories for status in story)
    await client.http.aclose()
    return [
        Bar(
            done == ends == options.jobs,
            f"{done} of {options.jobs} accepted jobs done after {options.kills} kills; {again} "
            f"times a job was taken up again, {unanswered} times an answer was lost",
        ),
        Bar(valid == options.jobs, f"{valid} of {options.jobs} solutions valid"),
    ]


async def _kill(program: Program, times: int, draw: random.Random) -> None:
    for _ in range(times):
        await asyncio.sleep(draw.uniform(0, 2 * BETWEEN_KILLS))
        program.kill()
        program.start()


def _instance(run: str, number: int) -> Instance:
    """One that belongs to this run: a store may hold others."""
    return replace(random_instance(CUSTOMERS, seed=number), name=f"{run} {number}")


def _valid(instance: Instance, state: dict[str, Any]) -> bool:
    if "solution" not in state:
        return False
    solution = parse_solution(json.dumps(state["solution"]), instance, instance.name).solution
    return not validate(instance, solution, Claims(state["cost"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", help="address of a database; SQLite in a new folder by default")
    parser.add_argument("--workers", type=int, default=2)
    kinds = parser.add_subparsers(required=True, metavar="load|kills")
    one = kinds.add_parser("load", help=load.__doc__)
    one.set_defaults(measure=load)
    one.add_argument("--jobs", type=int, default=50)
    one.add_argument("--seconds", type=float, default=5.0)
    one.add_argument("--clients", type=int, default=10)
    one.add_argument("--streams", type=int, default=200)
    other = kinds.add_parser("kills", help=kills.__doc__)
    other.set_defaults(measure=kills)
    other.add_argument("--jobs", type=int, default=40)
    other.add_argument("--seconds", type=float, default=1.0)
    other.add_argument("--kills", type=int, default=20)
    other.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or f"sqlite:///{folder}/jobs.db"
        words = ["--workers", options.workers, "--most-open-jobs", max(100, options.jobs)]
        words += ["--trusted-proxy", "127.0.0.1"]
        streams = getattr(options, "streams", 0) + options.jobs
        words += ["--max-streams", max(500, streams), "--max-streams-per-client", max(100, streams)]
        program = Program(store, words, Path(folder) / "said")
        program.start()
        try:
            bars = asyncio.run(options.measure(program, options))
        finally:
            program.stop()
        for bar in bars:
            print(f"{'met' if bar.met else 'MISSED'}: {bar.text}")
        if not all(bar.met for bar in bars):
            print(program.said.read_text()[-2000:], file=sys.stderr)
            sys.exit(1)


if __name__ == "__main__":
    main()
