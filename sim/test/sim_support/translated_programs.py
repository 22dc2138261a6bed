# SPDX-License-Identifier: BSD-2-Clause
"""Random user programs on random page tables, and what they must do by a walk of the tables.

Two processes in spaces of their own take turns. Their loads, stores and jumps go to pages that are
there or not, with rights or without, to KSEG and to addresses of no kind. A small kernel writes
down each trap and goes on after it. ``Program.text`` is its source, ``Program.wanted`` the lines
that its console must show. Nothing here knows of TLBs: each access walks the table.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.machine.profile import Machine
from sim_support.simulators import ALPHA_GCC, run

KSEG = 0xFFFFFC0000000000
MASK = (1 << 64) - 1
V, FOR, FOW, FOE, ASM, KRE, URE, KWE, UWE = (1 << n for n in (0, 1, 2, 3, 4, 8, 9, 12, 13))
RIGHTS = KRE | URE | KWE | UWE
TABLE = 0x200000, 0x240000  # physical, of each process: 128 KB at most
# Three levels: tables of 128 entries. The last ones, one after the other, are the flat table.
ROOT, MIDDLE, LEVEL = 0x20000, 0x22000, 128
DATA = 0x400000  # frames from here on
CODE_PAGE, FUNCTIONS, PAGES, REGIONS = 16, range(20, 26), range(32, 44), range(64, 96, 8)
FUNCTION_BINS = [
    f"index {index} {when}"
    for index in ("same", "other")
    for when in ("first", "again", "refilled")
]
LOADS = {"ldq": 8, "ldl": 4, "ldq_u": 8}
STORES = {"stq": 8, "stl": 4, "stq_u": 8}

KERNEL = """\
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:	ldah	$30, 0x28($31)
	bsr	$9, kseg_sp
	br	$9, 1f
1:	ldgp	$29, 0($9)
	bis	$29, $29, $16
	call_pal 0x37			// WRKGP
	.irp	n, 0, 2, 3, 4, 5
	lda	$16, entry_\\n
	lda	$17, \\n($31)
	call_pal 0x34			// WRENT
	.endr
	lda	$10, 1($31)		// timer on
	bsr	$9, system
	stq	$10, 0x2010($11)
	bis	$31, $31, $16
	call_pal 0x35			// SWPIPL 0
	ldah	$16, 0x1e($31)		// control block 0, physical
	call_pal 0x30			// SWPCTX
	br	$31, to_user
kseg_sp:
	lda	$10, -4($31)
	sll	$10, 40, $10
	addq	$30, $10, $30
	ret	$31, ($9), 1
system:	lda	$11, -1022($31)
	sll	$11, 32, $11
	ret	$31, ($9), 1

entry_0:				// timer: acknowledge
	.irp	n, 9, 10, 11
	stq	$\\n, -8*\\n($30)
	.endr
	bsr	$9, system
	lda	$11, 0x2008($11)
	stq	$31, 0($11)
	.irp	n, 9, 10, 11
	ldq	$\\n, -8*\\n($30)
	.endr
	call_pal 0x3f

entry_2:				// address, code, kind
	lda	$9, 2($31)
	bsr	$10, note
	lda	$9, 4($9)
	addq	$18, 1, $11
	bne	$11, 1f
	bis	$26, $26, $9		// a fetch: back to the caller
1:	stq	$9, 8($30)
	call_pal 0x3f
entry_3:				// instruction fault: type
	lda	$9, 3($31)
	bis	$31, $31, $17
	bis	$31, $31, $18
	bsr	$10, note
	call_pal 0x3f
entry_4:				// unaligned: address, opcode, register
	lda	$9, 4($31)
	bsr	$10, note
	call_pal 0x3f
note:	lda	$11, log_next		// kind of entry in $9; gives the frame's pc in $9
	ldq	$12, 0($11)
	stq	$9, 0($12)
	stq	$16, 8($12)
	stq	$17, 16($12)
	stq	$18, 24($12)
	ldq	$9, 8($30)
	stq	$9, 32($12)
	lda	$12, 40($12)
	stq	$12, 0($11)
	ret	$31, ($10), 1

