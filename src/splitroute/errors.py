"""What can go wrong, by kind; the command line turns each into one message and exit code 2."""


class SplitRouteError(Exception):
    """Anything splitroute reports on purpose; the message is meant for the user."""


class InputError(SplitRouteError):
    """A file, value or option that cannot be understood or makes no sense."""


class EngineError(SplitRouteError):
    """An engine that is missing, crashed, hung or gave an answer that is not valid."""


class LimitError(SplitRouteError):
    """A request too large to be carried out within reason."""
