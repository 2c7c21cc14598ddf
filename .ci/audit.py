"""Known vulnerabilities of the packages installed here, and of those that the page is built from.

The exit code is 1 if there is one. Where the advisories are out of reach nothing is known, and that
is said: pip-audit by itself would answer "No known vulnerabilities found", npm with an error.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "page"
UNREACHED = "NOT CHECKED, the advisories cannot be reached"


@dataclass(frozen=True)
class Report:
    """A line per vulnerability, and what was looked at."""

    found: list[str]
    summary: str


def of_pip(written: str) -> Report:
    """From the JSON of pip-audit, which passes over packages that it gets no advisories for."""
    packages = _parsed(written).get("dependencies", [])
    checked = [package for package in packages if "vulns" in package]
    if not checked:
        return Report([], UNREACHED)
    found = [
        f"{package['name']} {package['version']}: {vulnerability['id']}, "
        f"fixed in {', '.join(vulnerability['fix_versions']) or 'no version yet'}"
        for package in checked
        for vulnerability in package["vulns"]
    ]
    skipped = [package["name"] for package in packages if "vulns" not in package]
    return Report(found, _summary(len(found), len(checked), skipped))


def of_npm(written: str) -> Report:
    """From the JSON of npm audit, which is about an error if there are no advisories."""
    said = _parsed(written)
    if "vulnerabilities" not in said:
        return Report([], f"{UNREACHED}: {said.get('message', 'no answer')}")
    found = [f"{name}: {each['severity']}" for name, each in said["vulnerabilities"].items()]
    total = said["metadata"]["dependencies"]["total"]
    return Report(found, _summary(len(found), total, []))


def _summary(found: int, checked: int, skipped: list[str]) -> str:
    without = f" (no advisories for {', '.join(skipped)})" if skipped else ""
    return f"{checked} packages checked{without}, {found} known vulnerabilities"


def _parsed(written: str) -> dict[str, Any]:
    try:
        return dict(json.loads(written))
    except ValueError:  # a traceback, or nothing at all
        return {}


def _written(*command: str, folder: Path | None = None) -> str:
    return subprocess.run(
        command,
        cwd=folder,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ).stdout


def main() -> None:
    pip = [sys.executable, "-m", "pip_audit", "--skip-editable", "--progress-spinner", "off"]
    reports = {"Python": of_pip(_written(*pip, "--format", "json"))}
    if (PAGE / "package-lock.json").exists():
        npm = shutil.which("npm")
        reports["page"] = (
            of_npm(_written(npm, "audit", "--json", folder=PAGE))
            if npm
            else Report([], "NOT CHECKED, npm is not installed")
        )
    for name, report in reports.items():
        print(f"{name}: {report.summary}")
        print("".join(f"  {line}\n" for line in report.found), end="")
    sys.exit(any(report.found for report in reports.values()))


if __name__ == "__main__":
    main()
