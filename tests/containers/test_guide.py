"""The guide to containers: its commands, run with a docker and a curl that note their arguments."""

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
import typer.main

from conftest import ROOT
from container_files import COMPOSE, PORT, call, compose, extras, image
from documents import blocks
from splitroute.cli import app

GUIDE = ROOT / "docs" / "howto" / "run-in-containers.md"
NOTE = '#!/bin/sh\nprintf "%s " "${0##*/}" "$@" >> calls\necho >> calls\n'


@pytest.fixture
def calls(tmp_path: Path) -> list[list[str]]:
    """The calls of docker and curl in a folder where the guide was followed."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("docker", "curl"):
        (programs / name).write_text(NOTE)
        (programs / name).chmod(0o755)
    script = "set -eu\n" + "".join(block.text for block in blocks(GUIDE, "sh"))
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    done = call(["sh", "-c", script], cwd=tmp_path, env={**os.environ, "PATH": path})
    assert done.returncode == 0, done.stderr
    return [shlex.split(line) for line in (tmp_path / "calls").read_text().splitlines()]


def test_containers_have_what_the_image_needs(calls: list[list[str]]) -> None:
    runs = [words[2:] for words in calls if words[:2] == ["docker", "run"]]
    assert len(runs) == 3
    for words in runs:
        at = words.index("splitroute")
        options, arguments = words[:at], words[at + 1 :]
        volume = options[options.index("--volume") + 1]
        assert volume.endswith(f":{image('VOLUME').text}")
        name, *_ = arguments or image("CMD").words
        if name == "serve":
            assert options[options.index("--env") + 1] == "SPLITROUTE_TOKEN"
            assert options[options.index("--publish") + 1].endswith(f":{PORT}")
        command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in arguments if word.startswith("--")} <= known


def test_changed_options_repeat_those_of_the_image(calls: list[list[str]]) -> None:
    (limited,) = (words for words in calls if "limited" in words)
    command = image("CMD").words
    at = limited.index("serve")
    assert limited[at : at + len(command)] == command


def test_a_smaller_image_has_known_extras(calls: list[list[str]]) -> None:
    (chosen,) = (word for words in calls for word in words if word.startswith("EXTRAS="))
    assert set(chosen.removeprefix("EXTRAS=").split(",")) <= extras()


def test_files_and_variables_are_those_of_compose(calls: list[list[str]], tmp_path: Path) -> None:
    written = dict(line.split("=", 1) for line in (tmp_path / ".env").read_text().splitlines())
    services = compose(written)["services"]
    assert services["postgres"]["environment"]["POSTGRES_PASSWORD"] == written["POSTGRES_PASSWORD"]
    (downloaded,) = (words for words in calls if words[0] == "curl")
    folder, mounted = services["osrm-prepare"]["volumes"][0].split(":")[:2]
    target = downloaded[downloaded.index("--output") + 1]
    assert (tmp_path / folder).is_dir()
    here = f"{mounted}/{Path(target).relative_to(folder)}"
    assert here in services["osrm-prepare"]["command"][-1]
    (removed,) = (words[-1] for words in calls if words[:3] == ["docker", "volume", "rm"])
    project, _, volume = removed.partition("_")
    assert compose()["name"] == project
    assert volume in compose()["volumes"]


def test_the_guide_names_every_variable_and_service() -> None:
    named = set(re.findall(r"^\| `([\w-]+)` \|", GUIDE.read_text(), re.M))
    variables = set(re.findall(r"\$\{(\w+)", COMPOSE.read_text()))
    assert named == variables | set(compose()["services"])
