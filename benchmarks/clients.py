"""The service as a program that can be killed, and what its clients do."""

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
    """`splitroute serve`, which can be killed and started again."""

    def __init__(self, store: str, words: list[object], said: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address, self.said = f"http://127.0.0.1:{port}", said
        self._words = ["--port", str(port), "--store", store, *map(str, words)]

    def start(self) -> None:
        command = [sys.executable, "-m", "splitroute", "serve", *self._words]
        with self.said.open("a") as said:
            self._process = subprocess.Popen(command, stderr=said)

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
    """A client of the service, with an address of its own behind the trusted proxy."""

    def __init__(self, program: Program, number: int = 1) -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        headers = {"X-Forwarded-For": f"10.0.0.{number}"}
        self.http = httpx.AsyncClient(
            base_url=program.address, limits=limits, timeout=60, headers=headers
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
        given = {"format": "json", "text": dump_instance(instance)}
        answer = await self.http.post("/api/jobs", json={"instance": given, "seconds": seconds})
        if answer.status_code != 202:
            raise SystemExit(f"a job was refused with {answer.status_code}: {answer.text}")
        return str(answer.json()["id"])

    async def state(self, job: str) -> dict[str, Any]:
        answer = await self.http.get(f"/api/jobs/{job}")
        return dict(answer.raise_for_status().json())

    async def follow(self, job: str, most_seconds: float) -> list[str]:
        """What the stream of events says of the job's status, until its end."""
        statuses: list[str] = []
        try:
            async with (
                asyncio.timeout(most_seconds),
                self.http.stream("GET", f"/api/jobs/{job}/events", timeout=None) as stream,
            ):
                async for line in stream.aiter_lines():
                    data = json.loads(line.removeprefix("data: ")) if line[:5] == "data:" else {}
                    if "status" in data:
                        statuses.append(data["status"])
        except (TimeoutError, httpx.TransportError):
            pass  # what is missing shows
        return statuses

    async def names(self, run: str) -> Counter[str]:
        """How often each job of this run is in the list."""
        found: Counter[str] = Counter()
        page: dict[str, int] = {"limit": 200}
        while True:
            listed = (await self.http.get("/api/jobs", params=page)).raise_for_status().json()
            found.update(job["name"] for job in listed["jobs"] if job["name"].startswith(run))
            if listed["next"] is None:
                return found
            page["before"] = listed["next"]
