# SPDX-License-Identifier: BSD-2-Clause
"""The processor (top AlphaLite) with a Python memory, I/O bus and governor around it.

One clock per step: drive inputs while the clock is low, sample, raise the clock. A memory read is
answered ``read_ticks`` ticks after its command, as the timing targets of sources/ev4.md 7 want it.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from cocotb.triggers import Timer

from mcpi.cocotb import retire
from mcpi.cocotb.retire import Retired
from mcpi.isa import assembler
from mcpi.machine import counters

OWNERS = list(counters.owners())
KINDS = ("fetch", "prefetch", "load", "write")
PAL = 0x10000  # reset enters here, in PAL mode
BLOCK = 32  # of the machine dec3000-600; `Bench.block` is that of the one at hand
HALT = "hw_mtpr $31, 0x3e\n"
USER, DATA = 0x100000, 0x20000  # a program outside PAL mode, and what programs work on
NOP = assembler.NOP
EVENTS = [row.event for row in counters.common("core") if not row.skips]
VICTIMS = ("iVictimHit", "dVictimHit")  # of a core whose caches have victims
ZERO = (
    "ev4 ideal interrupts coldPc_valid coldPc_payload memory_cmd_ready memory_rsp_valid "
    "memory_rsp_payload_data memory_rsp_payload_error memory_invalidate_valid "
    "memory_invalidate_payload io_cmd_ready io_rsp_valid io_rsp_payload_data io_rsp_payload_error "
    "tick skip run"
).split()
ONE = ("prefetch", "iCacheOn", "dCacheOn", "writeBufferOn")
# Run-time switches as in the machine file, all else at rest.
SWITCHES = dict.fromkeys(ZERO, 0) | dict.fromkeys(ONE, 1)
SWITCHES |= {"takenPenalty": 4, "predictedPenalty": 1, "mispredictPenalty": 4, "refillRestart": 3}
SWITCHES |= {"drainAt": 2, "idleTicks": 256}


def assemble(source: str, base: int = PAL) -> bytes:
    """Machine code of ``source`` at ``base``, in the syntax of ``mcpi.isa.assembler``."""
    return assembler.assemble(source, base)


@dataclass
class Tick:
    """Record of stage D in one tick."""

    owner: str
    pc: int


@dataclass
class Bench:
    """Memory, bus timing and the record of a run."""

    dut: object
    read_ticks: int = 10
    write_ticks: int = 10
    dirty_ticks: int = 5  # more of a load that displaces a dirty block of a write-back D-cache
    dirty: list[int] = field(default_factory=list)  # the blocks for which one was displaced
    memory: bytearray = field(default_factory=lambda: bytearray(1 << 23))
    ticks: list[Tick] = field(default_factory=list)
    retired: list[Retired] = field(default_factory=list)
    transactions: list[tuple[int, str, int]] = field(default_factory=list)  # tick, kind, address
    io_log: list[tuple[int, bool, int, int]] = field(default_factory=list)  # tick, write, address
    io_values: dict[int, int] = field(default_factory=dict)
    events: Counter = field(default_factory=Counter)
    clocks: int = 0
    stutter: object = None  # random.Random: also withhold ticks for no reason
    skipping: object = None  # random.Random: some idle ticks pass in one step
    next_input: int = 0  # a skip ends before this tick, in which the test changes an input
    bus: list | None = None  # [ticks left, kind, address, write]
    io_bus: list | None = None

    @property
    def back(self) -> bool:
        """Return true if the D-cache is a write-back one."""
        return hasattr(self.dut, "memory_store_valid")

    @property
    def block(self) -> int:
        """Bytes of a cache block."""
        return len(self.dut.memory_cmd_payload_mask)

    @cached_property
    def observed(self) -> list[str]:
        """The events that this core has."""
        return EVENTS + [name for name in VICTIMS if hasattr(self.dut, f"events_{name}")]

    def load(self, source: str, base: int = PAL) -> None:
        """Assemble and place a program."""
        code = assemble(source, base)
        self.memory[base : base + len(code)] = code

    def quad(self, address: int) -> int:
        return int.from_bytes(self.memory[address : address + 8], "little")

    def put(self, address: int, value: int, size: int = 8) -> None:
        self.memory[address : address + size] = (value % (1 << 8 * size)).to_bytes(size, "little")

    def owners(self) -> Counter:
        return Counter(t.owner for t in self.ticks)

    def issues(self) -> list[int]:
        """The ticks in which something issues."""
        return [n for n, t in enumerate(self.ticks) if t.owner == "issue"]

    def between(self, x: int, y: int) -> Counter:
        """Owners of the ticks behind ``x`` and before ``y``."""
        return Counter(t.owner for t in self.ticks[x + 1 : y])

    def gaps(self) -> list[Counter]:
        """Owners between two issues, where there are any."""
        issues = self.issues()
        return [gap for x, y in zip(issues, issues[1:]) if (gap := self.between(x, y))]

    async def steps(self, count: int, **how) -> None:
        for _ in range(count):
            await self.step(**how)

    async def start(self, **switches: int) -> None:
        """Reset with the run-time switches of the machine file, changed by ``switches``."""
        dut = self.dut
        for name, value in (SWITCHES | switches).items():
            getattr(dut, name).value = value
        self.ideal = switches.get("ideal", 0)
        dut.reset.value = 1
        for _ in range(3):
            await self._pulse()
        dut.reset.value = 0
        await self._pulse()
        dut.run.value = 1

    async def _pulse(self) -> None:
        self.dut.clk.value = 0
        await Timer(1, "ns")
        self.dut.clk.value = 1
        await Timer(1, "ns")

    async def run(self, limit: int = 20000, until=None) -> None:
        """Step until the processor halts (or ``until(self)``), then drain the retire queue."""
        left = limit
        while left:
            await self.step()
            left -= 1
            if until(self) if until else int(self.dut.halted.value):
                break
        assert left, (
            f"no end after {limit} clocks: a program ends with HALT, or name a larger limit; last "
            f"ticks {self.ticks[-5:]}"
        )
        if not until:
            issued = self.owners()["issue"]
            for n in range(400):  # a load miss may keep the last instructions from retiring
                await self.step(record=False)
                if n > 12 and self.instructions() >= issued:
                    break

    async def step(
        self, record: bool = True, invalidate: int | None = None, rest: bool = False
    ) -> None:
        """Step one clock; ``rest``: without a tick."""
        dut = self.dut
        while invalidate is not None and await self._held():
            await self.step(record)  # DMA writes in ticks
        if invalidate is not None:  # and names its block a clock before
            dut.memory_invalidate_payload.value = invalidate
            await self.step(record, rest=True)
        dut.clk.value = 0
        held = await self._held()
        tick = not (held or rest or (self.stutter and self.stutter.random() < 0.3))
        moves = tick or (self.ideal and int(dut.idealActive.value))
        dut.tick.value = int(tick)
        dut.memory_invalidate_valid.value = int(invalidate is not None)
        if invalidate is not None:
            dut.memory_invalidate_payload.value = invalidate
        answer = moves and self.bus is not None and self.bus[0] <= 0
        io_answer = tick and self.io_bus is not None and self.io_bus[0] <= 0
        dut.io_cmd_ready.value = int(self.io_bus is None)
        await Timer(1, "ns")
        dut.skip.value = skip = self._skip() if tick and record and self.skipping else 0
        self._sample(tick, moves, answer, io_answer, record)
        self.clocks += 1
        pc = int(dut.events_issuePc.value)
        dut.clk.value = 1
        await Timer(1, "ns")
        if tick and record:  # the core tells of a tick in the clock after it
            self._tell(pc)
        if record:
            self.ticks += self.ticks[-1:] * skip

    def _answer(self, memory: bool, io: bool) -> None:
        dut = self.dut
        dut.memory_rsp_valid.value = int(memory)
        dut.memory_cmd_ready.value = int(self.bus is None or memory)
        if memory:
            base = self.bus[2]
            bad = base + self.block > len(self.memory)
            dut.memory_rsp_payload_error.value = int(bad)
            data = 0 if bad else int.from_bytes(self.memory[base : base + self.block], "little")
            dut.memory_rsp_payload_data.value = data
        dut.io_rsp_valid.value = int(io)
        if io:
            value = self.io_values.get(self.io_bus[1])
            dut.io_rsp_payload_error.value = int(value is None)
            dut.io_rsp_payload_data.value = value or 0

    async def _held(self) -> bool:
        """Return true if the core withholds the tick of this clock. What the buses say stands
        before its tick, and the core may ask for a clock then."""
        memory, io = (bus is not None and bus[0] <= 0 for bus in (self.bus, self.io_bus))
        self._answer(memory, io)
        await Timer(1, "ns")
        return bool(int(self.dut.hold.value))

    def _tell(self, pc: int) -> None:
        """Keep what the core tells of a tick."""
        self.ticks.append(Tick(OWNERS[int(self.dut.events_owner.value)], pc))
        for name in self.observed:
            self.events[name] += int(getattr(self.dut, f"events_{name}").value)

    def _skip(self) -> int:
        """Ticks to leave out in this clock: often none, often all there are."""
        most = min(int(self.dut.nextEvent.value), self.next_input - len(self.ticks)) - 1
        if most < 1:
            return 0
        assert self.bus is None and self.io_bus is None, "a skip over a transaction"
        return self.skipping.choice([0, most, most, self.skipping.randint(1, most)])

    def _sample(self, tick: bool, moves: bool, answer: bool, io_answer: bool, record: bool) -> None:
        dut = self.dut
        now = len(self.ticks)
        if answer:
            self.bus = None
        if self.bus and moves:
            self.bus[0] -= 1
        if moves and self.bus is None and int(dut.memory_cmd_valid.value):
            kind = KINDS[int(dut.memory_cmd_payload_kind.value)]
            address = int(dut.memory_cmd_payload_address.value)
            assert address % self.block == 0
            self.transactions.append((now, kind, address))
            wait = self.write_ticks if kind == "write" else self.read_ticks
            if self.back and int(dut.memory_cmd_payload_dirty.value):
                self.dirty.append(address)
                wait += self.dirty_ticks
            self.bus = [(2 if self.ideal else wait) - 1, kind, address]
            if kind == "write":
                self._write(address)
        if io_answer:
            self.io_bus = None
        if self.io_bus and tick:
            self.io_bus[0] -= 1
        if tick and self.io_bus is None and int(dut.io_cmd_valid.value):
            address = int(dut.io_cmd_payload_address.value)
            write = bool(int(dut.io_cmd_payload_write.value))
            data = int(dut.io_cmd_payload_data.value) if write else 0
            if not int(dut.io_cmd_payload_quad.value):
                data &= 0xFFFFFFFF
            self.io_log.append((now, write, address, data))
            self.io_bus = [6, address]
        if not tick:
            return
        if self.back and int(dut.memory_store_valid.value):
            self._store()
        self.retired += retire.at(dut)

    def _store(self) -> None:
        dut = self.dut
        address = int(dut.memory_store_payload_address.value)
        if address + 8 <= len(self.memory):
            size = 4 if int(dut.memory_store_payload_long.value) else 8
            self.put(address // size * size, int(dut.memory_store_payload_data.value), size)

    def _write(self, address: int) -> None:
        if address + self.block > len(self.memory):
            return  # answered with an error
        mask = int(self.dut.memory_cmd_payload_mask.value)
        data = int(self.dut.memory_cmd_payload_data.value).to_bytes(self.block, "little")
        assert mask, "a write of nothing"
        for n in range(self.block):
            if mask >> n & 1:
                self.memory[address + n] = data[n]

    def instructions(self) -> int:
        return sum(r.trap is None for r in self.retired)

    def check_owners(self) -> None:
        """Ticks of `issue` are the retired instructions, exactly."""
        issued = self.owners()["issue"]
        assert issued == self.instructions(), f"{issued} issued, {self.instructions()} retired"

    def registers(self) -> dict[int, int]:
        """Register values as the retire port told them."""
        state: dict[int, int] = {}
        for r in self.retired:
            if r.register is not None:
                state[r.register] = r.value
        return state


async def run(
    dut, source: str, user: str = "", data=(), setup=None, limit=60000, stutter=None, **switches
):
    """A bench on which ``source`` at PAL, and ``user`` at USER, have run until the halt; ``data``:
    quadwords from DATA on."""
    b = Bench(dut, stutter=stutter)
    b.load(source)
    if user:
        b.load(user, USER)
    for n, value in enumerate(data):
        b.put(DATA + 8 * n, value)
    if setup:
        setup(b)
    await b.start(**switches)
    await b.run(limit)
    b.check_owners()
    return b