entry_5:				// $0: 0 the other's turn, 1 done, 2 change a page
	cmpeq	$0, 2, $9
	bne	$9, change
	cmpeq	$0, 1, $9
	beq	$9, turn
	lda	$9, 5($31)		// its result
	bis	$8, $8, $16
	bis	$31, $31, $17
	bis	$31, $31, $18
	bsr	$10, note
	lda	$11, done
	ldq	$12, 0($11)
	addq	$12, 1, $12
	stq	$12, 0($11)
	cmpeq	$12, 2, $12
	bne	$12, dump
turn:	lda	$30, -80($30)
	.irp	n, 1,2,3,4,5,6,7,8
	stq	$\\n, 8*\\n($30)
	.endr
	stq	$26, 0($30)
	lda	$11, current
	ldq	$12, 0($11)
	xor	$12, 1, $12
	stq	$12, 0($11)
	sll	$12, 7, $12
	ldah	$16, 0x1e($31)
	addq	$16, $12, $16
	call_pal 0x30
	.irp	n, 1,2,3,4,5,6,7,8
	ldq	$\\n, 8*\\n($30)
	.endr
	ldq	$26, 0($30)
	lda	$30, 80($30)
to_user:
	call_pal 0x3d			// RETSYS
change:	lda	$11, change_next	// where the PTE is, its value, the page's address
	ldq	$12, 0($11)
	ldq	$9, 0($12)
	ldq	$10, 8($12)
	stq	$10, 0($9)
	mb
	ldq	$17, 16($12)
	lda	$12, 24($12)
	stq	$12, 0($11)
	lda	$16, 3($31)
	call_pal 0x33			// TBI
	br	$31, to_user

dump:	lda	$12, log
	lda	$13, log_next
	ldq	$13, 0($13)
	bsr	$9, system
1:	lda	$14, 60($31)
	ldq	$15, 0($12)
2:	srl	$15, $14, $10
	and	$10, 15, $10
	cmplt	$10, 10, $9
	lda	$10, 48($10)
	bne	$9, 3f
	lda	$10, 39($10)
3:	ldq	$9, 0x1008($11)
	and	$9, 2, $9
	beq	$9, 3b
	stq	$10, 0x1000($11)
	lda	$14, -4($14)
	bge	$14, 2b
	lda	$10, 10($31)
4:	ldq	$9, 0x1008($11)
	and	$9, 2, $9
	beq	$9, 4b
	stq	$10, 0x1000($11)
	lda	$12, 8($12)
	cmpult	$12, $13, $9
	bne	$9, 1b
	stq	$31, 0x1010($11)
	br	$31, .
	.data
	.balign 8
