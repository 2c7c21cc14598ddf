"""What is installed: versions, extras and what is missing."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from packaging.requirements import Requirement

from splitroute import engines, formats, rules
from splitroute.errors import SplitRouteError
from splitroute.registry import entry_point_names, is_built_in, load

PACKAGE = "splitroute"
PAGE = Path(__file__).parents[1] / "web" / "page" / "index.html"
VRPH_PROGRAM = "vrp_rtr"
EXTRAS = {  # for users; developers have others
    "plot": "pictures of routes and convergence",
    "dataframe": "data frames of pandas, polars or pyarrow",
    "notebook": "data frames and pictures in notebooks",
    "xlsx": "spreadsheets: .xlsx and .ods",
    "sheets": "QR codes on driver sheets",
    "pyvrp": "engine pyvrp",
    "hgs": "engine hgs",
    "ortools": "engine ortools",
    "mcp": "tools for assistants: mcp",
    "cluster": "several machines: --cluster",
    "bench": "benchmarks and their reports",
    "web": "page and HTTP API: serve",
    "postgres": "jobs of the service in PostgreSQL",
}


@dataclass(frozen=True)
class Package:
    """A required package and its version, if it is installed."""

    requirement: Requirement
    version: str | None

    @property
    def is_outdated(self) -> bool:
        """Whether a version is installed that does not work with this splitroute."""
        specifier = self.requirement.specifier
        return self.version is not None and not specifier.contains(self.version, prereleases=True)

    @property
    def fault(self) -> str:
        """What is wrong with the package; empty if nothing is."""
        if self.version is None:
            return f"{self.requirement.name} is not installed"
        needed = f"{self.requirement.name}{self.requirement.specifier}"
        return f"{needed} is needed, but {self.version} is installed" if self.is_outdated else ""


@dataclass(frozen=True)
class Extra:
    """An extra, what it is for, and the packages that it consists of."""

    name: str
    purpose: str
    packages: tuple[Package, ...]

    @property
    def faults(self) -> list[str]:
        """What is missing or outdated; empty if the extra is installed."""
        return [package.fault for package in self.packages if package.fault]

    @property
    def advice(self) -> str:
        """The command that installs the extra."""
        return f"pip install '{PACKAGE}[{self.name}]'"


class Installation:
    """This installation of splitroute."""

    @cached_property
    def versions(self) -> dict[str, str]:
        """Versions of splitroute, Python and the system, and where splitroute is."""
        core = find_spec(f"{PACKAGE}._core")
        return {
            PACKAGE: metadata.version(PACKAGE),
            "python": f"{platform.python_version()} ({platform.python_implementation()})",
            "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
            "folder": str(Path(__file__).parents[1]),
            "core": Path(core.origin).name if core and core.origin else "not compiled",
        }

    @cached_property
    def required(self) -> list[Package]:
        """Packages that splitroute always needs."""
        return list(_packages(""))

    @cached_property
    def extras(self) -> list[Extra]:
        """All extras for users."""
        return [Extra(name, text, tuple(_packages(name))) for name, text in EXTRAS.items()]

    @cached_property
    def programs(self) -> dict[str, str | None]:
        """Things beside Python packages, and where they are."""
        return {
            "page of serve": str(PAGE) if PAGE.is_file() else None,
            f"{VRPH_PROGRAM} of engine vrph": shutil.which(VRPH_PROGRAM),
        }

    @cached_property
    def plugins(self) -> dict[str, str]:
        """Rules, engines and formats of other packages; the error of those that do not load."""
        found = {}
        for package in (rules, engines, formats):
            for name in entry_point_names(package):
                kind = package.__name__.rpartition(".")[2].removesuffix("s")
                found[f"{kind} {name}"] = _load_error(package, name)
        return found

    @property
    def problems(self) -> list[str]:
        """What is broken; an extra that is not installed at all is none."""
        packages = [*self.required, *(p for e in self.extras for p in e.packages if p.is_outdated)]
        faults = [package.fault for package in packages if package.fault]
        return [*dict.fromkeys(faults), *(error for error in self.plugins.values() if error)]


def _packages(extra: str, seen: frozenset[str] = frozenset()) -> Iterator[Package]:
    """Packages of an extra and of the extras that it includes, those of the core for none."""
    for text in metadata.requires(PACKAGE) or ():
        requirement = Requirement(text)
        is_core, is_wanted = (
            requirement.marker is None or requirement.marker.evaluate({"extra": name})
            for name in ("", extra)
        )
        if not is_wanted or is_core != (not extra):
            continue
        if requirement.name != PACKAGE:
            yield Package(requirement, _version(requirement.name))
            continue
        for included in sorted(requirement.extras - seen):
            yield from _packages(included, seen | {extra})


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _load_error(package: ModuleType, name: str) -> str:
    kind = package.__name__.rpartition(".")[2].removesuffix("s")
    if is_built_in(package, name):
        return f"the {kind} {name} is hidden by splitroute's own; give it another name"
    try:
        module = load(package, name)
        if package is engines:
            engines.capabilities_of(module)
    except SplitRouteError as error:
        return error.message
    return ""
