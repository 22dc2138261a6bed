# SPDX-License-Identifier: BSD-2-Clause
"""Facts from a trace of the path: call order, classes, and the data it uses, as small tables.

``firmware/variants/orders/<order>-<stack>.csv``: ``function,class,calls,instructions``, in the
order of first calls; calls and instructions of one invocation.
``….data.csv``: ``section,offset,accesses``, a line a block of data, offsets in bytes.
"""

import csv
import io
import itertools
from collections import Counter
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from mcpi.base import staging
from mcpi.base.errors import UserError
from mcpi.firmware.clone.program import Program

PATH, LIBRARY = CLASSES = ("path", "library")
FIELDS = ["function", "class", "calls", "instructions"]
DATA_FIELDS = ["section", "offset", "accesses"]
COLUMNS = ("window", "invocation", "pc", "kind", "address")


class Step(NamedTuple):
    """An instruction of ``trace.csv``; ``address`` of its access, or None."""

    pc: int
    kind: str
    address: int | None


def _rows(path: Path) -> list[list[list[str]]]:
    """The path's invocations of a ``trace.csv``, in its words: pc, kind, address. Each ends with
    the window in which it is counted (of RPC's two, the client thread's)."""
    found: list[list[list[str]]] = [[]]
    window = before = last = None
    with path.open() as stream:
        rows = csv.reader(stream)
        wanted = itemgetter(*map(next(rows).index, COLUMNS))
        for passage, count, *words in map(wanted, rows):
            if passage != window:
                if window is None:
                    before = count
                elif last != before:
                    found.append([])
                    before = last
                window = passage
            last = count
            found[-1].append(words)
    return found


def invocations(path: Path) -> list[list[Step]]:
    """The path's invocations of a ``trace.csv``."""
    return [[_step(*words) for words in one] for one in _rows(path)]


def usual(path: Path, number: int = 1) -> list[list[Step]]:
    """The last so many invocations of the length that most have."""
    all_ = _rows(path)
    lengths = Counter(map(len, all_)).most_common()
    if len(all_) < number + 2 or lengths[0][1] < number:
        raise UserError(
            f"{path}: {len(all_)} invocations: {number + 2} or more are needed, and {number} of "
            "the same length."
        )
    alike = [one for one in all_ if len(one) == lengths[0][0]][-number:]
    return [[_step(*words) for words in one] for one in alike]


def _step(pc: str, kind: str, address: str) -> Step:
    return Step(int(pc, 16), kind, int(address, 16) if address else None)


def order(program: Program, steps: list[Step], icache: int) -> list[dict]:
    """The rows for one invocation of an image without copies: every call enters at the start.
    Code outside functions is left out. ``icache``: bytes, of which the library has half."""
    calls, counts = Counter(), Counter()
    for step in steps:
        if f := program.function_at(step.pc):
            counts[f.start] += 1
            calls[f.start] += step.pc == f.start
    library = _library(program, calls, icache // 2)
    return [
        {
            "function": program.starts[start].name,
            "class": LIBRARY if start in library else PATH,
            "calls": max(1, calls[start]),  # 0: the window opened inside
            "instructions": count,
        }
        for start, count in counts.items()
    ]


def _library(program: Program, calls: Counter, room: int) -> set[int]:
    """The functions called again in an invocation, those called most first, the shorter of two
    with as many calls first, until ``room`` is full: a byte kept for one spares a byte fetched for
    each call but the first."""
    again = [start for start, n in calls.items() if n > 1]
    sizes = {start: 4 * program.starts[start].words for start in again}
    again.sort(key=lambda start: (-calls[start], sizes[start]))
    ends = itertools.accumulate(sizes[start] for start in again)
    return {start for start, end in zip(again, ends, strict=True) if end <= room}


def data(program: Program, steps: list[Step], block: int) -> list[dict]:
    """The rows of the blocks of data in RAM that loads and stores of ``steps`` touch."""
    counts = Counter(s.address // block * block for s in steps if s.address is not None)
    rows = []
    for address, accesses in sorted(counts.items()):
        if name := program.section_at(address):
            offset = address - program.sections[name][0]
            rows.append(dict(zip(DATA_FIELDS, (name, offset, accesses), strict=True)))
    return rows


def write(path: Path, fields: list[str], rows: list[dict]) -> None:
    """A file that changes only if its rows do: images that have the order stay."""
    stream = io.StringIO()
    out = csv.DictWriter(stream, fields, lineterminator="\n")
    out.writeheader()
    out.writerows(rows)
    if not (path.exists() and path.read_text() == stream.getvalue()):
        staging.write(path, stream.getvalue())


def read(path: Path, fields: list[str]) -> list[dict]:
    """The rows; UserError if the file or a column is missing."""
    try:
        with path.open(newline="") as stream:
            rows = list(csv.DictReader(stream))
    except OSError as error:
        raise UserError(
            f"{path}: {error.strerror}. ./mcpi layout order makes the tables of a path."
        ) from None
    for number, row in enumerate(rows, 2):
        if set(row) != set(fields) or None in row.values():
            raise UserError(f"{path}:{number}: the columns {', '.join(fields)} are wanted.")
        if "class" in row and row["class"] not in CLASSES:
            raise UserError(f"{path}:{number}: class {row['class']}: path or library.")
    if not rows:
        raise UserError(f"{path}: no functions.")
    return rows
