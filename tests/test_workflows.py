"""The workflows of the forge call what exists, and publish nothing that was not checked."""

import re
from typing import Any

import pytest
import yaml

from conftest import ROOT

WORKFLOWS = ROOT / ".github" / "workflows"
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))

pytestmark = pytest.mark.skipif(not WORKFLOWS.is_dir(), reason="not a clone")


def jobs(name: str) -> dict[str, Any]:
    return dict(yaml.safe_load((WORKFLOWS / f"{name}.yml").read_text())["jobs"])


def needed(all_jobs: dict[str, Any], job: str) -> set[str]:
    """Jobs that must have succeeded before this one."""
    needs = all_jobs[job].get("needs", [])
    direct = {needs} if isinstance(needs, str) else set(needs)
    return direct.union(*(needed(all_jobs, name) for name in direct))


@pytest.mark.parametrize("name", ["ci", "release"])
def test_commands_exist(name: str) -> None:
    steps = [step for job in jobs(name).values() for step in job.get("steps", [])]
    commands = [step["run"] for step in steps if "run" in step]
    targets = [target for command in commands for target in re.findall(r"^make (\S+)", command)]
    scripts = [path for command in commands for path in re.findall(r"\.ci/\S+", command)]
    assert targets or scripts
    assert set(targets) <= TARGETS
    assert all((ROOT / script).is_file() for script in scripts)


def test_only_checked_and_tested_packages_of_a_tag_are_published() -> None:
    release = jobs("release")
    assert needed(release, "publish") >= {"changelog", "tests", "sdist", "wheels"}
    assert "publish" in needed(release, "release")
    assert release["changelog"]["if"] == "github.event_name == 'push'"
    assert release["tests"]["uses"] == "./.github/workflows/ci.yml"


def test_only_what_publishes_may_write() -> None:
    release = yaml.safe_load((WORKFLOWS / "release.yml").read_text())
    assert release["permissions"] == {"contents": "read"}
    rights = {
        name: job["permissions"] for name, job in release["jobs"].items() if "permissions" in job
    }
    assert rights == {
        "publish": {"attestations": "write", "id-token": "write"},
        "release": {"contents": "write"},
    }
