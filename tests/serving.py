"""The program `splitroute serve` for tests, which talk to it over HTTP."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

TEXT = "3 10\n6 8 6\n0 0\n1 2\n3 1\n2 -2\n"
SMALL = {"instance": {"format": "coordlist", "text": TEXT}, "metric": "exact", "seconds": 0.3}


class Service:
    """The program `splitroute serve`, which can be killed and started again."""

    def __init__(self, folder: Path, *words: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._words = [
            "--port",
            str(self.port),
            "--store",
            f"sqlite:///{folder / 'jobs.db'}",
            *words,
        ]
        self.log = folder / "log"  # what it says on standard error
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30)
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "splitroute", "serve", *self._words]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stderr=log)
        for _ in range(300):
            try:
                self.client.get("/health")
                return
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError("the service does not come up")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.client.close()
        self.process.terminate()
        self.process.wait(30)

    def post(self, **job: Any) -> str:
        answer = self.client.post("/api/jobs", json={**SMALL, **job})
        assert answer.status_code == 202, answer.text
        return str(answer.json()["id"])

    def state(self, job: str) -> dict[str, Any]:
        answer = self.client.get(f"/api/jobs/{job}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def wait(self, job: str, *until: str, seconds: float = 90) -> dict[str, Any]:
        for _ in range(int(10 * seconds)):
            state = self.state(job)
            if state["status"] in (until or ("done", "failed", "cancelled")):
                return state
            time.sleep(0.1)
        raise AssertionError(f"still {state['status']}")
