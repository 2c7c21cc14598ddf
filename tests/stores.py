"""Stores for tests: in SQLite, and in PostgreSQL where it is installed."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes import Clock
from splitroute.errors import InputError
from splitroute.web.database import metadata
from splitroute.web.leases import LeaseMonitor
from splitroute.web.store import Store

START_SECONDS = 90  # of a server that tests start


def _postgres_tools() -> Path | None:
    path = shutil.which("initdb")
    if path:
        return Path(path).parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return installed[-1].parent if installed else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """URL of a real server, started for these tests."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    tools = _postgres_tools()
    if tools is None:
        pytest.skip("PostgreSQL's initdb is not installed")
    user: list[str] = []
    if os.getuid() == 0:  # PostgreSQL refuses to run as root
        has_user = subprocess.run(["id", "postgres"], check=False, capture_output=True)
        if shutil.which("runuser") is None or has_user.returncode:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        user = ["runuser", "-u", "postgres", "--"]
    # Not among pytest's own folders, which only their owner can read.
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    if user:
        shutil.chown(folder, "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = folder / "data"
    subprocess.run(
        [*user, tools / "initdb", "-D", data, "-A", "trust", "-U", "postgres"],
        check=True, capture_output=True,
    )  # fmt: skip
    options = ["-h", "127.0.0.1", "-p", str(port), "-k", str(folder), "-c", "fsync=off"]
    server = subprocess.Popen(
        [*user, tools / "postgres", "-D", data, *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    url = f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"
    try:
        _wait_for(server, url)
        yield url
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(folder)


def _wait_for(server: subprocess.Popen[bytes], url: str) -> None:
    """Wait until the server accepts connections, which takes long on a busy machine."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            Store(url).close()
            return
        except InputError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.1)


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[Store]:
    """An empty store in SQLite."""
    store = Store(f"sqlite:///{tmp_path / 'jobs.db'}")
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty store."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite_store")
        return
    store = Store(request.getfixturevalue("postgres"))
    metadata.drop_all(store.engine)
    metadata.create_all(store.engine)
    yield store
    store.close()


@pytest.fixture
def clock(store: Store) -> Clock:
    """Clock of the store's leases."""
    clock = Clock()
    store.queue._monitor = LeaseMonitor(clock)
    return clock
