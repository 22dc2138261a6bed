# SPDX-License-Identifier: BSD-2-Clause
"""Drives the counters a clock at a time, beside a model of docs/reference/counters.md in Python."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from mcpi.cocotb.backing import Backing
from mcpi.cocotb.bus import Started
from mcpi.machine import counters, profile

USUAL = counters.of_machine(profile.load("dec3000-600").parameters)
OWNERS = list(counters.owners())
CORE = {row.event: row.name for row in USUAL if row.of == "core"}  # event pin: counter
VICTIMS = {"iVictimHit": "icache.victim_hits", "dVictimHit": "dcache.victim_hits"}  # if it has them
KINDS = ["bcache.fetches", "bcache.prefetches", "bcache.loads", "bcache.writes"]
REPLACEMENTS = [f"{cache}.replacement_misses" for cache in ("icache", "dcache", "bcache")]
NAMES = list(counters.names(USUAL))
OPEN, CLOSE, PAUSE, RESUME, INVOCATION = range(1, 6)
COMPARATORS = 24
WINDOWS = PATH, SPIN, HOLD, PROBE = range(1, 5)
SETS, CELLS = 16, 32  # sets of windows; cells of a set, the last for invocations
ISSUE, LOAD_USE, IDLE = OWNERS.index("issue"), OWNERS.index("load_use"), OWNERS.index("idle")
MEMORY_PINS = ("access", "kind", "miss", "victim", "dma", "write", "address", "coreBusy", "dmaBusy")
RAM = 1 << 14  # bytes, of the small machine in CountersBlocks
CODE = 4096  # bytes of its code window
LINES = 256  # of its I-cache
# Byte of the residency table at power-up: the block is in all caches, in the epoch that the first
# clear of `start` begins. Only the sweep after reset makes it void.
RESIDENT = 2 << 3 | 7
TABLE_LINES = RAM // 32 // 32
FULL = int.from_bytes(b"\1" * 32, "little")  # a block of bytes of 1


class Bench(Started):
    """Bench of the counters, one clock at a time; `everything` and `path` hold what
    docs/reference/counters.md says."""

    names, owners = NAMES, OWNERS
    pins = [f"memory_{pin}" for pin in MEMORY_PINS]  # what is told beside the core's

    def __init__(self, dut, latency=lambda: 1, stall=lambda: False):
        self.dut = dut
        # The same on an FPGA: no tick stands for several.
        self.packed = dut._name in ("CountersPacked", "CoherentPacked")
        further = {pin: name for pin, name in VICTIMS.items() if hasattr(dut, f"core_{pin}")}
        self.core, self.names = CORE | further, [*self.names, *further.values()]
        self.ways = 1 << len(dut.iWay) if hasattr(dut, "iWay") else 1
        self.way, self.ways_drawn = 0, random.Random(self.ways)
        self.last = (0, (0, 0), {})
        self.comparators = [(0, 0, 0)] * COMPARATORS
        self.pending = []  # memory events of the clock before
        self.code = 0
        self.used = {}  # words used since the fill, by way and set
        self.cleared()
        self.backing = Backing(dut, dut.clk, 32, latency, stall)
        self.fill(0, RESIDENT)

    def fill(self, table, byte):
        """Fill the residency table of a core, as it may be at power-up."""
        for line in range(TABLE_LINES):
            self.backing.blocks[RAM + 32 * (TABLE_LINES * table + line)] = byte * FULL

    def cleared(self):
        """The model after a clear."""
        self.everything = dict.fromkeys(self.names, 0)
        self.path = dict.fromkeys(self.names, 0)
        self.open = self.paused = False
        self.open_too = dict.fromkeys(WINDOWS[1:], False)
        self.paused_too = dict.fromkeys(WINDOWS[1:], False)
        self.cells = {}  # what is not 0, by set and cell
        self.closings = 0  # instructions that closed the window
        self.ever = [set(), set(), set()]
        self.touched, self.touched_path = set(), set()

    async def start(self, code=0):
        dut = self.dut
        self.code = code
        for pin in (*self.core, "iMissAddress", "dMissAddress", "coldStart", "owner", "issuePc"):
            getattr(dut, f"core_{pin}").value = 0
        for pin in self.pins:
            getattr(dut, pin).value = 0
        for pin in ("clear", "stop", "arm", "snapshot"):
            getattr(dut, f"control_{pin}").value = 0
        for i in range(COMPARATORS):
            self.compare(i, 0, 0, 0)
        for pin in (
            "cells",
            "autosnapshot",
            "snapshot_enable",
            "tick",
            "skip",
            "coldStart",
            "gated",
            "held",
            "idealActive",
        ):
            getattr(dut, pin).value = 0
        dut.codeWindow.value = code
        dut.reset.value = 1
        cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
        await FallingEdge(dut.clk)
        await FallingEdge(dut.clk)
        dut.reset.value = 0
        cocotb.start_soon(self.backing.run())
        await FallingEdge(dut.clk)
        assert int(dut.hold.value), "time stands still while the table is swept"
        await self.control("clear")

    async def settle(self):
        """Until every miss is judged, every copy and sweep done; no tick meanwhile."""
        await self.clock()
        await self.clock()
        await self.clock()
        while int(self.dut.busy.value) or int(self.dut.hold.value):
            await FallingEdge(self.dut.clk)

    async def held(self, clocks=3):
        """Pass clocks in which the machine does not run, three or more, as between two writes of
        the host; its caches are emptied."""
        self.dut.held.value = 1
        for _ in range(clocks):
            await self.clock()
        self.dut.held.value = 0
        self.used.clear()

    def compare(self, number, address, action, window=1):
        self.comparators[number] = (address, action, window)
        getattr(self.dut, f"comparators_address_{number}").value = address & (2**34 - 1)
        for kind, which, last in (("action", 1, INVOCATION), ("window", 2, PROBE)):
            for value in range(1, last + 1):
                ones = sum(1 << n for n, c in enumerate(self.comparators) if c[which] == value)
                getattr(self.dut, f"comparators_{kind}_{value - 1}").value = ones

    async def control(self, *bits, settle=True):
        """Pass a clock in which the host writes the control register; nothing else happens in it.

        The two clocks before it drain the pipe, so that it acts between known ticks.
        """
        await self.clock()
        await self.clock()
        for bit in bits:
            getattr(self.dut, f"control_{bit}").value = 1
        await self.clock()
        for bit in bits:
            getattr(self.dut, f"control_{bit}").value = 0
        if "clear" in bits:
            self.cleared()
        if settle:
            await self.settle()

    async def clock(
        self, tick=0, owner=0, pc=0, memory=None, busy="", at=(0, 0, 0), skip=0, way=None, **core
    ):
        """Pass a clock; `memory` is (kind, miss, victim), "dma" or None: what is taken in this
        clock; `busy`, for whom the bus works; `at`, addresses of I-, D- and b-miss. A tick with
        `skip` stands for so many more like it: idle ones, at most in PAL mode. ``way``: of the
        I-cache, if it has several; else any.
        """
        dut = self.dut
        while tick and int(dut.hold.value):
            await self.clock()
        self.way = self.ways_drawn.randrange(self.ways) if way is None else way
        if self.ways > 1:
            dut.iWay.value = self.way
        dut.tick.value = tick
        dut.skip.value = skip
        dut.core_issuePc.value = pc
        of_tick = (owner, at[:2], core)
        told = self.last  # the core tells a tick late
        self.last = of_tick if tick else self.last
        dut.core_owner.value = told[0]
        dut.core_iMissAddress.value, dut.core_dMissAddress.value = told[1]
        for pin in self.core:
            getattr(dut, f"core_{pin}").value = told[2].get(pin, 0)
        kind, miss, victim = memory if isinstance(memory, tuple) else (0, 0, 0)
        before = self.pending.pop() if self.pending else (0,) * len(MEMORY_PINS)
        for pin, value in zip(MEMORY_PINS, before, strict=True):
            getattr(dut, f"memory_{pin}").value = value
        access = int(isinstance(memory, tuple))
        dma = int(memory == "dma")
        of = (int(busy == "core" and tick), int(busy == "dma" and tick))
        self.pending.append((access, kind, miss, victim, dma, 0, at[2], *of))
        for _ in range(1 + skip):
            self._model(tick, owner, pc, memory, busy, at, core)
        await FallingEdge(dut.clk)

    def _model(self, tick, owner, pc, memory, busy, at, core):
        issues = tick and owner == ISSUE
        invoked = issues and self._move_window(pc)
        if issues:
            self._move_further(pc)
        if tick:
            open_ = [self.open and not self.paused]
            open_ += [self.open_too[w] and not self.paused_too[w] for w in WINDOWS[1:]]
            self._count_cell(sum(1 << n for n, yes in enumerate(open_) if yes), owner)
        happened = ["clocks"] if tick else ["clocks", "withheld"]
        if tick:
            happened += ["ticks", f"owner.{OWNERS[owner]}"]
            happened += ["instructions"] if owner == ISSUE else []
            happened += [counter for pin, counter in self.core.items() if core.get(pin)]
            happened += [f"bus.{busy}_ticks"] if busy else []
        if memory == "dma":
            happened.append("bcache.dma")
        elif memory:
            happened += ["bcache.accesses", KINDS[memory[0]]]
            happened += ["bcache.misses"] if memory[1] else []
            happened += ["bcache.victims"] if memory[2] else []
            happened += ["write_buffer.writes"] if memory[0] == 3 else []
        missed = (tick and core.get("iMiss"), tick and core.get("dMiss"),
                  isinstance(memory, tuple) and memory[1])  # fmt: skip
        for cache, (miss, address) in enumerate(zip(missed, at, strict=True)):
            if miss and address < RAM:
                if address // 32 in self.ever[cache]:
                    happened.append(REPLACEMENTS[cache])
                self.ever[cache].add(address // 32)
        if missed[0]:
            self.used[self._line(at[0])] = set()
        if tick and core.get("iVictimHit"):
            self.used[self._line(at[0])] = set(range(8))  # no more is counted of them
        if issues:
            happened += self._fetch(pc)
        for name in happened:
            self.everything[name] += 1
            if self.open and not self.paused:
                self.path[name] += 1
        both = ["invocations"] if invoked else []
        if tick and self.open and self.paused:
            both += ["paused.ticks"] + (["paused.instructions"] if owner == ISSUE else [])
        for name in both:
            self.everything[name] += 1
            self.path[name] += 1

    def _line(self, address):
        return self.way, address // 32 % (LINES // self.ways)

    def _fetch(self, pc):
        """Words that an instruction at `pc` touches for the first time, and the outside."""
        used = self.used.setdefault(self._line(pc), set())
        happened = [] if pc // 4 % 8 in used else ["fetch.fill_words"]
        used.add(pc // 4 % 8)
        if pc // CODE != self.code // CODE:
            return [*happened, "fetch.outside"]
        banks = [(self.everything, self.touched)]
        if self.open and not self.paused:
            banks.append((self.path, self.touched_path))
        for bank, touched in banks:
            bank["fetch.words"] += pc // 4 not in touched
            bank["fetch.blocks"] += all(w // 8 != pc // 32 for w in touched)
            touched.add(pc // 4)
        return happened

    def _move_window(self, pc):
        invoked = False
        for address, action, window in self.comparators:
            if window != 1 or (address ^ pc) & 0x3_FFFF_FFFC:
                continue
            invoked |= action == INVOCATION
            if action == OPEN:
                self.open = True
            elif action == CLOSE and self.open:
                self.open = self.paused = False
                self.closings += 1
            elif action == PAUSE and self.open:
                self.paused = True
            elif action == RESUME:
                self.paused = False
        return invoked

    def _count_cell(self, set_, cell):
        self.cells[set_, cell] = self.cells.get((set_, cell), 0) + 1

    def _move_further(self, pc):
        for address, action, window in self.comparators:
            if window not in self.open_too or (address ^ pc) & 0x3_FFFF_FFFC:
                continue
            is_open = self.open_too[window]
            if action == INVOCATION:
                self._count_cell(1 << window - 1, CELLS - 1)
            elif action == OPEN:
                self.open_too[window] = True
            elif action == CLOSE:
                self.open_too[window] = self.paused_too[window] = False
            elif action == PAUSE:
                self.paused_too[window] |= is_open
            elif action == RESUME:
                self.paused_too[window] = False

    async def read_cells(self):
        """The copy of the table: what is not 0, by set and cell."""
        await self.settle()
        found = {}
        for number in range(SETS * CELLS):
            self.dut.snapshot_index.value = number % 256
            self.dut.snapshot_window.value = number // 256
            self.dut.snapshot_enable.value = self.dut.cells.value = 1
            await self.clock()
            self.dut.snapshot_enable.value = self.dut.cells.value = 0
            if value := int(self.dut.snapshot_value.value):
                found[divmod(number, CELLS)] = value
        return found

    async def read(self):
        """Both banks of the snapshot, through the read port."""
        banks = []
        await self.settle()
        for window in (0, 1):
            bank = {}
            for i, name in enumerate(self.names):
                self.dut.snapshot_index.value = i
                self.dut.snapshot_window.value = window
                self.dut.snapshot_enable.value = 1
                await self.clock()
                self.dut.snapshot_enable.value = 0
                bank[name] = int(self.dut.snapshot_value.value)
            banks.append(bank)
        return banks

    def error(self):
        return int(self.dut.ownersError.value)


def without(bank, *names):
    return {k: v for k, v in bank.items() if k not in names}


def check_sums(bank):
    assert sum(bank[f"owner.{o}"] for o in OWNERS) == bank["ticks"]
    assert bank["clocks"] == bank["ticks"] + bank["withheld"]
