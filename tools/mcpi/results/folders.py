# SPDX-License-Identifier: BSD-2-Clause
"""Comparison of two result folders, file by file, and which parts of a run's files count in it.

Files in ``EXACT`` count byte by byte. Of JSON files all counts but what ``LEFT_OUT`` names. A key
of JSON that was renamed counts under the name it had before (``renamed.csv``). Between two folders
tick logs and traces count byte by byte too, and ``oracle.json`` not: only the RTL has oracles.
"""

import csv
import json
from collections.abc import Iterator, Set
from itertools import zip_longest
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.results.files import SUFFIX, data

EXACT = ("events.csv", "stamps.csv", "wire.pcap", "console.0.txt", "console.1.txt")
EXACT += ("cold_trace.csv",)
TICK_LOG = "ticks.csv"
JSON = ("result.json", "counters.json", "replay.json", "oracle.json")
LEFT_OUT = frozenset({"schema", "provenance", "time", "clocks", "withheld"})
RENAMED = Path(__file__).with_name("renamed.csv")

SPELLS = tuple(f"{name}.{n}.csv" for name in ("spells", "lance") for n in (0, 1))
BYTES = (*EXACT, TICK_LOG, "trace.csv", "passages.0.csv", "passages.1.csv", *SPELLS)
READ = tuple(name for name in JSON if name != "oracle.json")
PAIR = frozenset((*BYTES, *READ))
# Files of a node alone, next to its tick logs.
ALONE = frozenset(("counters.json", "run.json", "console.txt", "history.csv"))
SHOWN = 3  # differences of a file


def renamed(path: Path = RENAMED) -> dict[str, str]:
    """New key to old key."""
    with path.open(newline="") as stream:
        return {row["now"]: row["before"] for row in csv.DictReader(stream)}


def counted(value, names: dict[str, str]):
    """Parts of a JSON value that count in a comparison."""
    if isinstance(value, dict):
        return {
            names.get(key, key): counted(inner, names)
            for key, inner in value.items()
            if key not in LEFT_OUT
        }
    return [counted(inner, names) for inner in value] if isinstance(value, list) else value


def files(folder: Path, names: Set[str] = PAIR) -> set[Path]:
    """Files that count in the folder of a run, or of many."""
    if not folder.is_dir():
        raise UserError(f"{folder}: no folder. Two folders of results are compared.")
    said = (p.relative_to(folder) for p in folder.rglob("*"))
    said = (p.with_suffix("") if p.suffix == SUFFIX else p for p in said)
    found = {path for path in said if path.name in names}
    if not found:
        raise UserError(f"{folder}: no file of a run in it.")
    return found


def differences(
    one: Path, other: Path, below: bool = True, names: Set[str] = PAIR
) -> dict[Path, list[str]]:
    """By file: where it differs, and how, the first few; what only one folder has, too. Not
    ``below``: of the files in the folders themselves. ``names``: of the files that count."""
    ours, theirs, found = files(one, names), files(other, names), {}
    for path in sorted(p for p in ours | theirs if below or p.parent == Path()):
        if path not in ours or path not in theirs:
            found[path] = [f"only in {one if path in ours else other}"]
        elif said := list(_said(one / path, other / path)):
            more = len(said) - SHOWN
            found[path] = said[:SHOWN] + ([f"and {more} more"] if more > 0 else [])
    return found


def _said(one: Path, other: Path) -> Iterator[str]:
    a, b = _bytes(one), _bytes(other)
    if a == b:
        return
    if one.name in READ:
        yield from _values("", *(_json(path) for path in (one, other)))
    elif one.suffix == ".csv" or one.suffix == ".txt":
        for n, (x, y) in enumerate(zip_longest(a.splitlines(), b.splitlines()), 1):
            if x != y:
                yield f"line {n}: {_text(x)} and {_text(y)}"
        if a.splitlines() == b.splitlines():
            yield "the ends of lines differ"
    else:
        at = next((n for n, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        yield f"byte {at}; {len(a)} and {len(b)} bytes"


def _bytes(path: Path) -> bytes:
    with data(path) as stream:
        return stream.read()


def _json(path: Path) -> object:
    return counted(json.loads(path.read_text()), renamed())


def _values(where: str, one: object, other: object) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from _values(f"{where}.{key}", one.get(key), other.get(key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for n, pair in enumerate(zip(one, other, strict=True)):
            yield from _values(f"{where}[{n}]", *pair)
    elif one != other or type(one) is not type(other):
        yield f"{where.lstrip('.')}: {one} and {other}"


def _text(line: bytes | None) -> str:
    return "nothing" if line is None else repr(line.decode(errors="replace"))[:80]


def check(one: Path, other: Path) -> int:
    """Compare and tell; 0 if both say the same."""
    from rich.console import Console

    people = Console(stderr=True, highlight=False)
    found = differences(one, other)
    for path, said in found.items():
        people.print(f"{path}:", *said, sep="\n  ", soft_wrap=True, markup=False)
    count = len(files(one) | files(other))
    people.print(f"{len(found)} of {count} files differ" if found else f"{count} files, the same")
    return 1 if found else 0
