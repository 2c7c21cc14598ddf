"""The tools of `splitroute mcp`: what commands of the same names do, as JSON for assistants."""

from __future__ import annotations

import asyncio
import json
import math
import warnings
from collections.abc import Coroutine, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field

from splitroute.cli import _options as o
from splitroute.cli._explain import explain_instance, explain_solution
from splitroute.cli._input import File, InputOptions
from splitroute.cli._outputs import OutputFile
from splitroute.cli._streams import DASH
from splitroute.cli.bound import bound_data, search_limit
from splitroute.cli.check import check_data
from splitroute.errors import InputError, InputWarning, SplitRouteError
from splitroute.formats.json import solution_data
from splitroute.instance import Instance
from splitroute.pipeline import DEFAULT_ENGINE, solve_async
from splitroute.progress import Progress
from splitroute.report import cost_text
from splitroute.result import Result
from splitroute.stop import Stop

INSTRUCTIONS = """\
splitroute plans routes for a fleet in which several vehicles may share a customer. Give an instance
as the path of a file (CSV, XLSX, JSON, VRPLIB, ...) or as its text. A CSV has a column id, lat and
lon or x and y, and demand, and a first row whose id is depot; the capacity of a vehicle is an
option. Start with `explain`, which also says what is doubtful in a file. Then `solve`; `bound` says
how much better any solution could be, and `check` validates a solution from anywhere."""
MAX_SECONDS = 3600.0
MAX_VISITS = 500  # of a solution in a result, which an assistant has to read
REPORT_SECONDS = 1.0  # between two reports of progress
NOT_FOR_ASSISTANTS = {"cluster", "program"}  # options of engines
READS_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS_FILES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

Json = dict[str, Any]
InstanceFile = Annotated[
    str | Json, Field(description="Path of the instance's file, or its text, or JSON.")
]
SolutionFile = Annotated[
    str | Json, Field(description="Path of the solution's file, or its text, or JSON.")
]
Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS, description="Time limit.")]


class Reading(BaseModel):
    """How to read an instance whose file does not say everything."""

    model_config = ConfigDict(extra="forbid")

    capacity: float | None = Field(default=None, description="Capacity of a vehicle.")
    vehicles: int | None = Field(
        default=None, description="Number of vehicles; unlimited by default."
    )
    metric: str | None = Field(default=None, description="exact, dimacs or haversine.")
    speed: float | None = Field(
        default=None, description="Distance per time unit; km/h on the globe."
    )
    partial: bool = Field(default=False, description="Deliver as much as possible, not everything.")
    fleet: str | None = Field(default=None, description="Path of a table of vehicle types.")
    depots: str | None = Field(default=None, description="Path of a table of depots.")
    matrix: str | None = Field(default=None, description="Path of a matrix of distances.")
    durations: str | None = Field(default=None, description="Path of a matrix of travel times.")
    sheet: str | None = Field(default=None, description="Sheet of a workbook.")

    def options(self) -> InputOptions:
        """Return the options of the command line."""
        options = self.model_dump(exclude_none=True)
        for name in ("fleet", "depots", "matrix", "durations"):
            if name in options:
                options[name] = _path(options[name])
        if self.capacity is not None:
            options["capacity"] = f"{self.capacity:g}"
        return InputOptions(**options)


HowToRead = Annotated[Reading, Field(description="Options; all of them may be omitted.")]
DEFAULTS = Reading()


class GivenText:
    """A text in place of a file."""

    name = "<text>"

    def __init__(self, text: str) -> None:
        self._data = text.encode()

    def read(self, size: int = -1) -> bytes:
        """Return all of the text, whatever the size."""
        return self._data


