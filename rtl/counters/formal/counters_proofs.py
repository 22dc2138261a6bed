# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of the counters, and how; docs/verification/proofs.md says what it means."""

import re
from pathlib import Path

from mcpi.verify.sby import INDUCTION, Mutant, Proof, Room

HERE = Path(__file__).parent
OWNERS = re.findall(r'newElement\("(\w+)"\)', (HERE.parent / "Owner.scala").read_text())


def banks() -> str:
    """The counters by name: of each bank and its copy; the owners also in one word."""
    lines = ["// SPDX-License-Identifier: BSD-2-Clause"]
    for bank, prefix in (
        ("all", "banks_1_all"),
        ("path", "banks_1_path"),
        ("allCopy", "snapshot_1.snapshot_all"),
        ("pathCopy", "snapshot_1.snapshot_path"),
    ):
        single = ("ticks", "instructions", "clocks", "withheld")
        names = {name: name for name in single} | {o: f"owner_{o}" for o in OWNERS}
        lines += [f"wire [63:0] {bank}_{n} = counters.{prefix}_{r};" for n, r in names.items()]
        word = ", ".join(f"{bank}_{owner}" for owner in reversed(OWNERS))
        lines.append(f"wire [{64 * len(OWNERS) - 1}:0] {bank}_owners = {{{word}}};")
    return "\n".join(lines) + "\n"


PROOFS = [
    Proof(
        name,
        engine=INDUCTION,
        depth=1,
        settings={"OWNERS": str(len(OWNERS))},
        cut=("Counters/windows_1", "Counters/residency_1", "Counters/slots", "Counters/table_1"),
    )
    for name in ("owner_counters", "tick_owners")
]
MUTANTS = (
    Mutant(
        "owner_counters",
        "idle ticks left out are counted once for all",
        "all_owner_idle <= (_zz_all_owner_idle + _zz_all_owner_idle_1);",
        "all_owner_idle <= _zz_all_owner_idle;",
        12,
    ),
    Mutant(
        "tick_owners",
        "a copy takes the ticks of the clock before",
        "        snapshot_all_ticks <= io_all_0;",
        "        snapshot_all_ticks <= io_all_2;",
        12,
    ),
    Mutant(
        "tick_owners",
        "the check adds one owner too few",
        "check_index <= (check_index + 5'h01);",
        "check_index <= (check_index + 5'h02);",
        40,
    ),
)
ROOM = Room(
    "Counters",
    HERE,
    PROOFS,
    MUTANTS,
    {"banks.svh": banks(), "counters.svh": (HERE / "counters.svh").read_text()},
)
