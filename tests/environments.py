"""Empty virtual environments of several versions of Python."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

KEPT = ("HOME", "HTTP", "LANG", "NO_PROXY", "PIP_", "SSL_", "http", "no_proxy")  # of the user


@dataclass(frozen=True)
class Environment:
    """A virtual environment in which `pip install splitroute` takes a wheel from a folder.

    Its programs are the only ones that are found, so there is no compiler.
    """

    folder: Path
    wheels: Path
    version: str  # of splitroute

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def variables(self) -> dict[str, str]:
        constraint = self.folder / "constraint.txt"
        constraint.write_text(f"splitroute == {self.version}\n")
        return {
            **{name: value for name, value in os.environ.items() if name.startswith(KEPT)},
            "PATH": str(self.folder / "bin"),
            "PIP_CONSTRAINT": str(constraint),
            "PIP_FIND_LINKS": f"{self.wheels} {os.environ.get('PIP_FIND_LINKS', '')}",
            "PIP_ONLY_BINARY": ":all:",
            "COLUMNS": "120",
        }

    def run(self, *command: str | Path, folder: Path) -> str:
        """Return what a program of the environment prints in a folder."""
        program = shutil.which(command[0], path=self.variables["PATH"]) or command[0]
        return call(program, *command[1:], folder=folder, variables=self.variables)


def call(*command: str | Path, folder: Path, variables: dict[str, str] | None = None) -> str:
    """Return the standard output of a command; fail with all it printed if it fails."""
    done = subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def create(version: str, folder: Path) -> Path:
    """Create an environment; return its Python."""
    call(_interpreter(version), "-m", "venv", folder, folder=folder)
    return folder / "bin" / "python"


def _interpreter(version: str) -> str:
    """The program of a version: on the PATH, or of pyenv, whose programs there need not work."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [
        shutil.which(f"python{version}"),
        *map(str, pyenv.glob(f"versions/{version}.*/bin/python{version}")),
    ]
    for program in filter(None, candidates):
        if not subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode:
            return program
    raise AssertionError(f"python{version} is not installed")
