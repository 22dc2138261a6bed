# SPDX-License-Identifier: BSD-2-Clause
"""Programs at random for caches with ways, in PAL mode, and what each instruction does there: by
a cache of a few lines (docs/explanation/memory.md, Ways)."""

import csv
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.spec.run_spec import RTL, RunSpec
from sim_support import simulators
from sim_support.simulators import PAL_BASE, guest

BLOCK, SIZE, LINES = 32, 1024, 32
START = int(PAL_BASE, 16)
DATA, BLOCKS, TABLE = 0x400000, START + 0x100, START + 0x1000  # below the boot block
OFF = {False: "on", True: "off"}
ACCESSES, VISITS = 500, 1500
HEAD = """\
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
"""
END = """\
end:	lda	$12, -511($31)		// exit
	sll	$12, 33, $12
	lda	$13, 0x1010($12)
	stq	$31, 0($13)
	br	$31, .
"""
FLUSH = ".long 0x77ff0055"  # hw_mtpr $31, FLUSH_IC
NOTHING = "bis\t$31, $31, $31"


def shape(ways: int) -> dict[str, str]:
    """Small caches."""
    each = (("size", f"{SIZE}B"), ("ways", f"{ways}"))
    return {f"{cache}.{key}": value for cache in ("icache", "dcache") for key, value in each}


