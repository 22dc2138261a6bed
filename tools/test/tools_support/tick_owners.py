# SPDX-License-Identifier: BSD-2-Clause
"""A second opinion on the owners of a round trip: each tick gets its owner one by one, from the
trace of every tick of both processors (``span.N.csv``), the frames' bits and the drivers' markers
(``stamps.csv``), and the times of the sheet (lance-ticks.csv, turbochannel-ticks.csv) alone. What
the controller did is found from the bits backwards and forwards; nothing it has logged is read.
"""

import csv
from collections import Counter
from pathlib import Path

PREAMBLE = 8  # bytes
BURST = 16
WORDS = 3  # of a descriptor that is read before a frame
CLIENT, SERVER = 0, 1
DESCRIPTOR, SILO = "controller.descriptor", "controller.silo"
BUS, WIRE = "bus", "wire"


class Machine:
    """Times of the machine in ticks."""

    def __init__(self, parameters: dict[str, int]) -> None:
        def ticks(name: str) -> int:
            per_us = parameters["clock.ticks_per_us"]
            return (2 * parameters[f"lance.{name}_ns"] * per_us + 1000) // 2000

        self.word, self.gap, self.arbitration = (ticks(n) for n in ("word", "gap", "arbitration"))
        self.csr, self.demand, self.setup = (ticks(n) for n in ("csr", "demand", "setup"))
        self.start, self.status, self.raises = (ticks(n) for n in ("start", "status", "interrupt"))
        self.nibble = 4 * parameters["clock.ticks_per_us"] // parameters["link.mbps"]
        self.threshold = parameters["lance.transmit_threshold"]
        self.cycle = parameters["turbochannel.ticks_per_cycle"]
        self.dma = parameters["bcache.dma_ticks"]

    def ownership(self, data: int) -> int:
        """Ticks of an ownership with ``data`` bytes, of a bus that is fast enough: from its request
        to its end, that tick too."""
        return self.arbitration + (data + 1) // 2 * self.word + self.gap + 1

    def edge(self, tick: int) -> int:
        """The first edge of the TURBOchannel from a tick on."""
        return tick // self.cycle * self.cycle + self.cycle - 1


class Trace:
    """A processor's ticks and its DMA transactions, and the stamps of its node."""

    def __init__(self, folder: Path, number: int) -> None:
        self.owner: dict[int, str] = {}
        self.dma: list[int] = []
        with (folder / f"span.{number}.csv").open(newline="") as stream:
            for row in csv.DictReader(stream):
                first = int(row["tick"])
                for tick in range(first, first + int(row["count"])):
                    self.owner[tick] = row["owner"]
                if "bcache.dma" in row["events"].split():
                    self.dma.append(first)
        self.stamps: list[tuple[int, str]] = []
        with (folder / "stamps.csv").open(newline="") as stream:
            for row in csv.DictReader(stream):
                if int(row["node"]) == number:
                    self.stamps.append((int(row["tick"]), row["stamp"]))
        self.path = self._path()

    def _path(self) -> set[int]:
        """Ticks on the path."""
        changes: dict[int, list[str]] = {}
        for tick, stamp in self.stamps:
            changes.setdefault(tick, []).append(stamp)
        found, is_open, paused = set(), False, False
        for tick in range(min(changes), max(self.owner) + 1):
            for stamp in changes.get(tick, ()):
                if stamp == "window_open" and not is_open:
                    is_open, paused = True, False
                elif stamp == "window_close":
                    is_open = False
                elif stamp in ("window_pause", "window_resume"):
                    paused = stamp == "window_pause"
            if is_open and not paused:
                found.add(tick)
        return found

    def next(self, stamp: str, tick: int) -> int:
        return next(t for t, s in self.stamps if s == stamp and t >= tick)


