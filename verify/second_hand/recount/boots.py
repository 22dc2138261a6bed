# SPDX-License-Identifier: BSD-2-Clause
"""Boots of a receiver of UDP messages (docs/explanation/tr9304.md): probes, counters, losses."""

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from verify.second_hand.recount import raw

PROBES, WARMUP = 10, 4  # large mbufs of a message; messages before the measurement
LINE, DIRTY_LINE = 18, 23  # ticks, Table 1
LATEST_ENDS = 5  # empty messages at the end of a script
FRAMES = 10  # of a message
UDP_SUM = 14 + 20 + 6  # place in a frame: Ethernet, IP, ports and length
# A page's domain by its address (docs/explanation/udp-receive.md, "Address spaces").
PAGE, SLOT = 4096, 16 << 20
OF_READER, OF_SERVER, OF_BUFFERS = 1, 2, 3  # slots
FRAME_WINDOW = (0x2_0000, 0x4_0000)  # the controller's, docs/reference/memory-map.md
NAMED = ("clusters", "mbufs", "messages")


@dataclass(frozen=True)
class Probe:
    """Causes of a probe's ticks; ``overhead``: above a pass that finds all in the cache."""

    overhead: int
    clean: int
    dirty: int
    refills: int
    refill_ticks: int
    dma: int
    code: int
    interrupted: bool

    @property
    def rest(self) -> int:
        """Ticks that lines, refills and waits do not explain."""
        lines = LINE * self.clean + DIRTY_LINE * self.dirty
        return self.overhead - lines - self.refill_ticks - self.dma


@dataclass(frozen=True)
class Boot:
    place: Path

    @cached_property
    def ideal(self) -> int:
        """The shortest second pass of a probe."""
        seen = [(t, name) for t, node, name in raw.stamps(self.place) if node == 0]
        seen = [s for s in seen if s[1].startswith("probe_")]
        pairs = zip(seen, seen[1:], strict=False)
        names = ("probe_close", "probe_again")
        return min((b[0] - a[0] for a, b in pairs if (a[1], b[1]) == names), default=0)

    @cached_property
    def every(self) -> list[Probe]:
        """All probes, the warm-up's too."""
        head, *rest = (self.place / "passages.0.csv").read_text().splitlines()
        names, found = head.split(","), []
        for line in rest:
            if line.startswith("strays"):
                break
            n = dict(zip(names, line.split(","), strict=True))

            def own(name: str, n: dict = n) -> int:
                """Without what lies in a refill."""
                return int(n.get(name, 0)) - int(n.get(f"refill.{name}", 0))

            refill_ticks = sum(int(n.get(f"{b}tb.refill_ticks", 0)) for b in "di")
            dirty = own("dcache.dirty_misses")
            found.append(
                Probe(
                    int(n["ticks"]) - self.ideal,
                    own("dcache.misses") - dirty,
                    dirty,
                    sum(int(n.get(f"{b}tb.misses", 0)) for b in "di"),
                    refill_ticks,
                    own("bus.core_waits_dma"),
                    int(n.get("icache.misses", 0)),
                    int(n.get("pal_ticks", 0)) > refill_ticks,
                )
            )
        return found

    @property
    def probes(self) -> list[Probe]:
        """Probes after the warm-up."""
        return self.every[PROBES * WARMUP :]

    @property
    def received(self) -> int:
        """Return the messages received; a reader without probes says how many."""
        first = (self.place / "console.0.txt").read_text().splitlines()[0]
        return len(self.every) // PROBES or int(first.removeprefix("udprecv: ").split(" ")[0])

    @property
    def measured(self) -> int:
        """Messages received after the warm-up."""
        return max(self.received - WARMUP, 0)

    @cached_property
    def offered(self) -> int:
        frames = len((self.place / "messages.txt").read_text().splitlines()) - LATEST_ENDS
        assert frames % FRAMES == 0, self.place
        return frames // FRAMES

    @cached_property
    def summed(self) -> list[bool]:
        """Return for each offered message if UDP's header in its first frame has a sum."""
        frames = (self.place / "messages.txt").read_text().splitlines()[:-LATEST_ENDS:FRAMES]
        heads = (bytes.fromhex(line.split()[2]) for line in frames)
        return [head[UDP_SUM : UDP_SUM + 2] != bytes(2) for head in heads]

    @cached_property
    def node(self) -> dict:
        return json.loads((self.place / "counters.json").read_text())["nodes"][0]

    @cached_property
    def said(self) -> dict[str, int]:
        """Counts that the receiver prints at its end."""
        lines = (self.place / "console.0.txt").read_text().splitlines()[1:]
        return {name: int(n) for name, _, n in (line.rpartition(" ") for line in lines)}

    @cached_property
    def evicted(self) -> Counter:
        """Lines filled for the probes, by who had been there before."""
        found: Counter = Counter()
        for row in raw.lines(self.place / "evictions.0.csv"):
            same = int(row["same"])
            found["DMA"] += same
            found[self._domain(row["displaced"])] += int(row["lines"]) - same
        return +found

    def _domain(self, page: str) -> str:
        if not page:
            return "nobody"
        address = int(page, 16) * PAGE
        user = address >> 63 == 0
        slot = address // SLOT if user else 0
        if slot == OF_SERVER:
            return self._named("mach_server.elf", address) or "server"
        if slot == OF_READER:
            return self._named("first_program.elf", address) or "reader"
        physical = (address - slot * SLOT if slot == OF_BUFFERS else address) & raw.PHYSICAL
        if FRAME_WINDOW[0] <= physical < FRAME_WINDOW[1]:
            return "frames"
        return self._named("image.elf", physical) or "kernel"

    def _named(self, image: str, address: int) -> str | None:
        """The array that has a part of the page."""
        for s in self.arrays.get(image, ()):
            if s.at < address + PAGE and address < s.at + s.size:
                return s.name
        return None

    @cached_property
    def arrays(self) -> dict[str, list[raw.Symbol]]:
        """The pools' memory in each image: of symbols of one name the largest, as the pools' own
        records have the same names."""
        found = {}
        for path in self.place.glob("*.elf"):
            by_size = sorted(raw.symbols(path), key=lambda s: s.size)
            found[path.name] = list({s.name: s for s in by_size if s.name in NAMED}.values())
        return found
