# SPDX-License-Identifier: BSD-2-Clause
"""Which of the chosen mutants somebody sees, step by step; what has been judged is kept."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.process import side_by_side
from mcpi.base.progress import Bar
from mcpi.verify.mutation import judges, netlist
from mcpi.verify.mutation.netlist import Chosen
from mcpi.verify.mutation.rooms import Reason, Room


@dataclass(frozen=True)
class Verdict:
    """``by`` whom, in which ``step``; empty: it survives."""

    mutant: Chosen
    by: str
    step: str

    def reason(self, known: Sequence[Reason]) -> str:
        """Why it survives, as far as ``reasons.toml`` says."""
        m = self.mutant
        return next((r.why for r in known if r.explains(m.module, m.lines)), "")


def hunt(rooms: Sequence[Room], count: int, seed: int, workers: int, bar: Bar) -> list[Verdict]:
    """Of all mutants of the rooms of one block."""
    path, chosen = netlist.make(rooms, count, seed)
    kept = path.with_name("verdicts.json")
    found: dict[str, dict[int, str]] = {}
    if kept.exists():
        found = {
            s: {int(n): by for n, by in r.items()} for s, r in json.loads(kept.read_text()).items()
        }
    left = chosen
    for step in judges.JUDGES[rooms[0].top](path):
        known = found.setdefault(step.name, {})
        if missing := [m for m in left if m.number not in known]:
            status, right = step.run(0)
            assert status == 0, f"{step.name}: the right one fails: {right}"
            with bar.task(f"{step.name}: {len(left)} left", len(missing)) as update:
                try:
                    _judge(step, right, missing, known, workers, update)
                finally:
                    _keep(kept, found)
        left = [m for m in left if not known[m.number]]
    return [_verdict(m, found) for m in chosen]


def _judge(step, right: str, missing: Sequence[Chosen], known: dict, workers: int, update) -> None:
    def one(mutant: Chosen) -> None:
        known[mutant.number] = judges.judge(step, right, mutant.number)

    side_by_side(one, missing, workers, ended=lambda n: update(n, len(missing), ""))


def _keep(path: Path, found: dict) -> None:
    stage = path.with_suffix(".new")
    stage.write_text(json.dumps(found, indent=1) + "\n")
    stage.rename(path)


def _verdict(mutant: Chosen, found: dict[str, dict[int, str]]) -> Verdict:
    for step, known in found.items():
        if by := known.get(mutant.number, ""):
            return Verdict(mutant, by, step)
    return Verdict(mutant, "", "")


def table(verdicts: Sequence[Verdict], known: Sequence[Reason]) -> str:
    """A row for each room; then those that survive, with the reason."""
    rows = [
        "| room | mutants | model | ticks | hangs | survive | killed |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    alive = []
    for room in dict.fromkeys(v.mutant.room for v in verdicts):
        own = [v for v in verdicts if v.mutant.room == room]
        by = Counter(v.by for v in own)
        cells = [len(own), by[judges.MODEL], by[judges.TICKS], by[judges.HANGS], by[""]]
        rows.append(f"| `{room}` | {' | '.join(map(str, cells))} | {1 - by[''] / len(own):.1%} |")
        alive += [v for v in own if not v.by]
    rows += ["", "| survivor | reason |", "|---|---|"]
    rows += [f"| `{v.mutant.title}` | {v.reason(known) or '**none**'} |" for v in alive]
    return "\n".join(rows) + "\n"
