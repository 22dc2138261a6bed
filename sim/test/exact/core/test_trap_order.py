# SPDX-License-Identifier: BSD-2-Clause
"""MCHK of a fetch that fails comes before ARITH, and ARITH before an interrupt (core.md, PAL and
traps), on both engines: the timer's interrupt is swept over the fetch, tick by tick."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from sim_support.simulators import PAL_BASE, both, build, guest, logged_from_reset, machine_json
from sim_support.trap_order import PAL

from mcpi.results import folders
from verify.long_tests import sampled

# The guest ends at $20; $3 is KSEG's first address beyond RAM, $5 the largest number.
HEAD = """
	.set noat
	.set noreorder
	.text
	.globl _start
_start:	br $20, 1f
	lda $5, 20($31)		// what is due still comes
2:	subq $5, 1, $5
	bne $5, 2b
	lda $13, 0x1010($12)
	stq $31, 0($13)
	br $31, .
1:	lda $3, 1($31)
	sll $3, 26, $3
	addq $3, $2, $3
	lda $4, 1($31)
	stq $4, 0x2010($12)	// timer on
	lda $5, -1($31)
	srl $5, 1, $5
"""
# A word is copied to the end of RAM, and run: the fetch after it fails.
LAST_WORD = """
	br $21, 3f
	{word}
3:	ldl $4, 0($21)
	stl $4, -4($3)
	mb
	lda $3, -4($3)
"""
WAITS = """
	lda $6, 50($31)
4:	subq $6, 1, $6
	bne $6, 4b
	jmp $31, ($3)
"""
GUESTS = {  # and what traps, the interrupt apart
    "jump": (WAITS, "M"),
    "sum": (LAST_WORD.format(word="addq/v $5, $5, $6") + WAITS, "MA"),
    "product": (LAST_WORD.format(word="mulq/v $5, $5, $6") + WAITS, "MA"),
}
FAST = {"bcache.read_ticks": "3", "memory.read_ticks": "3"}  # the product is still under way
TLB = {"core.translation": "tlb", "tlb.data_entries": "4", "tlb.instruction_entries": "4"}
MACHINES = {
    "usual": {},
    "fast": FAST,
    "ideal": {"memory.ideal": "on"},
    "ev4": {"core.prediction": "ev4"},
    "tlb": TLB,
}
BEFORE, AFTER = 6, 4  # phases of the sweep, around the fetch
TOO_LATE = 90_000  # a phase


class Runs:
    """A guest on both engines; ``met`` counts which traps came in which order."""

    def __init__(self, machine: str, name: str, folder: Path) -> None:
        self.folder, self.met = folder, Counter()
        self.built = build(TLB if machine == "tlb" else {})
        self.machine = machine_json(folder, MACHINES[machine])
        text, self.wanted = GUESTS[name]
        self.pal = guest("pal", folder, PAL_BASE, PAL)
        self.elf = guest("guest", folder, text=HEAD + text)

    def of(self, phase: int) -> list[str]:
        """Output of node 0 and, with the next phase, of node 1; both engines leave the same files,
        and every tick of node 0."""
        items = [f"pal={self.pal}", f"image={self.elf}"]
        options = [w for n in (0, 1) for w in ("--node", f"{n}:phase={phase + n}")]
        options += [*logged_from_reset(self.folder), "--max-ticks", 100_000]
        for done in both(self.built, self.folder, self.machine, *options, items=items):
            assert done.returncode == 0, f"phase {phase}: {done.stderr[-3000:]}"
        rtl, exact = self.folder / "rtl", self.folder / "exact"
        assert not (found := folders.differences(rtl, exact)), f"phase {phase}: {found}"
        said = [(rtl / f"console.{n}.txt").read_text() for n in (0, 1)]
        self.met.update(said)
        return said

    def fetching(self) -> range:
        """The ticks in which the fetch that fails is under way: between the last instruction before
        PALcode, and PALcode's first."""
        with (self.folder / "rtl" / "ticks.csv").open(newline="") as file:
            ticks = [row for row in csv.DictReader(file) if row["owner"] == "issue"]
        pal = ["pal_ticks" in row["events"] for row in ticks]
        entry = pal.index(True, pal.index(False))
        return range(int(ticks[entry - 1]["tick"]) + 1, int(ticks[entry]["tick"]))


CASES = [(name, machine) for machine in MACHINES for name in GUESTS]
USUAL = {("jump", "usual"), ("sum", "usual"), ("product", "fast")}


@pytest.mark.parametrize("case", sampled(CASES, USUAL.__contains__), ids="-".join)
def test_trap_order(case, tmp_path):
    """In each phase all traps come, each once. While the fetch is under way, the interrupt is the
    last of them."""
    name, machine = case
    runs = Runs(machine, name, tmp_path)
    assert runs.of(TOO_LATE) == [runs.wanted] * 2
    fetch = runs.fetching()
    phases = range(fetch.start - BEFORE, fetch.stop + AFTER, 2)
    orders = [said for phase in phases for said in runs.of(phase)]
    early, late = "I" + runs.wanted, runs.wanted + "I"
    turn = orders.index(late)
    assert orders == [early] * turn + [late] * (len(orders) - turn)
    print(f"{name}, {machine}: the fetch takes ticks {fetch}; {dict(runs.met)}")
    assert runs.met[early] and runs.met[late] >= len(fetch)


FAILS = {  # an access that fails; $7 is an address that no device has
    "load": "ldq $4, 0($3)",
    "store": "stq $4, 0($3)",
    "device": "ldq $4, 0($7)",
}
SOON = {"write_buffer.idle_ticks": "1", "write_buffer.write_ticks": "5"}
DISTANCES = range(40)  # instructions from the access to the jump to nowhere


def two_errors(access: str) -> str:
    """A guest: the access and the fetch fail, at each distance; MCHK goes on at $20."""
    text = HEAD.split("1:", 1)[1].replace("stq $4, 0x2010($12)", "ldah $7, 0x7f0($12)")
    lines = ["\t.set noat\n\t.set noreorder\n\t.text\n\t.globl _start\n_start:", text]
    for distance in DISTANCES:
        lines += [f"br $20, 1f\n\tbr $31, 2f\n1:\t{access}", *["bis $31, $31, $31"] * distance]
        lines.append("jmp $31, ($3)\n2:\tmb")
    return "\n\t".join([*lines, "lda $13, 0x1010($12)\n\tstq $31, 0($13)\n\tbr $31, .\n"])


@pytest.mark.parametrize("settings", [{}, FAST | SOON], ids=["usual", "fast"])
@pytest.mark.parametrize("access", FAILS)
def test_trap_order_of_two_errors(access, settings, tmp_path):
    """Both engines take them in the same ticks, and as often: those answered in one tick are one
    machine check."""
    items = [f"pal={guest('pal', tmp_path, PAL_BASE, PAL)}"]
    items += [f"image={guest('guest', tmp_path, text=two_errors(FAILS[access]))}"]
    machine = machine_json(tmp_path, settings)
    options = [*logged_from_reset(tmp_path), "--max-ticks", 100_000]
    for done in both(build(), tmp_path, machine, *options, items=items):
        assert done.returncode == 0, done.stderr[-3000:]
    assert not (found := folders.differences(tmp_path / "rtl", tmp_path / "exact")), found
    checks = (tmp_path / "rtl" / "console.0.txt").read_text()
    print(f"{access}: {len(checks)} machine checks of {2 * len(DISTANCES)} errors")
    assert set(checks) == {"M"} and len(checks) >= len(DISTANCES)
