"""A real scheduler and real workers, one of which is killed."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from splitroute.bench.records import read_records
from splitroute.generate import random_instance

pytest.importorskip("distributed", reason="distributed is not installed: splitroute[cluster]")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    address = f"tcp://127.0.0.1:{_free_port()}"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny",
              "--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path)]  # fmt: skip
    host, port = re.fullmatch(r"tcp://(.*):(\d+)", address).groups()  # type: ignore[union-attr]
    commands = [[*dask, "--host", host, "--port", port, "--no-dashboard"], worker, worker]
    log = (tmp_path / "log").open("wb")
    processes = [subprocess.Popen(c, stderr=log, stdout=log) for c in commands]
    try:
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()
        log.close()


def test_no_record_is_lost_or_duplicated_when_a_worker_dies(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, workers = cluster
    path = tmp_path / "runs.jsonl"
    command = [sys.executable, "-m", "splitroute", "bench", "run", "--instances", "SD1,SD2,SD3",
               "--methods", "native", "--seeds", "1-8", "--time", "0.2", "--records", str(path),
               "--cluster", address]  # fmt: skip
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists() and len(list(read_records([path]))) >= 4:
            break
        time.sleep(0.1)
    assert process.poll() is None, process.communicate()
    os.kill(workers[0].pid, signal.SIGKILL)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 0, stderr
    records = list(read_records([path]))
    assert len(records) == 24
    assert len({r["key"] for r in records}) == 24
    assert {r["status"] for r in records} == {"ok"}


def test_a_local_cluster_can_be_started(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    options = ("--methods", "native,none+rtr", "--iterations", 20, "--cluster", "local:2")
    done = run("bench", "run", "--instances", "SD1", *options, "--records", path)
    assert done.exit_code == 0, done.stderr
    assert len(list(read_records([path]))) == 2


def test_an_unreachable_cluster_is_reported(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("splitroute.processes.cluster.CONNECT_SECONDS", 1)
    address = f"tcp://127.0.0.1:{_free_port()}"
    options = ("--methods", "native", "--iterations", 20, "--cluster", address)
    done = run("bench", "run", "--instances", "SD1", *options, "--records", tmp_path / "r.jsonl")
    assert done.exit_code == 2
    assert "no cluster at" in done.stderr


@pytest.fixture(scope="module")
def two_workers() -> Iterator[str]:
    """The address of a cluster."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1"
    ) as cluster:
        yield cluster.scheduler_address


def test_islands_on_a_cluster_are_never_worse_than_one_search(two_workers: str) -> None:
    instance = random_instance(30, seed=3)
    stop = sr.Stop(iterations=800)
    alone = sr.solve(instance, stop=stop, seed=5)
    many = [sr.solve(instance, stop=stop, seed=5, cluster=two_workers) for _ in range(2)]
    assert many[0].solution == many[1].solution, "the same seed and iterations"
    assert many[0].cost <= alone.cost
    start = many[0].solution
    improved = sr.solve(instance, stop=sr.Stop(seconds=0.3), start=start, cluster=two_workers)
    assert improved.cost <= many[0].cost


def test_a_search_on_a_cluster_can_be_stopped(two_workers: str) -> None:
    start = time.monotonic()
    result = sr.solve(
        random_instance(20, seed=3),
        stop=sr.Stop(seconds=60),
        cluster=two_workers,
        listener=lambda progress: progress.seconds > 0.5,
    )
    assert result.cost > 0
    assert time.monotonic() - start < 40