class Cache:
    """Blocks of each set, the one used longest ago first; as many as there are ways."""

    def __init__(self, ways: int) -> None:
        self.ways = ways
        self.sets: dict[int, list[int]] = {}

    def _set(self, block: int) -> list[int]:
        return self.sets.setdefault(block % (LINES // self.ways), [])

    def use(self, block: int) -> bool:
        """Use a block; return true if it is here."""
        blocks = self._set(block)
        if block not in blocks:
            return False
        blocks.append(blocks.pop(blocks.index(block)))
        return True

    def fill(self, block: int) -> None:
        blocks = self._set(block)
        if len(blocks) == self.ways:
            blocks.pop(0)
        blocks.append(block)

    def drop(self, block: int) -> None:
        if block in self._set(block):
            self._set(block).remove(block)


@dataclass
class Issue:
    """An instruction; ``before``: events from the issue before it on, ``after``: from its
    own up to the next one. Events, and owners of ticks."""

    tick: int
    pc: int
    before: Counter
    after: Counter = field(default_factory=Counter)


def issues(log: Path) -> list[Issue]:
    """Issues of a log of every tick."""
    found: list[Issue] = []
    events: Counter = Counter()
    with log.open() as file:
        for row in csv.DictReader(file):
            if row["owner"] == "issue":
                found.append(Issue(int(row["tick"]), int(row["pc"], 16) & ~3, events))
                events = found[-1].after
            events[row["owner"]] += int(row["count"])
            events.update(row["events"].split())
    return found


class Data:
    """Loads, stores, LDQ_L and STQ_C, each before a barrier, to blocks that share few sets."""

    def __init__(self, seed: int, ways: int, off: bool = False) -> None:
        draw = random.Random(seed)
        self.ways, self.off = ways, off
        sets = LINES // ways
        blocks = [tag * sets + place for tag in range(ways + 2) for place in range(4)]
        self.accesses: list[tuple[str, int]] = []
        while len(self.accesses) < ACCESSES:
            kind = draw.choice(("ldq", "ldq", "ldq", "stq", "stq", "ldq_l", "stq_c"))
            self.accesses.append((kind, draw.choice(blocks)))
            if kind == "ldq_l" and draw.random() < 0.7:  # and its STQ_C stores
                self.accesses.append(("stq_c", self.accesses[-1][1]))
        self.settings = shape(ways) | {"dcache.enable": OFF[off]}

    def source(self) -> str:
        lines = [f"\t{kind}\t$11, {block * BLOCK}($9)\n\tmb\n" for kind, block in self.accesses]
        return f"{HEAD}_start:\tldah\t$9, {DATA >> 16}($31)\n{''.join(lines)}{END}"

    def wanted(self) -> list[bool]:
        """Flags of the accesses: true for a load that misses."""
        cache, flag, rows = Cache(self.ways), None, []
        for kind, block in self.accesses:
            misses = False
            if kind == "stq_c":
                if flag == block:
                    cache.drop(block)
                flag = None
            else:
                misses = not cache.use(block) and kind != "stq"
                flag = block if kind == "ldq_l" else flag
            rows.append(misses)
            if misses and not self.off:
                cache.fill(block)
        return rows

    def different(self, log: Path) -> str:
        """The first access that is not as it should be; empty: none."""
        found = issues(log)
        first = next(n for n, issue in enumerate(found) if issue.pc == START + 4)
        wanted = self.wanted()
        for n, misses in enumerate(wanted):
            access, barrier = found[first + 2 * n : first + 2 * n + 2]
            if misses != bool((access.after + barrier.after)["dcache.misses"]):
                return f"access {n} of {len(wanted)}: {self.accesses[n]}"
        return ""


class Code:
    """Blocks of code that are visited at random; some flush the I-cache."""

    def __init__(self, seed: int, ways: int, off: bool = False) -> None:
        draw = random.Random(seed)
        self.ways, self.off = ways, off
        sets, blocks = LINES // ways, range(2 * LINES)
        self.flushing = set(draw.sample(blocks, 2))
        self.visits: list[int] = []
        while len(self.visits) < VISITS:
            places = draw.sample(range(sets), 3)
            hot = [b for b in blocks if b % sets in places and b not in self.flushing]
            hot = draw.sample(hot, min(len(hot), 3 * ways + 1))
            times = draw.randrange(20, 200)
            self.visits += [
                draw.choice(hot if draw.random() < 0.98 else blocks) for _ in range(times)
            ]
        self.branches = [draw.random() < 0.5 for _ in self.visits]
        self.settings = shape(ways) | {"icache.enable": OFF[off]}

    def source(self) -> str:
        blocks = [
            f"\t.balign\t{BLOCK}\nb{n}:\tldq\t$1, 0($2)\n\tldq\t$3, 8($2)\n\tlda\t$2, 16($2)\n"
            f"\tblbs\t$3, 1f\n\t{NOTHING}\n1:\t{FLUSH if n in self.flushing else NOTHING}\n"
            "\tjmp\t$31, ($1)\n"
            for n in range(2 * LINES)
        ]
        rows = zip([*(f"b{n}" for n in self.visits[1:]), "end"], self.branches, strict=True)
        table = "".join(f"\t.quad\t{next_}, {branches:d}\n" for next_, branches in rows)
        return (
            f"{HEAD}_start:\tldah\t$2, {START >> 16}($31)\n\tlda\t$2, {TABLE - START}($2)\n"
            f"\tbr\t$31, b{self.visits[0]}\n"
            f"{END}\t.org\t{BLOCKS - START:#x}\n"
            f"{''.join(blocks)}\t.org\t{TABLE - START:#x}\n{table}\n"
        )

    def different(self, log: Path) -> str:
        """The first instruction that is not as it should be; empty: none."""
        flushes = {BLOCKS + n * BLOCK + 20 for n in self.flushing}
        branches = {BLOCKS + n * BLOCK + 12 for n in range(2 * LINES)}
        cache, read, found = Cache(self.ways), False, issues(log)
        bits: dict[int, bool] = {}  # of branches: what their history says
        predicts = self.settings.get("core.prediction") == "ev4"
        assert len(found) > 6 * VISITS
        for n, issue in enumerate(found):
            block = issue.pc // BLOCK
            misses = not read and not cache.use(block)
            if n and misses != bool(issue.before["icache.misses"]):  # a log may begin with 0
                return f"instruction {n} of {len(found)}, at {issue.pc:x}"
            if misses and self.off:
                cache = Cache(self.ways)
            if misses:
                cache.fill(block)
                bits = {pc: bit for pc, bit in bits.items() if pc // BLOCK != block}
            if predicts and issue.pc in branches:
                taken, guess = found[n + 1].pc != issue.pc + 4, bits.get(issue.pc, False)
                if (taken != guess) != bool(issue.after["mispredicts"]):
                    return f"instruction {n} of {len(found)}, at {issue.pc:x}: its prediction"
                bits[issue.pc] = taken
            read = issue.pc in flushes  # and so is the next one, before it acts
            if read:
                cache = Cache(self.ways)
        return ""


def image(case: Data | Code, folder: Path) -> Path:
    """The program, as PALcode."""
    return guest("ways", folder, PAL_BASE, case.source())


def ticks_on_rtl(settings: dict[str, str], pal: Path, folder: Path) -> Path:
    """The log of every tick of a node of the RTL with this PALcode."""
    image = guest("hello", folder)
    return simulators.ticks_on_rtl(RunSpec(settings=settings, engine=RTL), pal, image, folder)
