"""Shell completion of commands, options and the values of options, in a real bash."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# Typer tells bash from other shells by the parent process, and takes a name without one.
SHELL_BY_NAME = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
ASK = """
source <(splitroute --show-completion bash)
for line in "$@"; do
  COMP_WORDS=($line) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _splitroute_completion splitroute
  echo ${COMPREPLY[*]}
done
"""


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, **SHELL_BY_NAME, "PATH": path}


def test_bash_completes_commands_options_and_values(environment: dict[str, str]) -> None:
    lines = ["splitroute so", "splitroute solve --engine n", "splitroute solve a.csv --show"]
    lines += ["splitroute bench re", "splitroute schema so"]
    done = subprocess.run(
        ["bash", "-c", ASK, "bash", *lines],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "solve",
        "native",
        "--show-rings",
        "report",
        "solution",
    ]


@pytest.mark.parametrize(("shell", "word"), [("zsh", "compdef"), ("fish", "complete --command")])
def test_other_shells_have_scripts(shell: str, word: str, environment: dict[str, str]) -> None:
    script = subprocess.run(
        ["splitroute", "--show-completion", shell],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert word in script.stdout
