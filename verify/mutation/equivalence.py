# SPDX-License-Identifier: BSD-2-Clause
"""Mutants that are the right circuit: yosys proves that its outputs and next states are the right
one's, whatever its registers hold and its inputs are.

It is asked about those that survive, in modules without memories and other modules. A mutant at a
register's output is not asked about: its register has another place. What is known is kept.
"""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from mcpi.base import yosys
from verify.mutation import netlist, signals
from verify.mutation.netlist import Chosen

SECONDS = 20  # for each proof
_MUTANT = re.compile(r"^MUTANT (\d+)\n(.*?)(?=^MUTANT |\Z)", re.M | re.S)
PROVED = "SAT proof finished - no model found: SUCCESS!"
# Both share inputs and what the registers hold; what is left to prove is what differs.
MITER = (
    "dffunmap",
    "expose -evert-dff",
    "miter -equiv -flatten gold gate miter",
    "hierarchy -top miter",
    *("opt_expr", "opt_merge", "opt_clean") * 2,
    f"sat -prove trigger 0 -timeout {SECONDS} miter",
)


def proved(folder: Path, mutants: Sequence[Chosen]) -> set[int]:
    """Numbers of those that are the same."""
    kept = folder / "same.json"
    said = json.loads(kept.read_text()) if kept.exists() else {}
    known = {int(number): same for number, same in said.items()}
    missing = [m for m in mutants if m.number not in known]
    if missing:
        known |= dict.fromkeys((m.number for m in missing), False) | _run(folder, missing)
        kept.write_text(json.dumps(known, indent=1) + "\n")
    return {m.number for m in mutants if known[m.number]}


def _run(folder: Path, mutants: Sequence[Chosen]) -> dict[int, bool]:
    modules = signals.modules((folder / "right.il").read_text(), {m.module for m in mutants})
    steps = []
    for name, module in modules.items():
        own = [m for m in mutants if m.module == name and not m.port.startswith("Q[")]
        if module.plain and own:
            steps += _proofs(name, own)
    if not steps:
        return {}
    (folder / "same.ys").write_text("\n".join(steps) + "\n")
    return answers(yosys.run(yosys.YOSYS, ["-s", "same.ys"], folder, "same.log"))


def _proofs(module: str, mutants: Iterable[Chosen]) -> list[str]:
    begin = ["design -reset", "read_rtlil right.il", f"hierarchy -top {module}"]
    begin += [f"rename {module} gold", "setundef -zero gold", "splitnets -driver gold"]
    steps = [*begin, "design -save right"]
    for mutant in mutants:
        row = re.sub(rf"-ctrl {netlist.SELECTED} \d+ \d+", "", mutant.row)
        row = re.sub(r"-module \S+", "-module gate", row)
        steps += [f"log MUTANT {mutant.number}", "design -load right", "copy gold gate", row]
        steps += MITER
    return steps


def answers(log: str) -> dict[int, bool]:
    """Answers in yosys's log: by mutant, true if it was proven equal."""
    return {int(number): PROVED in text for number, text in _MUTANT.findall(log)}
