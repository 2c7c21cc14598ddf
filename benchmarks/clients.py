"""`splitroute serve` as a child process, and clients of it."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

from splitroute.formats.json import dump_instance
from splitroute.instance import Instance


class Program:
    """`splitroute serve`, which can be killed and restarted."""

    def __init__(self, store: str, options: list[object], log: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url, self.log = f"http://127.0.0.1:{port}", log
        self._options = ["--port", str(port), "--store", store, *map(str, options)]

    def start(self) -> None:
        command = [sys.executable, "-m", "splitroute", "serve", *self._options]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(command, stderr=log)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()


class Client:
    """A client with its own address behind a trusted proxy."""

    def __init__(self, program: Program, number: int = 1) -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        headers = {"X-Forwarded-For": f"10.0.0.{number}"}
        self.http = httpx.AsyncClient(
            base_url=program.url, limits=limits, timeout=60, headers=headers
        )

    async def ready(self) -> None:
        async with asyncio.timeout(60):
            while True:
                try:
                    await self.http.get("/health")
                    return
                except httpx.TransportError:
                    await asyncio.sleep(0.1)

    async def post(self, instance: Instance, seconds: float) -> str:
        source = {"format": "json", "text": dump_instance(instance)}
        request = {"instance": source, "seconds": seconds}
        response = await self.http.post("/api/jobs", json=request)
        if response.status_code != 202:
            raise SystemExit(f"job refused with {response.status_code}: {response.text}")
        return str(response.json()["id"])

    async def state(self, job: str) -> dict[str, Any]:
        response = await self.http.get(f"/api/jobs/{job}")
        return dict(response.raise_for_status().json())

    async def follow(self, job: str, max_seconds: float) -> list[str]:
        """Return the statuses in the event stream of a job, until it ends."""
        statuses: list[str] = []
        try:
            async with (
                asyncio.timeout(max_seconds),
                self.http.stream("GET", f"/api/jobs/{job}/events", timeout=None) as stream,
            ):
                async for line in stream.aiter_lines():
                    data = json.loads(line.removeprefix("data: ")) if line[:5] == "data:" else {}
                    if "status" in data:
                        statuses.append(data["status"])
        except (TimeoutError, httpx.TransportError):
            pass  # the caller notices missing statuses
        return statuses

    async def names(self, run: str) -> Counter[str]:
        """Return how often each job of this run is listed."""
        counts: Counter[str] = Counter()
        params: dict[str, int] = {"limit": 200}
        while True:
            listed = (await self.http.get("/api/jobs", params=params)).raise_for_status().json()
            counts.update(job["name"] for job in listed["jobs"] if job["name"].startswith(run))
            if listed["next"] is None:
                return counts
            params["before"] = listed["next"]
