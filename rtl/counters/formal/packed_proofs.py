# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of the packed counters, at three a bank of five bits; proofs.md."""

from pathlib import Path

from mcpi.verify.sby import INDUCTION, Mutant, Proof, Room

HERE = Path(__file__).parent
NAME = "packed_counters"


def chosen(prefix: str) -> str:
    """The counter that is read, of those named ``<prefix>_<bank>_<name>``."""
    banks = []
    for bank in ("all", "path"):
        first, second, last = (
            f"{prefix}_{bank}_{n}" for n in ("owner_issue", "owner_idle", "late")
        )
        banks.append(f"(read_index[0] ? {second} : read_index[1] ? {last} : {first})")
    return f"read_window ? {banks[1]} : {banks[0]}"


PROBES = f"""  wire [4:0] probeRam = ram[{{read_window, read_index[1:0]}}];
  wire [4:0] probeCopies = copies[{{read_window, read_index[1:0]}}];
  wire [2:0] probeLow = {chosen("low")};
  wire [2:0] probeCopied = {chosen("copied")};
"""
PROOFS = [Proof(NAME, engine=INDUCTION, depth=2, probes={"PackedFew": PROBES})]
MUTANTS = (
    Mutant(
        NAME,
        "low bits that wrapped carry nothing",
        "(third_lowNow < third_total[2 : 0])",
        "1'b0",
        24,
    ),
    Mutant(
        NAME,
        "a copy does not know of a clear that is under way",
        "((early_clearing == 3'b000) ? early_clearing : _zz_early_copiesZero)",
        "3'b000",
        24,
    ),
    Mutant(
        NAME,
        "a clear during a copy clears what is still to be copied",
        "third_valueThen <= (second_copiesZero ?",
        "third_valueThen <= (second_zero ?",
        24,
    ),
    Mutant(
        NAME,
        "late counters are copied with the others",
        "assign first_copying = ((at_late ? behind_copying : early_copying)",
        "assign first_copying = (early_copying",
        24,
    ),
)
ROOM = Room("PackedFew", HERE, PROOFS, MUTANTS)