class _Server(MCPServer[Any]):
    """Refuses unknown arguments, which would be ignored: a limit that does not limit."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any] | None = None
    ) -> Any:
        """Call a tool with arguments that it has."""
        known = {
            tool.name: list(tool.input_schema["properties"]) for tool in await self.list_tools()
        }
        for argument in arguments:
            if argument not in known.get(name, arguments):
                hint = "; `reading` has it" if argument in Reading.model_fields else ""
                has = ", ".join(known[name])
                raise ToolError(f"{name} has no argument {argument!r}{hint}; it has: {has}")
        return await super().call_tool(name, arguments, context)


def create_server() -> MCPServer[Any]:
    """Return the server with all tools."""
    server = _Server(
        "splitroute",
        instructions=INSTRUCTIONS,
        version=version("splitroute"),
        log_level="WARNING",
    )
    server.tool(annotations=ADDS_FILES)(solve)
    for tool in (check, bound, explain):
        server.tool(annotations=READS_ONLY)(tool)
    return server


async def solve(
    context: Context,
    instance: InstanceFile,
    seconds: Seconds = 10.0,
    rule: Annotated[
        str | None, Field(description="How to split: free, none, coins or pasa:levels=3.")
    ] = None,
    engine: Annotated[str, Field(description="native, or another installed one.")] = DEFAULT_ENGINE,
    seed: int = 1,
    bound: Annotated[float | None, Field(description="Seconds for a lower bound.")] = None,
    baseline: Annotated[bool, Field(description="Also solve without splitting.")] = False,
    save_as: Annotated[
        list[str] | None,
        Field(description="New files: .json .csv .xlsx .geojson .gpx, or .html to look at it."),
    ] = None,
    reading: HowToRead = DEFAULTS,
) -> Json:
    """Find routes that deliver every demand at the smallest cost; they are validated."""
    warned: list[str] = []
    with _errors_for_assistants():
        engine_name, options = _parse_engine(engine)
        rule_name, rule_options = (None, {}) if rule is None else o.parse_rule(rule)
        with _collected(warned):
            read = reading.options().read(_file(instance))
        outputs = _new_files(save_as or (), read)
        result = await _search(
            context, read, seconds * (1 + baseline), engine=engine_name, rule=rule_name,
            stop=Stop(seconds=seconds), seed=seed, bound=bound, baseline=baseline,
            **options, **rule_options,
        )  # fmt: skip
        with _collected(warned):
            for output in outputs:
                output.write(result.solution, read, result.metadata())
    found: Json = {"summary": result.summary(), "about": result.metadata(), "warnings": warned}
    found["saved"] = [str(output.path) for output in outputs]
    if result.solution.num_visits <= MAX_VISITS:
        return found | {"solution": solution_data(read, result.solution)}
    return found | {"omitted": f"more than {MAX_VISITS} visits; use save_as to get the solution"}


async def check(
    instance: InstanceFile, solution: SolutionFile, reading: HowToRead = DEFAULTS
) -> Json:
    """Validate a solution from anywhere, and list every violation."""
    warned: list[str] = []
    with _errors_for_assistants(), _collected(warned):
        read, parsed = reading.options().read_with_solution(_file(instance), _file(solution))
        violations = parsed.violations(read)
        return {**check_data(read, parsed.solution, violations), "warnings": warned}


async def bound(
    context: Context,
    instance: InstanceFile,
    seconds: Seconds = 60.0,
    seed: int = 1,
    reading: HowToRead = DEFAULTS,
) -> Json:
    """Compute a lower bound on the cost of any solution, and the gap of one that is found."""
    warned: list[str] = []
    with _errors_for_assistants():
        with _collected(warned):
            read = reading.options().read(_file(instance))
        limits = {"stop": search_limit(seconds), "bound": seconds, "seed": seed}
        result = await _search(context, read, seconds, **limits)
    return {**bound_data(result), "summary": result.bound_text(), "warnings": warned}


async def explain(
    instance: InstanceFile,
    solution: Annotated[
        str | Json | None, Field(description="Path, text or JSON of a solution to explain too.")
    ] = None,
    reading: HowToRead = DEFAULTS,
) -> Json:
    """Describe an instance: size, rules, who must be split. With a solution: routes, who is split
    between which vehicles, what is not delivered and why."""
    warned: list[str] = []
    with _errors_for_assistants(), _collected(warned):
        if solution is None:
            read = reading.options().read(_file(instance))
            return {**explain_instance(read), "warnings": warned}
        read, parsed = reading.options().read_with_solution(_file(instance), _file(solution))
        explained = explain_solution(read, parsed)
        return {**explain_instance(read), "solution": explained, "warnings": warned}


def _file(given: str | Json) -> File:
    """A path, or a text if it has several lines or is JSON, which the server may have parsed."""
    if isinstance(given, dict):
        return GivenText(json.dumps(given))
    return GivenText(given) if "\n" in given else _path(given)


def _parse_engine(text: str) -> tuple[str, Json]:
    """An engine and its options, without those that run a program or connect to machines."""
    name, options = o.parse_engine(text)
    if refused := NOT_FOR_ASSISTANTS & options.keys():
        message = f"engine is {text!r}; {', '.join(refused)} is not for assistants to choose"
        raise InputError(message, field="engine", value=text)
    return name, options


def _path(text: str) -> Path:
    """The path of a file; raise for standard input and output, over which the tools are called."""
    path = Path(text)
    if path == DASH:
        raise InputError("- is no file here; give a path or a text", field="path", value=text)
    return path


def _new_files(names: Iterable[str], instance: Instance) -> list[OutputFile]:
    """Files to write after the search; an assistant overwrites nothing."""
    outputs = [OutputFile(_path(name)) for name in names]
    for output in outputs:
        if output.path.exists():
            path = str(output.path)
            message = f"{path} exists; choose another name"
            raise InputError(message, field="save_as", file=path, value=path)
        output.check("solution", instance=instance)
    InputOptions().check_outputs(output.path for output in outputs)
    return outputs


async def _search(context: Context, instance: Instance, total: float, **options: Any) -> Result:
    """Solve in a thread; tell the client how far it is, and stop when the client cancels."""
    loop, reported = asyncio.get_running_loop(), -math.inf

    def listen(progress: Progress) -> None:
        nonlocal reported
        if progress.seconds >= reported + REPORT_SECONDS and progress.cost < math.inf:
            reported = progress.seconds
            asyncio.run_coroutine_threadsafe(_report(progress), loop)

    def _report(progress: Progress) -> Coroutine[Any, Any, None]:
        message = f"best cost {cost_text(progress.cost)}"
        return context.report_progress(min(progress.seconds, total), total, message)

    return await solve_async(instance, listener=listen, **options)


@contextmanager
def _errors_for_assistants() -> Iterator[None]:
    """Turn errors of the library into those that an assistant gets to read."""
    try:
        yield
    except SplitRouteError as error:
        raise ToolError(str(error)) from error


@contextmanager
def _collected(warned: list[str]) -> Iterator[None]:
    """Collect warnings; not around a search, during which other tools may run."""

    def collect(message: Warning | str, *args: Any, **kwargs: Any) -> None:
        if str(message) not in warned:
            warned.append(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)
        warnings.showwarning = collect
        yield
