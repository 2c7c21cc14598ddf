"""`make web` checks the version of Node before it builds the page."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "page" / "package-lock.json"

pytestmark = pytest.mark.skipif(
    shutil.which("make") is None or not LOCK.is_file(), reason="needs make and the page's sources"
)


def program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command with the programs in the folder first on the PATH."""
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("version", ["v18.19.0", "v20.18.3", "v21.7.3", "v22.11.0", "v23.1.0"])
def test_an_old_node_is_refused_with_advice(tmp_path: Path, version: str) -> None:
    program(tmp_path / "node", f"echo {version}")
    program(tmp_path / "npm", "echo a stack trace; exit 1")
    # As if the page's sources had changed and everything was installed.
    made = run(tmp_path, "make", "web", "-o", ".venv/.installed", "-W", "page/package.json")
    assert made.returncode != 0
    assert f"Node {version} cannot build the page: install Node 20.19" in made.stderr
    assert "a stack trace" not in made.stdout


@pytest.mark.parametrize("version", ["v20.19.0", "v22.12.0", "v24.0.0", "v100.1.0"])
def test_newer_versions_pass(tmp_path: Path, version: str) -> None:
    program(tmp_path / "node", f"echo {version}")
    program(tmp_path / "npm", "")
    checked = run(tmp_path, "sh", "page/check-node.sh")
    assert (checked.returncode, checked.stderr) == (0, "")


def test_a_missing_node_is_refused_with_advice(tmp_path: Path) -> None:
    program(tmp_path / "node", "exit 127")
    checked = run(tmp_path, "sh", "page/check-node.sh")
    assert checked.returncode != 0
    assert "needs Node with npm: install Node 20.19" in checked.stderr


def test_no_package_needs_a_newer_node() -> None:
    packages = json.loads(LOCK.read_text())["packages"]
    ranges = {
        name: package.get("engines", {}).get("node", "*") for name, package in packages.items()
    }
    newer = {
        name: range_
        for name, range_ in ranges.items()
        if min(map(int, re.findall(r"(?<![\d.])\d+", range_)), default=0) > 20
    }
    assert newer == {}
