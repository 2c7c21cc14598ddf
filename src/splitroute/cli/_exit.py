"""Exit codes of all commands; docs/cli.md lists them."""

from splitroute.errors import EngineError, MissingPackageError, SplitRouteError

VIOLATIONS = 1  # `check` found some; a run of `bench` failed
INVALID_INPUT = 2  # as for a wrong option
NOT_INSTALLED = 3
NO_SOLUTION = 4  # the engine failed
INTERRUPTED = 130  # what was found until then is printed and saved


def exit_code(error: SplitRouteError) -> int:
    """The exit code that an error ends the program with."""
    if isinstance(error, MissingPackageError):
        return NOT_INSTALLED
    return NO_SOLUTION if isinstance(error, EngineError) else INVALID_INPUT
