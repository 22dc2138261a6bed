# SPDX-License-Identifier: BSD-2-Clause
"""Figures of one version's run folders: round trips, path, cold invocation."""

import json
import statistics
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from verify.second_hand.recount import raw
from verify.second_hand.recount.raw import CLIENT, SERVER

RAM_IMAGE = (0x10_0000, 0x10_0000 + 0x3F_0000)  # docs/reference/memory-map.md
BLOCK, WORDS = 32, 8  # bytes of a block, instructions in it
# Points of the way up (Table 3), by stack.
UP = {
    "tcp": ("ip_demux", "tcp_demux", "clientStreamDemux"),
    "bsd": ("ipintr", "tcp_input", "sowakeup"),
}
COLD = ".cold"  # of what outlining moves to a function's end (docs/explanation/variants.md)


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def deviation(values: list[float]) -> float | None:
    """Standard deviation of a sample; None for a single value."""
    return statistics.stdev(values) if len(values) > 1 else None


def direct_mapped(addresses: list[int], size: int) -> tuple[int, int]:
    """Misses of a cache that begins empty, and those on blocks that it had before."""
    lines: dict[int, int] = {}
    before: set[int] = set()
    misses = replaced = 0
    for block in (address // BLOCK for address in addresses):
        line = block % (size // BLOCK)
        if lines.get(line) != block:
            misses += 1
            replaced += block in before
            before.add(block)
            lines[line] = block
    return misses, replaced


@dataclass(frozen=True)
class Run:
    """A version in a folder; ``samples``: folders of all samples, its own first."""

    place: Path
    machine: str = "dec3000-600"

    @cached_property
    def per_us(self) -> int:
        return raw.machine(self.machine)["clock"]["ticks_per_us"]

    @cached_property
    def samples(self) -> list[Path]:
        more = self.place.glob("sample-*")
        return [self.place, *sorted(more, key=lambda p: int(p.name.split("-")[1]))]

    def trip(self, sample: Path) -> float:
        """Mean ticks from one reply's arrival to the next (docs/reference/glossary.md)."""
        low, _, marks = raw.measured(sample)
        ended = marks[CLIENT].ended
        return (ended[-1] - low) / len(ended)

    @cached_property
    def trips(self) -> int:
        """Round trips that were measured."""
        return len(raw.measured(self.place)[2][CLIENT].ended)

    @cached_property
    def sample_trips(self) -> list[float]:
        """T_e of each sample, µs."""
        return [self.trip(sample) / self.per_us for sample in self.samples]

    @property
    def te(self) -> float:
        return mean(self.sample_trips)

    @cached_property
    def sample_paths(self) -> list[float]:
        """T_p of each sample, µs."""
        paths = [raw.counts(sample) for sample in self.samples]
        return [one["ticks"] / one["invocations"] / self.per_us for one in paths]

    @property
    def tp(self) -> float:
        return mean(self.sample_paths)

    @cached_property
    def path(self) -> dict[str, int]:
        """The client's counters of the path, first sample."""
        found = raw.counts(self.place)
        owners = sum(n for name, n in found.items() if name.startswith("owner."))
        assert owners == found["ticks"], f"{self.place}: owners {owners}"
        return found

    def each(self, *names: str) -> float:
        """Sum of these counters for an invocation."""
        return sum(self.path[name] for name in names) / self.path["invocations"]

    @property
    def length(self) -> float:
        return self.each("instructions")

    @property
    def cpi(self) -> float:
        return self.path["ticks"] / self.path["instructions"]

    @cached_property
    def ideal(self) -> dict[str, int]:
        """The path's counters under ideal memory."""
        return raw.counts(self.place / "ideal")

    @property
    def icpi(self) -> float:
        return self.ideal["ticks"] / self.ideal["instructions"]

    @property
    def mcpi(self) -> float:
        return self.cpi - self.icpi

    @cached_property
    def controllers(self) -> tuple[float, float]:
        """µs from a hand-over to the same machine's next network interrupt, client and server."""
        _, _, marks = raw.measured(self.place)
        found = []
        for node in (CLIENT, SERVER):
            waits = []
            for handed in marks[node].handed:
                later = [tick for tick in marks[node].interrupts if tick > handed]
                waits += [later[0] - handed] if later else []
            found.append(mean(waits) / self.per_us)
        return found[0], found[1]

    @cached_property
    def legs(self) -> dict[str, float]:
        """µs of a round trip's parts, controllers and wire together."""
        low, _, marks = raw.measured(self.place)
        client, server = marks[CLIENT], marks[SERVER]
        starts = [low, *client.ended[:-1]]
        sums = dict.fromkeys(("down", "there", "server", "back", "up"), 0)
        for start, end in zip(starts, client.ended, strict=True):
            [sent] = [t for t in client.handed if start <= t <= end]
            [answer] = [t for t in server.handed if start <= t <= end]
            arrival = min(t for t in server.interrupts if t > sent)
            reply = max(t for t in client.interrupts if answer < t <= end)
            ticks = (start, sent, arrival, answer, reply, end)
            for name, before, after in zip(sums, ticks, ticks[1:], strict=False):
                sums[name] += after - before
        return {name: ticks / len(starts) / self.per_us for name, ticks in sums.items()}

    @cached_property
    def parts(self) -> dict[str, float]:
        """The same by the columns of ``round_trip_parts``."""
        us = self.legs
        request, answer = self.wires
        return {
            "client_send_us": us["down"],
            "request_controller_us": us["there"] - request,
            "request_wire_us": request,
            "server_us": us["server"],
            "reply_controller_us": us["back"] - answer,
            "reply_wire_us": answer,
            "client_receive_us": us["up"],
        }

    @cached_property
    def wires(self) -> tuple[float, float]:
        """µs from a frame's first bit at its sender to its last bit at the receiver."""
        low, high, _ = raw.measured(self.place)
        found = []
        for sender, receiver in ((CLIENT, SERVER), (SERVER, CLIENT)):
            seen = [s for s in raw.stamps(self.place) if low <= s[0] <= high]
            first = [t for t, node, name in seen if (node, name) == (sender, "tx_first_bit")]
            last = [t for t, node, name in seen if (node, name) == (receiver, "rx_last_bit")]
            found.append((sum(last) - sum(first)) / len(first) / self.per_us)
        return found[0], found[1]

    @cached_property
    def hidden(self) -> tuple[float, float]:
        """µs of the path between the hand-over and the reply's last bit, and after that bit."""
        rows = [(t, name) for t, node, name in raw.stamps(self.place) if node == CLIENT]
        [low] = [t for t, name in rows if name == "measure_start"]
        [high] = [t for t, name in rows if name == "measure_end"]
        spans = []  # of the path's window, without its pauses
        since, within = None, False
        for tick, name in rows:
            if since is not None and name in ("window_close", "window_pause", "window_open"):
                spans.append((since, tick))
                since = None
            within = name == "window_open" or within and name != "window_close"
            if name == "window_open" or name == "window_resume" and within:
                since = tick
        sums = {"hand_over": 0, "rx_last_bit": 0}
        phases, now = [], ("", 0)  # what began a phase, from when to when
        for tick, name in rows:
            follows = {"hand_over": True, "round_trip_end": True}
            if follows.get(name) or name == "rx_last_bit" and now[0] == "hand_over":
                phases.append((now[0], now[1], tick))
                now = (name, tick)
        phases.append((now[0], now[1], rows[-1][0]))
        for kind, start, end in phases:
            for since, until in spans if kind in sums else ():
                overlap = min(until, end, high) - max(since, start, low)
                sums[kind] += max(0, overlap)
        us = [ticks / self.trips / self.per_us for ticks in sums.values()]
        return us[0], us[1]

    @cached_property
    def outside(self) -> tuple[float, float]:
        """For a round trip, outside the path: µs in which the client was busy, I-cache misses."""
        whole = raw.counts(self.place, "all")
        busy = [n["ticks"] - n["owner.idle"] for n in (whole, self.path)]
        misses = whole["icache.misses"] - self.path["icache.misses"]
        return (busy[0] - busy[1]) / self.trips / self.per_us, misses / self.trips

    @cached_property
    def trace(self) -> list[dict[str, str]]:
        """Instructions of the cold invocation."""
        return raw.lines(self.place / "cold" / "cold_trace.csv")

    @cached_property
    def addresses(self) -> list[int]:
        return [int(one["pc"], 16) for one in self.trace]

    @cached_property
    def code(self) -> set[int]:
        """Addresses of the image that the cold invocation executed; PALcode is elsewhere."""
        return {pc for pc in self.addresses if RAM_IMAGE[0] <= pc < RAM_IMAGE[1]}

    @property
    def unused(self) -> float:
        """Per cent of the words of fetched blocks that were not executed."""
        blocks = {pc // BLOCK for pc in self.code}
        return 100 - 100 * len(self.code) / (WORDS * len(blocks))

    @cached_property
    def size(self) -> int:
        """Instructions of the functions that the cold invocation entered (Table 9)."""
        found = raw.symbols(self.place / "image.elf")
        cold = {(s.name, s.at) for s in found if s.name.endswith(COLD)}
        spans = set()
        for s in (s for s in found if s.function and s.size and not s.name.endswith(COLD)):
            end = s.at + s.size
            cut = [at for name, at in cold if name == s.name + COLD and s.at < at < end]
            spans |= {(s.at, cut[0]), (cut[0], end)} if cut else {(s.at, end)}
        entered = (span for span in spans if any(pc in self.code for pc in range(*span, 4)))
        return sum((end - start) // 4 for start, end in entered)

    def between(self, first: str, second: str) -> int:
        """Instructions of the cold invocation from a function's entry to another's."""
        entry = {s.name: s.at for s in raw.symbols(self.place / "image.elf")}
        own = [pc for pc in self.addresses if pc in self.code]
        start = own.index(entry[first])
        return own[start:].index(entry[second])

    def itself(self, function: str) -> int:
        """Instructions of the cold invocation that are a function's own."""
        [span] = [
            range(s.at, s.at + s.size)
            for s in raw.symbols(self.place / "image.elf")
            if s.function and s.name == function
        ]
        return sum(pc in span for pc in self.addresses)

    @cached_property
    def replayed(self) -> dict[str, dict[str, float]]:
        """Table 6 from the cold trace: the caches' misses are counted here, what the write buffer
        and the b-cache did is in replay.json."""
        given = json.loads((self.place / "cold" / "replay.json").read_text())
        caches = raw.machine(self.machine)
        # The last instruction's access comes when the window has closed.
        loads, stores = (
            [int(r["address"], 16) for r in self.trace[:-1] if r["kind"] == kind]
            for kind in ("load", "store")
        )
        i = direct_mapped(self.addresses, kilobytes(caches["icache"]["size"]))
        d = direct_mapped(loads, kilobytes(caches["dcache"]["size"]))
        sent = given["write_buffer.writes"]
        return {
            "icache": {"acc": len(self.addresses), "miss": i[0], "repl": i[1]},
            "dcache_write_buffer": {
                "acc": len(loads) + len(stores),
                "miss": d[0] + sent,
                "repl": d[1],
            },
            "bcache": {
                "acc": given["bcache.fetches"] + given["bcache.prefetches"] + d[0] + sent,
                "miss": given["bcache.misses"],
                "repl": given.get("bcache.replacement_misses", 0),
            },
        }

    @cached_property
    def in_situ(self) -> dict[str, dict[str, float]]:
        """Table 6 from the counters of the cold invocation."""
        n = raw.counts(self.place / "cold")
        kinds = {"acc": "accesses", "miss": "misses", "repl": "replacement_misses"}
        found = {
            cache: {short: n[f"{cache}.{kind}"] for short, kind in kinds.items()}
            for cache in ("icache", "dcache", "bcache")
        }
        both = found.pop("dcache")
        both["acc"] += n["write_buffer.accesses"]
        both["miss"] += n["write_buffer.writes"]
        return {**found, "dcache_write_buffer": both}


@dataclass(frozen=True)
class Placed(Run):
    """A run whose code is in another place than that of ``usual``, which has what places do not
    change: iCPI and the size of the code."""

    usual: Run | None = None

    @cached_property
    def ideal(self) -> dict[str, int]:
        return self.usual.ideal

    @cached_property
    def size(self) -> int:
        return self.usual.size


def kilobytes(size: str) -> int:
    assert size.endswith("KB"), size
    return 1024 * int(size.removesuffix("KB"))