class Line:
    """The owner of each tick of a round trip: ``owner[tick]``; no tick gets two."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.owner: dict[int, str] = {}

    def give(self, owner: str, start: int, end: int) -> int:
        for tick in range(start, end):
            assert tick not in self.owner, f"tick {tick}: {self.owner[tick]} and {owner}"
            self.owner[tick] = owner
        return end

    def processor(self, trace: Trace, start: int, end: int) -> None:
        for tick in range(start, end):
            self.give(trace.owner[tick] if tick in trace.path else "off_path", tick, tick + 1)

    def ownership(self, trace: Trace, start: int, data: int, kind: str) -> int:
        """An ownership of the bus that moves ``data`` bytes, from its request on; return the tick
        after it. Ticks in which the wire carries the frame are the wire's. ``kind``: word or burst,
        read or write."""
        m = self.machine
        name = DESCRIPTOR if kind.endswith("word") else SILO
        end = start + m.ownership(data)
        longwords = (data + 3) // 4
        if kind.startswith("write"):
            asks = start + m.arbitration + (data + 1) // 2 * m.word
            done = m.edge(asks) + (longwords + 3) * m.cycle + 1
        else:
            asks = start
            [memory] = [tick for tick in trace.dma if asks <= tick < end]
            done = m.edge(memory + m.dma) + longwords * m.cycle + 1
        for tick in range(start, end):
            if self.owner.get(tick) != WIRE:
                self.give(BUS if asks <= tick < done else name, tick, tick + 1)
        return end

    def sending(self, trace: Trace, handed: int, first: int, size: int) -> None:
        """From the hand-over to the ``first`` bit of a frame of ``size`` bytes, FCS included."""
        m = self.machine
        bursts = min(-(-m.threshold // BURST), -(-(size - 4) // BURST))
        filled = first - m.start + 1
        bursting = filled - bursts * m.ownership(BURST)
        reading = bursting - m.setup - WORDS * m.ownership(2)
        demanded = reading - (m.csr + m.demand + 3)
        self.give("hand_over", handed, demanded + 1)
        self.give("controller.poll", demanded + 1, reading)
        now = reading
        for _ in range(WORDS):
            now = self.ownership(trace, now, 2, "read word")
        now = self.give("controller.set_up", now, bursting)
        for _ in range(bursts):
            now = self.ownership(trace, now, BURST, "read burst")
        assert now == filled
        self.give("controller.start", now, first)

    def receiving(self, trace: Trace, last: int, size: int, handler: int) -> None:
        """From the ``last`` bit to the first instruction of the ``handler``."""
        m = self.machine
        now = 0
        for byte in range(BURST, size + BURST, BURST):
            there = last - (2 * (size - byte) + 1) * m.nibble + 2 if byte <= size else last + 3
            begins = max(there, now)
            self.give(SILO, max(now, last), max(begins, last))
            data = min(BURST, size - byte + BURST)
            now = self.ownership(trace, begins, data, "write burst")
        now = self.give("controller.status", now, now + m.status + 1)
        for _ in range(2):
            now = self.ownership(trace, now, 2, "write word")
        raised = self.give("controller.raise", now, now - 1 + m.raises)
        self.give("interrupt", raised, handler)


def owners(folder: Path, parameters: dict[str, int]) -> tuple[int, Counter[str]]:
    """The number of the measured round trips, and all their ticks by owner."""
    machine = Machine(parameters)
    traces = [Trace(folder, n) for n in (CLIENT, SERVER)]
    client = traces[CLIENT]
    begin = client.next("measure_start", 0)
    until = client.next("measure_end", begin)
    ends = [t for t, s in client.stamps if s == "round_trip_end" and begin <= t <= until]
    found: Counter[str] = Counter()
    for start, end in zip([begin, *ends], ends):
        line, now, side = Line(machine), start, CLIENT
        for _ in ("request", "reply"):
            sender, receiver = traces[side], traces[1 - side]
            handed = sender.next("hand_over", now)
            line.processor(sender, now, handed)
            first = sender.next("tx_first_bit", handed)
            size = (sender.next("tx_last_bit", first) - first) // machine.nibble // 2 - PREAMBLE
            last = receiver.next("rx_last_bit", first)
            now, side = receiver.next("net_interrupt", last), 1 - side
            line.sending(sender, handed, first, size)
            line.give(WIRE, first, last)
            line.receiving(receiver, last, size, now)
        line.processor(client, now, end)
        assert sorted(line.owner) == list(range(start, end)), "a tick without an owner"
        found.update(line.owner.values())
    return len(ends), found
