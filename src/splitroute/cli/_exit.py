"""Exit codes of all commands."""

from splitroute.errors import (
    EngineError,
    MissingPackageError,
    RoadServerError,
    SplitRouteError,
)

VIOLATIONS = 1  # found by `check`; for `bench`, a failed run
INVALID_INPUT = 2  # also a wrong option, and standard output that cannot be written
NOT_INSTALLED = 3
NO_SOLUTION = 4  # the engine failed
ROAD_SERVER_FAILED = 5
INTERRUPTED = 130  # the best solution so far is printed and saved

EXIT_CODES = (
    "Exit codes: 0 success, 1 violations found, 2 invalid input, 3 not installed, "
    "4 no solution, 5 road server failed, 130 interrupted."
)


def exit_code(error: SplitRouteError) -> int:
    """Exit code of an error."""
    if isinstance(error, MissingPackageError):
        return NOT_INSTALLED
    if isinstance(error, RoadServerError):
        return ROAD_SERVER_FAILED
    return NO_SOLUTION if isinstance(error, EngineError) else INVALID_INPUT
