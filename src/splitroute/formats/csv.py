"""CSV as spreadsheets write it: customers of an instance, or visits of a solution.

Instances have the columns id, demand, and x and y or lat and lon, in any order. Columns such as
open, close and min_drop hold the rules of customers; others are notes. One row has the id "depot".
Lines such as `# capacity: 100` above the header are settings. Vehicle types and several depots have
tables of their own. Output is in the dialect of the table that the instance was read from.
"""

import warnings
from contextlib import suppress

from splitroute.errors import InputError, InputWarning
from splitroute.files import Dialect
from splitroute.formats import Capabilities
from splitroute.formats._columns import customer_names
from splitroute.formats._dump_csv_instance import RULES, dump_instance
from splitroute.formats._dump_csv_solution import dump_solution
from splitroute.formats._parse_csv_instance import parse_instance
from splitroute.formats._parse_csv_solution import parse_solution
from splitroute.formats._sources import NamedText
from splitroute.formats._table import Table
from splitroute.instance import Instance

__all__ = [
    "CAPABILITIES",
    "dump_instance",
    "dump_solution",
    "parse_instance",
    "parse_solution",
]


def _min_customers(text: str) -> int:
    """Number of rows without the depot."""
    with suppress(InputError), warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        table = Table(NamedText("", text), customer_names())
        return sum(1 for _ in table.rows([0])) - 1
    return 0  # parsing reports what is wrong


def _encode(text: str, instance: Instance) -> bytes:
    """Encode a table like the one that the instance was read from."""
    try:
        return text.encode((instance.dialect or Dialect()).encoding)
    except UnicodeEncodeError:
        return text.encode("utf-8-sig")  # which the same programs read as well


CAPABILITIES = Capabilities(
    instance_suffixes=(".csv",),
    solution_suffixes=(".csv",),
    accepts_depot=True,
    accepts_tables=True,
    instance_rules=RULES,
    holds_vehicles=True,
    encode=_encode,
    min_customers=_min_customers,
)
