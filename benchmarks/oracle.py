"""Compare the search with brute force on tiny instances with random combinations of rules.

    .venv/bin/python benchmarks/oracle.py --count 2000 --iterations 2000

The search must never be better, since brute force would then be wrong, and should be equal nearly
always. Everything but equal results is listed.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from rich_verdicts import KINDS, judge

MIN_EQUAL = 0.95


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, help="number of instances")
    parser.add_argument("--first", type=int, default=0, help="seed of the first instance")
    parser.add_argument("--iterations", type=int, default=2000, help="of each search")
    parser.add_argument("--engine", default="native")
    parser.add_argument("--quiet", action="store_true", help="print only the numbers")
    options = parser.parse_args()
    kinds: Counter[str] = Counter()
    started = time.process_time()
    for seed in range(options.first, options.first + options.count):
        verdict = judge(seed, options.iterations, engine=options.engine)
        kinds[verdict.kind] += 1
        if verdict.kind != "equal" and not options.quiet:
            print(f"seed {seed}: {verdict.kind}: {verdict.message}", flush=True)
    seconds = time.process_time() - started
    print(", ".join(f"{kind} {kinds[kind]}" for kind in KINDS), f"({seconds:.0f} s CPU)")
    is_good = kinds["equal"] >= MIN_EQUAL * options.count
    sys.exit(0 if is_good and not any(kinds[kind] for kind in KINDS[2:]) else 1)


if __name__ == "__main__":
    main()
