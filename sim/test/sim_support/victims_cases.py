# SPDX-License-Identifier: BSD-2-Clause
"""Programs at random for victim caches, in PAL mode, and what each instruction does there: by a
cache of a few lines (docs/explanation/memory.md, Victim caches)."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sim_support.simulators import PAL_BASE, guest
from sim_support.ways_cases import (
    BLOCK,
    BLOCKS,
    DATA,
    END,
    FLUSH,
    HEAD,
    LINES,
    NOTHING,
    OFF,
    SIZE,
    START,
    TABLE,
    Issue,
    issues,
)

ACCESSES, VISITS, SETS = 400, 1500, 3
KINDS = ("ldq", "ldq", "ldq", "ldq", "stq", "stq", "ldq_l", "stq_c")
READ = 3  # instructions that have been read when FLUSH_IC acts
LOAD_USE, RESTART = 3, 3  # core.load_use, icache.refill_restart
HIT, VICTIM, MISS = "hit", "victim hit", "miss"
HITS = {cache: f"{cache}.victim_hits" for cache in ("icache", "dcache")}
STORES, WORDS = ("stq", "stq_c"), 1 << 64


def shape(cache: str, victims: int, ticks: int, off: bool) -> dict[str, str]:
    """Small caches with victim caches; ``cache`` may be off."""
    found = {f"{cache}.enable": OFF[off]}
    for each, least in (("icache", 1), ("dcache", 2)):
        ticks_ = str(max(ticks, least))
        found |= {f"{each}.size": f"{SIZE}B", f"{each}.victims": str(victims)}
        found[f"{each}.victim_ticks"] = ticks_
    return found


class Caches:
    """A direct-mapped cache, and its victims, the youngest first."""

    def __init__(self, victims: int) -> None:
        self.most = victims
        self.lines: dict[int, int] = {}
        self.victims: list[int] = []

    def access(self, block: int) -> str:
        """Kind of the access; a victim hit takes the block out."""
        if self.lines.get(block % LINES) == block:
            return HIT
        if block not in self.victims:
            return MISS
        self.victims.remove(block)
        return VICTIM

    def fill(self, block: int) -> None:
        displaced = self.lines.get(block % LINES)
        self.lines[block % LINES] = block
        if displaced is not None:
            self.victims = [displaced, *self.victims][: self.most]

    def drop(self, block: int) -> None:
        if self.lines.get(block % LINES) == block:
            del self.lines[block % LINES]
        elif block in self.victims:
            self.victims.remove(block)


@dataclass
class Access:
    kind: str
    block: int
    stored: int
    waits: bool  # before a barrier


class Data:
    """Loads, stores, LDQ_L and STQ_C, some before a barrier, to blocks that share few sets. The
    exit status says whether what they leave in a register is right, added up."""

    def __init__(self, seed: int, victims: int, ticks: int = 2, off: bool = False) -> None:
        draw = random.Random(seed)
        self.victims, self.ticks, self.off = victims, ticks, off
        blocks = [tag * LINES + n for tag in range(3 + victims // SETS) for n in range(SETS)]
        self.accesses: list[Access] = []

        def add(kind: str, block: int) -> None:
            self.accesses.append(Access(kind, block, draw.randrange(1 << 15), draw.random() < 0.5))

        while len(self.accesses) < ACCESSES:
            kind, block = draw.choice(KINDS), draw.choice(blocks)
            add(kind, block)
            if kind == "ldq_l" and draw.random() < 0.7:  # and its STQ_C stores, to P or V
                if draw.random() < 0.5:
                    add("ldq", draw.choice(blocks[block % LINES :: SETS]))
                add("stq_c", block)
            if kind == "stq" and draw.random() < 0.5:  # what it stores is wanted at once
                add("ldq", block)
        self.settings = shape("dcache", victims, ticks, off)

    def source(self) -> str:
        """Half a block of code for each access."""
        rows = [
            f"\tlda\t$11, {one.stored}($31)\n\t{one.kind}\t$11, {one.block * BLOCK}($9)\n"
            f"\t{'mb' if one.waits else NOTHING}\n\tsubq\t$11, $14, $14\n"
            for one in self.accesses
        ]
        return (
            f"{HEAD}_start:\tldah\t$9, {DATA >> 16}($31)\n\tbis\t$31, $31, $14\n"
            f"\t.balign\t{BLOCK}\n{''.join(rows)}\t.balign\t8\n\t{NOTHING}\n"
            f"\tbr\t$15, 1f\n\t.quad\t{self.left():#x}\n1:\tldq\t$1, 0($15)\n"
            "\tsubq\t$14, $1, $14\n\tcmpult\t$31, $14, $14\n"
            f"{END.replace('$31, 0($13)', '$14, 0($13)')}"
        )

    def left(self) -> int:
        """Value that the accesses leave in the register, each taken off from the next."""
        memory: dict[int, int] = {}
        flag, sum_ = None, 0
        for one in self.accesses:
            value, stores = one.stored, one.kind == "stq"
            if one.kind == "stq_c":
                value = stores = flag == one.block
                flag = None
            elif not stores:
                value = memory.get(one.block, 0)
                flag = one.block if one.kind == "ldq_l" else flag
            if stores:
                memory[one.block] = one.stored
            sum_ = (value - sum_) % WORDS
        return sum_

    def wanted(self) -> list[str]:
        """Kind of each access to the caches, if it is a load."""
        caches, flag, found = Caches(self.victims), None, []
        for one in self.accesses:
            found.append("" if one.kind in STORES else caches.access(one.block))
            if found[-1] in (VICTIM, MISS) and not self.off:
                caches.fill(one.block)
            if one.kind == "stq_c" and flag == one.block:
                caches.drop(one.block)
            flag = one.block if one.kind == "ldq_l" else None if one.kind == "stq_c" else flag
        return found

    def different(self, log: Path) -> str:
        """The first access that is not as it should be; empty: none."""
        found = issues(log)
        first = next(n for n, issue in enumerate(found) if issue.pc == START + BLOCK)
        for n, (one, what) in enumerate(zip(self.accesses, self.wanted(), strict=True)):
            _, access, between, uses = found[first + 4 * n : first + 4 * n + 4]
            events = access.after + between.after + uses.after
            is_ = MISS if events["dcache.misses"] else VICTIM if events[HITS["dcache"]] else HIT
            comes = uses.tick - access.tick
            late = what == VICTIM and not one.waits and comes != max(LOAD_USE, 1 + self.ticks)
            if (what or HIT) != is_ or late or events["bcache.loads"] != (what == MISS):
                return f"access {n} of {len(found)}, {one}: {is_}, not {what}, in {comes} ticks"
        return ""


class Code:
    """Blocks of code that are visited at random. Some flush the I-cache at their end, and the next
    block follows."""

    def __init__(self, seed: int, victims: int, ticks: int = 2, off: bool = False) -> None:
        draw = random.Random(seed)
        self.victims, self.ticks, self.off = victims, ticks, off
        blocks = range(2 * LINES)
        self.flushing = set(draw.sample(blocks[:-1], 2))
        follow = {n + 1 for n in self.flushing}
        self.visits: list[int] = []
        while len(self.visits) < VISITS:
            places = {n % LINES for n in follow} | set(draw.sample(range(LINES), 2 + victims))
            hot = [n for n in blocks if n % LINES in places and n not in self.flushing]
            for _ in range(draw.randrange(20, 200)):
                rare = draw.random() < 0.03
                self.visits.append(draw.choice([*self.flushing, *blocks] if rare else hot))
                while self.visits[-1] in self.flushing:
                    self.visits.append(self.visits[-1] + 1)
        self.branches = [draw.random() < 0.5 for _ in self.visits]
        self.settings = shape("icache", victims, ticks, off)

    def source(self) -> str:
        """Source of the program. Its table has the next visit of each visit, and the branch's
        way."""
        ends = {True: f"\t{NOTHING}\n\t{FLUSH}\n", False: f"\tjmp\t$31, ($1)\n\t{NOTHING}\n"}
        blocks = [
            f"b{n}:\tldq\t$1, 0($2)\n\tldq\t$3, 8($2)\n\tlda\t$2, 16($2)\n"
            f"\tblbs\t$3, 1f\n\t{NOTHING}\n1:\t{NOTHING}\n{ends[n in self.flushing]}"
            for n in range(2 * LINES)
        ]
        rows = zip([*(f"b{n}" for n in self.visits[1:]), "end"], self.branches, strict=True)
        table = "".join(f"\t.quad\t{next_}, {branches:d}\n" for next_, branches in rows)
        return (
            f"{HEAD}_start:\tldah\t$2, {START >> 16}($31)\n\tlda\t$2, {TABLE - START}($2)\n"
            f"\tbr\t$31, b{self.visits[0]}\n{END}\t.org\t{BLOCKS - START:#x}\n"
            f"{''.join(blocks)}\t.org\t{TABLE - START:#x}\n{table}\n"
        )

    def different(self, log: Path) -> str:
        """The first instruction that is not as it should be; empty: none."""
        found = issues(log)
        assert len(found) > 6 * VISITS
        return next(filter(None, self._judged(found)), "")

    def _judged(self, found: list[Issue]) -> Iterator[str]:
        flushes = {BLOCKS + n * BLOCK + BLOCK - 4 for n in self.flushing}
        branches = {BLOCKS + n * BLOCK + 12 for n in range(2 * LINES)}
        predicts = self.settings.get("core.prediction") == "ev4"
        fills = any(issue.after["fetch.fill_words"] for issue in found)  # a RTL's log has none
        caches, read, wishes = Caches(self.victims), 0, 0
        bits: dict[int, bool] = {}  # of branches: what their history says
        unused: dict[int, set[int]] = {}  # by block, of one that missed
        for n, issue in enumerate(found):
            where, block = f"instruction {n} of {len(found)}, {issue.pc:x}", issue.pc // BLOCK
            before = issue.before
            flushed = n and found[n - 1].pc in flushes
            what = HIT if read else caches.access(block)
            if flushed:  # what the stream buffer brings in this tick is emptied, and misses again
                read = READ if what == HIT else 0
            if flushed or (self.off and what != HIT):
                caches = Caches(self.victims)
            read -= read > 0
            if what != HIT:
                caches.fill(block)
                bits = {pc: bit for pc, bit in bits.items() if pc // BLOCK != block}
                unused[block] = set(range(block * BLOCK, (block + 1) * BLOCK, 4))
            if what == VICTIM:
                unused[block] = set()
                waits = before["i_demand"], before["refill_restart"], before["i_stream"]
                if waits != (self.ticks, RESTART, 0):
                    yield f"{where}: its ticks"
            is_ = MISS if before["icache.misses"] else VICTIM if before[HITS["icache"]] else HIT
            if what != is_ and n:  # a log may begin with 0
                yield f"{where}: {is_}, not {what}"
            wishes = min(1, wishes) + (what == MISS) - before["bcache.prefetches"]
            if wishes < 0:
                yield f"{where}: a prefetch without a miss"
            if fills and (issue.pc in unused[block]) != issue.after["fetch.fill_words"]:
                yield f"{where}: fetch.fill_words"
            unused[block].discard(issue.pc)
            if predicts and issue.pc in branches:
                taken, guess = found[n + 1].pc != issue.pc + 4, bits.get(issue.pc, False)
                if (taken != guess) != bool(issue.after["mispredicts"]):
                    yield f"{where}: its prediction"
                bits[issue.pc] = taken


def image(case: Data | Code, folder: Path) -> Path:
    """The program, as PALcode."""
    return guest("victims", folder, PAL_BASE, case.source())
