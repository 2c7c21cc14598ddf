"""`splitroute serve` as a child process, for tests over HTTP."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

TEXT = "3 10\n6 8 6\n0 0\n1 2\n3 1\n2 -2\n"
SMALL = {"instance": {"format": "coordlist", "text": TEXT}, "metric": "exact", "seconds": 0.3}


class Service:
    """The program, which can be killed and restarted."""

    def __init__(self, folder: Path, *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        store = f"sqlite:///{folder / 'jobs.db'}"
        self._options = ["--port", str(self.port), "--store", store, *options]
        self.log = folder / "log"  # its standard error
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30)
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "splitroute", "serve", *self._options]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stderr=log)
        for _ in range(1200):  # a busy machine is no failure
            try:
                self.client.get("/health")
                return
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError("the service does not start")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.client.close()
        self.process.terminate()
        self.process.wait(30)

    def post(self, **job: Any) -> str:
        response = self.client.post("/api/jobs", json={**SMALL, **job})
        assert response.status_code == 202, response.text
        return str(response.json()["id"])

    def state(self, job: str) -> dict[str, Any]:
        response = self.client.get(f"/api/jobs/{job}")
        assert response.status_code == 200, response.text
        return dict(response.json())

    def wait(self, job: str, *statuses: str, seconds: float = 90) -> dict[str, Any]:
        for _ in range(int(10 * seconds)):
            state = self.state(job)
            if state["status"] in (statuses or ("done", "failed", "cancelled")):
                return state
            time.sleep(0.1)
        raise AssertionError(f"still {state['status']}")

    def events(self, job: str, after: str = "") -> list[tuple[str, str, Any]]:
        """Return id, kind and data of a job's events until it ends."""
        headers = {"Last-Event-ID": after} if after else {}
        with self.client.stream("GET", f"/api/jobs/{job}/events", headers=headers) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            text = "".join(stream.iter_text())
        events = []
        for block in text.split("\n\n"):
            lines = [line for line in block.splitlines() if not line.startswith(":")]
            if fields := dict(line.split(": ", 1) for line in lines):
                events.append((fields["id"], fields["event"], json.loads(fields["data"])))
        return events


@contextmanager
def running(folder: Path, *options: str) -> Iterator[Service]:
    """Run the program inside the block."""
    service = Service(folder, *options)
    try:
        yield service
    finally:
        service.close()


def wait_until(condition: Callable[[], object], seconds: float = 30) -> None:
    """Wait for a condition; fail after that long."""
    for _ in range(int(10 * seconds)):
        with suppress(httpx.TransportError):
            if condition():
                return
        time.sleep(0.1)
    raise AssertionError("condition not met in time")
