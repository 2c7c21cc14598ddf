"""The Dockerfile and compose.yaml: their instructions, and the commands that they run."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from conftest import ROOT

DOCKERFILE, COMPOSE = ROOT / "Dockerfile", ROOT / "compose.yaml"
PORT = "8765"
SECRETS = {"SPLITROUTE_TOKEN": "sesame", "POSTGRES_PASSWORD": "secret"}  # what .env contains
VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


class Instruction(NamedTuple):
    """An instruction of the Dockerfile without its flags, such as COPY."""

    name: str
    text: str
    flags: dict[str, str]

    @property
    def words(self) -> list[str]:
        """Its arguments, in the exec form or separated by spaces."""
        return json.loads(self.text) if self.text.startswith("[") else shlex.split(self.text)


def stages() -> list[list[Instruction]]:
    """Return the instructions of each stage; the last stage is the image."""
    lines = [line for line in DOCKERFILE.read_text().splitlines() if not line.startswith("#")]
    found: list[list[Instruction]] = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if not line:
            continue
        name, _, text = line.partition(" ")
        flags = {}
        while flag := re.match(r"--(\S+?)=(\S+)\s+", text):
            flags[flag[1]] = flag[2]
            text = text[flag.end() :]
        if name == "FROM":
            found.append([])
        found[-1].append(Instruction(name, text, flags))
    return found


def image(name: str) -> Instruction:
    """Return the only instruction of this name in the last stage."""
    (found,) = (instruction for instruction in stages()[-1] if instruction.name == name)
    return found


def health_check() -> list[str]:
    """Return the command of the image's health check."""
    kind, _, command = image("HEALTHCHECK").text.partition(" ")
    assert kind == "CMD"
    return list(json.loads(command))


def compose(environment: Mapping[str, str] = SECRETS) -> dict[str, Any]:
    """Return compose.yaml with its variables replaced as Compose does."""

    def value(match: re.Match[str]) -> str:
        name, kind, default = match.groups()
        if name not in environment and kind != "-":
            raise KeyError(f"{name}: {default}")
        return environment.get(name, default)

    loaded: dict[str, Any] = yaml.safe_load(VARIABLE.sub(value, COMPOSE.read_text()))
    return loaded


def extras() -> set[str]:
    """Return the extras of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return set(project["optional-dependencies"])


def localised(words: Sequence[str], places: Mapping[str, object]) -> list[str]:
    """Return a command with the container's paths, hosts and ports replaced by those of a test."""
    if not places:
        return list(words)
    pattern = re.compile("|".join(map(re.escape, places)))  # at once: paths may contain others
    return [pattern.sub(lambda place: str(places[place[0]]), word) for word in words]


def environment(programs: Path | None = None, **variables: str) -> dict[str, str]:
    """Return the environment of a container: this one with its programs first on the PATH."""
    folders = [str(programs)] * (programs is not None)
    path = os.pathsep.join([*folders, str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "LC_ALL": "C", **variables}


def call(words: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command of a container to its end."""
    options = {"env": environment(), "timeout": 60, **options}
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
