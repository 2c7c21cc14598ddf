"""Peers given as command lines: `name=./solver {instance} {solution} -t {seconds} -s {seed}`.

A command reads the instance from a temporary file. It writes its solution to the file {solution},
with or without a file extension behind it, or prints it if the command has no {solution}. It is a
local process with a group of its own, which is killed when it exceeds the time limit.
"""

from __future__ import annotations

import contextlib
import platform
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from splitroute import formats
from splitroute.bench.methods import MethodResult
from splitroute.errors import InputError, MissingPackageError, SplitRouteError
from splitroute.formats import check_output_format, format_name, read_solution, write
from splitroute.instance import Instance
from splitroute.processes.child import exit_message, kill_session
from splitroute.processes.pool import Failure
from splitroute.registry import load
from splitroute.solution import Solution
from splitroute.stop import Stop

PLACEHOLDERS = ("instance", "solution", "seconds", "seed")
GRACE_SECONDS = 5.0  # beyond the time limit before a command is killed
EXAMPLE = "mysolver=./solver {instance} {solution} -t {seconds} -s {seed}"

NAME = re.compile(r"[\w.-]+")
PLACEHOLDER = re.compile(r"\{(\w*)\}")
# Solvers disagree on file extensions, but not on how a route begins.
SOLUTION_FORMATS = {
    "dimacs": re.compile(rb"^\s*route\s*#?\s*\d+\s*:[^\n]*\(", re.IGNORECASE | re.MULTILINE),
    "vrplib": re.compile(rb"^\s*route\s*#?\s*\d+\s*:", re.IGNORECASE | re.MULTILINE),
}


@dataclass(frozen=True)
class PeerCommand:
    """A command line with placeholders, and the format in which it reads instances."""

    name: str
    words: tuple[str, ...]
    format: str = "vrplib"

    @classmethod
    def parse(cls, text: str, format: str = "vrplib") -> PeerCommand:
        """Return the command of `name=command`; raise for unknown placeholders."""
        name, _, command = text.partition("=")
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise _error(f"{error} in {command!r}", text) from None
        if not NAME.fullmatch(name) or not words:
            raise _error(f"found {text!r}; write for example {EXAMPLE!r}", text)
        used = PLACEHOLDER.findall(" ".join(words))
        allowed = ", ".join(f"{{{placeholder}}}" for placeholder in PLACEHOLDERS)
        for placeholder in used:
            if placeholder not in PLACEHOLDERS:
                unknown = f"unknown placeholder {{{placeholder}}} in {command!r}"
                raise _error(f"{unknown}; allowed: {allowed}", text)
        if "instance" not in used:
            raise _error(f"no {{instance}} in {command!r}; allowed: {allowed}", text)
        check_output_format("instance", Path(), format)
        return cls(name, words, format_name("instance", "dump", format))

    @property
    def key(self) -> str:
        """What identifies it in the key of a run: another command gives other records."""
        return f"{self.name}={shlex.join(self.words)} ({self.format})"

    def check(self, stop: Stop) -> None:
        """Raise if no run of the command can succeed."""
        if stop.seconds is None:
            raise InputError(f"method {self.name} needs a time limit", field="seconds")
        if shutil.which(self.words[0]) is None:
            raise MissingPackageError(
                f"{self.name}: no executable file {self.words[0]!r}", value=self.words[0]
            )

    def run(self, instance: Instance, stop: Stop, seed: int) -> MethodResult | Failure:
        """Solve an instance."""
        self.check(stop)
        assert stop.seconds is not None
        with tempfile.TemporaryDirectory(prefix="splitroute-") as name:
            folder = Path(name)
            suffix = load(formats, self.format).CAPABILITIES.suffixes("instance", "dump")[0]
            values = {
                "instance": str(folder / f"instance{suffix}"),
                "solution": str(folder / "solution"),
                "seconds": f"{stop.seconds:g}",
                "seed": str(seed),
            }
            write(instance, values["instance"], format=self.format)
            words = [PLACEHOLDER.sub(lambda m: values[m[1]], word) for word in self.words]
            output = None if "{solution}" in " ".join(self.words) else folder / "solution"
            start = time.perf_counter()
            if failure := _execute(words, output, stop.seconds + GRACE_SECONDS):
                return failure
            seconds = time.perf_counter() - start
            solution = _read_solution(folder, instance)
        if isinstance(solution, Failure):
            return solution
        versions = (("splitroute", version("splitroute")), ("python", platform.python_version()))
        return MethodResult(solution, seconds, versions=versions)


def _error(message: str, text: str) -> InputError:
    return InputError(f"invalid peer: {message}", field="peer", value=text)


def _execute(words: list[str], output: Path | None, max_seconds: float) -> Failure | None:
    """Run a command; return why it failed."""
    with contextlib.ExitStack() as stack:
        stderr = stack.enter_context(tempfile.TemporaryFile())
        stdout = stack.enter_context(output.open("wb")) if output else subprocess.DEVNULL
        try:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
        except OSError as error:
            return Failure("crashed", f"cannot be started: {error.strerror}")
        stack.enter_context(_killed_with_us(process))
        try:
            code = process.wait(max_seconds)
        except subprocess.TimeoutExpired:
            return Failure("overran", f"no result after {max_seconds:g} s; it was killed")
        return Failure("crashed", exit_message(code, stderr)) if code else None


@contextlib.contextmanager
def _killed_with_us(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Kill a process and what it started at the end, even if that is the end of this process.

    A worker of a pool is killed without notice. Then its pipe to the shell below breaks.
    """
    watch = subprocess.Popen(
        ["sh", "-c", 'read -r line; kill -s KILL -- "-$1"', "sh", str(process.pid)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        kill_session(process)
        process.wait()
        watch.kill()
        watch.communicate()


def _read_solution(folder: Path, instance: Instance) -> Solution | Failure:
    """Return what the command wrote into the folder; the routes tell the format."""
    files = [p for p in sorted(folder.glob("solution*")) if p.is_file() and p.stat().st_size]
    if not files:
        return Failure("invalid", "no solution")
    path, data = files[0], files[0].read_bytes()
    format = next((name for name, route in SOLUTION_FORMATS.items() if route.search(data)), None)
    try:
        with path.open("rb") as stream:
            return read_solution(stream, instance, format=format).solution
    except SplitRouteError as error:
        first = next(iter(getattr(error, "errors", ())), error)
        return Failure("invalid", str(first).replace(f"{folder}/", ""))
