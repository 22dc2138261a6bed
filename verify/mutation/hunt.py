# SPDX-License-Identifier: BSD-2-Clause
"""Which of the chosen mutants somebody sees, step by step; what has been judged is kept. A mutant
that would change no bit while the right one runs is not tried on that step."""

import contextlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import staging
from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar, Update
from verify.mutation import equivalence, kill_steps, netlist
from verify.mutation.mutation_targets import Reason, Room
from verify.mutation.netlist import Chosen

KEEP_SECONDS = 20
UNREACHED = Reason("*", "not reached: the bit has this value in every clock of all steps")
SAME = Reason("*", "the same circuit: proved by yosys", effect=False)


@dataclass(frozen=True)
class Verdict:
    """``by`` whom it is killed; empty: it survives. ``reached``: in some step it would have changed
    its bit. ``same``: it is the right circuit (``equivalence.py``)."""

    mutant: Chosen
    by: str
    reached: bool = True
    same: bool = False

    def reason(self, known: Sequence[Reason]) -> Reason | None:
        """Why it survives: it is the same, nothing reaches it, or as far as ``reasons.toml``
        says."""
        if self.same:
            return SAME
        said = next((r for r in known if r.explains(self.mutant)), None)
        if self.reached or (said and not said.effect):
            return said
        return UNREACHED

    def effect(self, known: Sequence[Reason]) -> bool:
        """Return true if the mutant has an effect that can be seen."""
        reason = None if self.by else self.reason(known)
        return reason.effect if reason else True


def killed(verdicts: Sequence[Verdict], known: Sequence[Reason]) -> float:
    """Share of the killed mutants among those that have an effect."""
    seen = [v for v in verdicts if v.effect(known)]
    return sum(bool(v.by) for v in seen) / len(seen)


def hunt(rooms: Sequence[Room], count: int, seed: int, workers: int, bar: Bar) -> list[Verdict]:
    """Verdicts on the chosen mutants of the rooms of one block."""
    path, chosen = netlist.make(rooms, count, seed)
    kept = path.with_name("verdicts.json")
    found: dict[str, dict[int, str | None]] = {}  # no answer: it would have changed nothing
    if kept.exists():
        found = {
            s: {int(n): by for n, by in r.items()} for s, r in json.loads(kept.read_text()).items()
        }
    left, tried = chosen, []
    for step in kill_steps.JUDGES[rooms[0].top](path):
        tried.append(known := found.setdefault(step.name, {}))
        if missing := [m for m in left if m.number not in known]:
            right = step.run(0)
            assert right.status == 0, f"{step.name}: the right one fails: {right.said}"
            acting = netlist.acting(right.said)
            known |= {m.number: None for m in missing if m.number not in acting}
            missing = [m for m in missing if m.number in acting]
            with (
                bar.task(f"{step.name}: {len(left)} left", len(missing)) as update,
                _kept(kept, found) as keep,
            ):
                _judge(step, right, missing, known, workers, update, keep)
        left = [m for m in left if not known[m.number]]
    proved = equivalence.proved(path.parent, left)
    return [
        _verdict(m, [known.get(m.number) for known in tried], m.number in proved) for m in chosen
    ]


def _verdict(mutant: Chosen, said: Sequence[str | None], same: bool) -> Verdict:
    by = next((by for by in said if by), "")
    return Verdict(mutant, by, any(by is not None for by in said), same)


def _judge(
    step: kill_steps.Step,
    right: kill_steps.Ran,
    missing: Sequence[Chosen],
    known: dict[int, str],
    workers: int,
    update: Update,
    keep: Callable[[], None],
) -> None:
    stop, done, lock = Stop(), len(known), threading.Lock()

    def some(mutants: Sequence[Chosen]) -> None:
        for number, by in step.judge(right, [m.number for m in mutants], stop):
            with lock:
                known[number] = by
                update(len(known) - done, len(missing), "")
                keep()

    parts = [missing[n::workers] for n in range(workers)]
    side_by_side(some, [part for part in parts if part], workers, stop)


@contextlib.contextmanager
def _kept(path: Path, found: dict) -> Iterator[Callable[[], None]]:
    """Write ``found`` to ``path`` at the end of the block. The function that is given writes it
    too, if the last time was ``KEEP_SECONDS`` ago."""
    last = time.monotonic()

    def write() -> None:
        staging.write(path, json.dumps(found, indent=1) + "\n")

    def keep() -> None:
        nonlocal last
        if time.monotonic() - last > KEEP_SECONDS:
            write()
            last = time.monotonic()

    try:
        yield keep
    finally:
        write()


def counts(verdicts: Sequence[Verdict], known: Sequence[Reason]) -> str:
    """A row for each room: who killed how many of its mutants, and how many survive."""
    rows = [
        "| room | mutants | model | ticks | hangs | survive | no effect | killed of the others |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for room in dict.fromkeys(v.mutant.room for v in verdicts):
        own = [v for v in verdicts if v.mutant.room == room]
        by = Counter(v.by for v in own)
        none = sum(not v.effect(known) for v in own)
        cells = [
            len(own),
            by[kill_steps.MODEL],
            by[kill_steps.TICKS],
            by[kill_steps.HANGS],
            by[""] - none,
            none,
        ]
        rows.append(f"| `{room}` | {' | '.join(map(str, cells))} | {killed(own, known):.1%} |")
    return "\n".join(rows) + "\n"


def survivors(verdicts: Sequence[Verdict], known: Sequence[Reason]) -> list[dict[str, str]]:
    """A row for each survivor: its effect and the reason, which is empty if none is known."""
    rows = []
    for v in verdicts:
        if not v.by:
            reason = v.reason(known)
            rows.append(
                {
                    "room": v.mutant.room,
                    "mutant": v.mutant.title,
                    "effect": "yes" if v.effect(known) else "no",
                    "reason": reason.why if reason else "",
                }
            )
    return rows