log_next: .quad log
change_next: .quad changes
done:	.quad 0
current: .quad 0
"""


@dataclass
class Process:
    number: int
    table: dict[int, int]  # PTE by page
    text: list[str] = field(default_factory=list)
    result: int = 0
    at: int = 0  # instructions so far
    called: list[int] = field(default_factory=list)  # addresses of functions that ran
    since: set[int] = field(default_factory=set)  # those that ran since the last flush


class Program:
    """Program of a seed, for the page tables that a machine's PALcode reads."""

    def __init__(self, seed: int, machine: Machine, turns: int = 12) -> None:
        self.random = random.Random(seed)
        self.shift = machine.parameters["tlb.page"].bit_length() - 1
        self.hints = machine.parameters["tlb.granularity"]
        self.levels = machine.parameters["tlb.refill"] == "portable"
        self.frame = DATA >> self.shift
        self.memory: dict[int, int] = {}  # bytes of 8, by physical address
        self.log: list[tuple[int, ...]] = []
        self.changes: list[tuple[int, int, int]] = []
        self.switches = 0  # of the process
        self.met: Counter[str] = Counter()  # by bin
        way = machine.parameters["icache.size"] // machine.parameters["icache.ways"]
        self.colours = (way - 1) & ~(machine.parameters["tlb.page"] - 1)
        shared = {page: self._pte() | ASM for page in list(PAGES)[-3:]}
        self.processes = [Process(n, self._table(n, shared)) for n in (0, 1)]
        self.before = [dict(process.table) for process in self.processes]
        for _ in range(turns):
            for process in self.processes:
                for _ in range(self.random.randrange(2, 9)):
                    self._operation(process)
                self._call(process, 0)
                self.switches += 1
        for process in self.processes:
            self._call(process, 1)
            self.switches += process.number == 0
            self.log.append((5, process.result, 0, 0, self._pc(process)))

    # --- page tables

    def _frames(self, count: int) -> int:
        """The first of ``count`` free frames in a row."""
        self.frame = (self.frame + count - 1) // count * count + count
        return self.frame - count

    def _pte(self, frames: int = 1) -> int:
        pte = self._frames(frames) << 32 | (V if self.random.random() < 0.85 else 0)
        if self.random.random() < 0.6:
            return pte | RIGHTS
        for bit in (FOR, FOW, FOE, KRE, URE, KWE, UWE):
            pte |= bit if self.random.random() < (0.5 if bit >= KRE else 0.2) else 0
        return pte

    def _table(self, number: int, shared: dict[int, int]) -> dict[int, int]:
        table = dict(shared)
        code = (0x300000 + number * 0x10000) >> self.shift
        for n in range(4):
            table[CODE_PAGE + n] = (code + n) << 32 | V | URE | KRE
        for page in FUNCTIONS:
            frame = 0x320000 >> self.shift
            rights = self.random.choice([URE, URE, URE | FOE, KRE, 0, URE | KRE])
            table[page] = frame << 32 | rights | (V if self.random.random() < 0.9 else 0)
        for page in PAGES:
            if page not in shared and self.random.random() < 0.8:
                table[page] = self._pte()
        for first in REGIONS:
            pte = self._pte(8)
            for n in range(8):
                own = pte if self.hints else pte + (n << 32)
                table[first + n] = own | (1 << 5 if self.hints else 0)
        return table

    # --- what a program does

    def _say(self, process: Process, *lines: str) -> None:
        process.text += lines
        process.at += len(lines)

    def _constant(self, process: Process, register: int, value: int) -> None:
        """In any register, with as few instructions as it takes."""
        low = (value & 0x7FFF) - (value & 0x8000)
        rest = value - low
        if value < 1 << 31:
            self._say(process, f"ldah ${register}, {rest >> 16:#x}($31)")
        else:
            high = rest >> 32
            high -= (1 << 32) * (high >> 31)
            middle = (rest & 0xFFFFFFFF) >> 16
            assert middle < 0x8000 and -0x8000 <= high < 0x8000
            self._say(process, f"lda ${register}, {high}($31)", f"sll ${register}, 32, ${register}")
            self._say(process, f"ldah ${register}, {middle}(${register})")
        if low:  # the assembler leaves out what adds nothing
            self._say(process, f"lda ${register}, {low}(${register})")

    def _pc(self, process: Process) -> int:
        """Address of the next instruction."""
        return (CODE_PAGE << self.shift) + 4 * process.at

    def _call(self, process: Process, number: int) -> None:
        self._say(process, f"lda $0, {number}($31)", "call_pal 0x83")

    def _address(self) -> int:
        offset = self.random.randrange(1 << self.shift) & ~7
        kind = self.random.random()
        if kind < 0.06:
            return KSEG + 0x100000 + offset
        if kind < 0.10:
            return (1 << self.random.choice([34, 38, 42])) + offset
        if kind < 0.13:
            return (64 << 20) + offset
        pages = list(PAGES) if kind < 0.7 else range(64, 96)
        return (self.random.choice(pages) << self.shift) + offset

    def _operation(self, process: Process) -> None:
        kind = self.random.random()
        if kind < 0.22:
            return self._jump(process)
        if kind < 0.26:
            word = self.random.choice(["call_pal 0x35", ".long 0x77ff0026", ".long 0"])
            self._say(process, word)
            self.log.append((3, 4, 0, 0, self._pc(process)))
            return None
        if kind < 0.31:
            return self._change(process)
        if kind < 0.36:
            self._say(process, "call_pal 0x86")  # IMB
            process.since.clear()
            return None
        return self._access(process)

    def _change(self, process: Process) -> None:
        """The kernel changes a page of this process's own."""
        page = self.random.choice(list(PAGES)[:-3])
        pte = self._pte()
        process.table[page] = pte
        where = KSEG + TABLE[process.number] + 8 * page
        self.changes.append((where, pte, page << self.shift))
        self._call(process, 2)

    def _jump(self, process: Process) -> None:
        page = self.random.choice([*FUNCTIONS, *FUNCTIONS, 30, 31])
        address = (page << self.shift) + 8 * self.random.randrange(16)
        if self.random.random() < 0.2:
            address = self.random.choice([KSEG + 0x100000, 65 << 20])
        elif process.called and self.random.random() < 0.6:
            address = self.random.choice(process.called)  # the same words again
        self._constant(process, 3, address)
        self._say(process, "jsr $26, ($3), 0")
        code = self._fetches(process, address)
        if code is None:
            process.result = (process.result + 1) & MASK
            self._meets(process, address)
        else:
            self.log.append((2, address, code, MASK, address))

    def _meets(self, process: Process, address: int) -> None:
        """The bin of a function that runs: whether its index in the I-cache is its physical one,
        and whether it has run before and since the last flush."""
        frame = process.table[address >> self.shift] >> 32
        other = (address ^ frame << self.shift) & self.colours
        again = "again" if address in process.called else "first"
        if again == "again" and address not in process.since:
            again = "refilled"
        self.met[f"index {'other' if other else 'same'} {again}"] += 1
        process.called.append(address)
        process.since.add(address)

    def _fetches(self, process: Process, address: int) -> int | None:
        """Fault of a fetch at ``address`` as MM's code; None if there is none."""
        if address >= KSEG:
            return 1
        pte = process.table.get(address >> self.shift, 0)
        if not pte & V:
            return 0
        if pte & FOE:
            return 3
        return None if pte & URE else 1

    def _physical(self, process: Process, address: int, store: bool) -> tuple[int | None, int]:
        """MM's code of what is wrong, or None and where it is."""
        if address >> 34:
            return 1, 0
        page = address >> self.shift
        pte = process.table.get(page, 0)
        if not pte & V:
            return 0, 0
        if not pte & (UWE if store else URE):
            return 1, 0
        if pte & (FOW if store else FOR):
            return (4 if store else 2), 0
        low = (1 << self.shift + (3 if pte >> 5 & 3 else 0)) - 1
        return None, (pte >> 32 << self.shift) & ~low | address & low

    def _access(self, process: Process) -> None:
        store = self.random.random() < 0.4
        name, size = self.random.choice(list((STORES if store else LOADS).items()))
        address = self._address()
        if self.random.random() < 0.08 or name.endswith("_u"):
            address += self.random.randrange(1, 8)
        self._constant(process, 3, address)
        self._say(process, "lda $4, 7($31)", "lda $5, 99($8)")
        at = self._pc(process)
        opcode = {"ldq": 0x29, "ldl": 0x28, "stq": 0x2D, "stl": 0x2C}.get(name, 0)
        self._say(process, f"{name} ${5 if store else 4}, 0($3)", "s4addq $8, $4, $8")
        value = 7
        if opcode and address % size:
            self.log.append((4, address, opcode, 5 if store else 4, at + 4))
        else:
            wrong, physical = self._physical(process, address, store)
            if wrong is not None:
                self.log.append((2, address, wrong, int(store), at))
            elif store:
                self._put(physical & -size, size, process.result + 99)
            else:
                value = self._get(physical & -size, size)
        process.result = (4 * process.result + value) & MASK

    def _get(self, physical: int, size: int) -> int:
        quad = self.memory.get(physical & -8, 0) >> 8 * (physical & 7)
        if size == 8:
            return quad
        quad &= 0xFFFFFFFF
        return quad | (MASK ^ 0xFFFFFFFF if quad >> 31 else 0)

    def _put(self, physical: int, size: int, value: int) -> None:
        mask = ((1 << 8 * size) - 1) << 8 * (physical & 7)
        old = self.memory.get(physical & -8, 0)
        self.memory[physical & -8] = old & ~mask | value << 8 * (physical & 7) & mask

    # --- as a file

    @property
    def wanted(self) -> list[str]:
        return [f"{quad & MASK:016x}" for entry in self.log for quad in entry]

    def text(self) -> str:
        """Kernel, tables, programs; each at its physical place in KSEG (``sections``)."""
        lines = [KERNEL, "changes:"]
        lines += [f"\t.quad {', '.join(f'{q:#x}' for q in change)}" for change in self.changes]
        lines += ["\t.balign 8", f"log:\t.skip {40 * len(self.log) + 4096}"]
        lines += ['\t.section .blocks, "a", @progbits']
        for n in (0, 1):
            stack = KSEG + 0x280000 + 0x4000 * n
            fields = {0: stack - 128, 8: 0x12345678 + n, 16: self._root(n) >> self.shift, 28: 5 + n}
            for offset, value in fields.items():
                size = ".long" if offset == 28 else ".quad"
                lines += [f"\t.org {128 * n + offset}", f"\t{size} {value:#x}"]
        lines += ["\t.org 256", '\t.section .stacks, "a", @progbits']
        # The first finds CALLSYS's frame, the second what `turn` saves below one.
        for n, below in ((0, 0), (1, 80)):
            frame = 0x4000 * (n + 1) - 128 + below
            for offset, value in ((0, 8), (8, CODE_PAGE << self.shift)):
                lines += [f"\t.org {frame + offset}", f"\t.quad {value:#x}"]
        lines += ["\t.org 0x8000"]
        for process in self.processes:
            lines += [f'\t.section .table{process.number}, "a", @progbits']
            for page, pte in sorted(self.before[process.number].items()):
                lines += [f"\t.org {8 * page}", f"\t.quad {pte:#x}"]
            lines += self._levels(process.number)
            lines += [f'\t.section .user{process.number}, "ax", @progbits']
            lines += ["\t" + line for line in process.text]
        lines += ['\t.section .functions, "ax", @progbits', "\t.rept 64"]
        lines += ["\taddq $8, 1, $8", "\tret $31, ($26), 1", "\t.endr"]
        return "\n".join([*lines, ""])

    def _root(self, number: int) -> int:
        """Where the page table begins, physical."""
        return TABLE[number] + (ROOT if self.levels else 0)

    def _levels(self, number: int) -> list[str]:
        """After the flat table: the two levels above it, of the first 64 MB."""
        middle = TABLE[number] + MIDDLE
        lines = [f"\t.org {ROOT}", f"\t.quad {middle | V:#x}", f"\t.org {MIDDLE}"]
        tables = (64 << 20 >> self.shift) // LEVEL
        lines += [f"\t.quad {TABLE[number] + 8 * LEVEL * n | V:#x}" for n in range(tables)]
        return [*lines, f"\t.org {MIDDLE + 8 * LEVEL}"]

    def build(self, folder: Path) -> Path:
        """Its ELF file."""
        source, elf = folder / "translated.S", folder / "translated.elf"
        source.write_text(self.text())
        places = {".text": 0x100000, ".blocks": 0x1E0000, ".stacks": 0x27C000}
        places |= {f".table{n}": TABLE[n] for n in (0, 1)}
        places |= {".user0": 0x300000, ".user1": 0x310000, ".functions": 0x320000}
        flags = [f"-Wl,--section-start={name}={KSEG + at:#x}" for name, at in places.items()]
        flags += ["-Wl,-N,--no-relax,--build-id=none,--no-warn-rwx-segments"]
        run(ALPHA_GCC, "-nostdlib", "-static", *flags, "-o", elf, source)
        return elf
