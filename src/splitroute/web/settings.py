"""What the operator decides."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from splitroute.errors import InputError

# Nothing that could end a directive of the security policy; {z}, {x} and {y} in any order.
TILES = re.compile(r"(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})https?://[\w.:-]+/[^\s;,'\"]*")

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Settings:
    """Of one service."""

    store: str = "sqlite:///splitroute-jobs.db"
    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = field(default=None, repr=False)
    workers: int = os.cpu_count() or 1
    memory: int = 4096  # megabytes of address space per job
    most_bytes: int = 8 * 2**20  # of a request
    most_customers: int = 20_000
    most_seconds: float = 3600.0
    most_open_jobs: int = 100  # queued or running, per client
    tiles: str | None = None  # https://.../{z}/{x}/{y}.png, for maps with a background
    attribution: str = ""  # of the tiles

    def __post_init__(self) -> None:
        if self.token is not None and not self.token.strip():
            raise InputError("the token is empty; anybody could present that")
        if self.host not in LOOPBACK and self.token is None:
            raise InputError(
                f"listening on {self.host} takes a token: anybody could use it otherwise; "
                "give --token, or listen on 127.0.0.1"
            )
        if self.tiles is not None and not TILES.fullmatch(self.tiles):
            raise InputError(
                f"the address of tiles is {self.tiles!r}; "
                "it is like https://tiles.example.org/{z}/{x}/{y}.png"
            )
        if not 1 <= self.workers <= 1024:
            raise InputError(f"the number of workers is {self.workers}; it is from 1 to 1024")
        if not 0 <= self.port <= 65_535:
            raise InputError(f"the port is {self.port}; it is from 0 to 65535")
