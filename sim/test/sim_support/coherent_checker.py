# SPDX-License-Identifier: BSD-2-Clause
"""Works out anew what a history of several cores says (docs/explanation/multiprocessor.md).

Written from the sheet alone: states, victims, the arbiter, each transaction's end, which block a
D-cache has, each loaded value, who wins STx_C, and the counters that follow from all that.
"""

import csv
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.machine import counters as table

NEVER = 1 << 62
DMA = ("dma_read", "dma_write")  # place N
ASKED = ("read", "read_exclusive", "upgrade", "write_back", *DMA)


class Wrong(Exception):
    """The history breaks a rule."""


@dataclass
class Store:
    address: int
    data: bytes
    stage: str = "issued"  # then buffered, then sent


@dataclass
class Command:
    """Command that a private cache has taken, and its request to the bus."""

    what: str
    conditional: bool
    block: int  # of cache.block
    taken: int
    request: str = ""
    raised: int = NEVER
    acts: int = NEVER
    ends: int = NEVER
    overtaken: bool = False


@dataclass
class Core:
    lines: dict = field(default_factory=dict)  # set: [b-cache block, state]
    data: dict = field(default_factory=dict)  # set: block of the D-cache
    stores: list = field(default_factory=list)
    command: Command | None = None
    back: tuple | None = None  # b-cache block and tick of a write-back that waits
    flag: int | None = None
    fallen: bool = False
    missed: set = field(default_factory=set)
    lost: set = field(default_factory=set)
    missed_data: set = field(default_factory=set)
    lost_data: set = field(default_factory=set)
    counts: Counter = field(default_factory=Counter)


class Checker:
    def __init__(self, parameters: dict):
        self.p = parameters
        self.n = parameters["core.count"]
        self.cores = [Core() for _ in range(self.n)]
        self.small, self.big = parameters["cache.block"], parameters["bcache.block"]
        self.ratio = self.big // self.small
        self.sets = parameters["bcache.size"] // self.big
        self.data_sets = parameters["dcache.size"] // self.small
        self.image: dict[int, int] = {}
        self.under_way: list[list] = []  # block, place, end
        self.last_place = (parameters["bus.arbiter_first"] + self.n) % (self.n + 1)
        self.last_grant = -NEVER
        self.last_data = -NEVER
        self.granted: tuple | None = None
        self.tick = 0
        self.before: list[set] = []
        self.requests = 0
        self.dma: Command | None = None

    def wrong(self, said: str) -> None:
        raise Wrong(f"tick {self.tick}: {said}")

    def must(self, right: bool, said: str) -> None:
        if not right:
            self.wrong(said)

    # States.

    def state(self, core: Core, block: int) -> str:
        there = core.lines.get(block % self.sets)
        return there[1] if there and there[0] == block else "I"

    def remove_block(self, number: int, block: int, taken: bool) -> None:
        """The b-cache of a core gives up a block; what others take is lost."""
        core, command = self.cores[number], self.cores[number].command
        if core.flag is not None and core.flag // self.big == block:
            core.fallen = True
        core.lines.pop(block % self.sets, None)
        overtaken = command and command.acts <= self.tick and command.block // self.ratio == block
        if taken and overtaken:
            command.overtaken = True
        for small in range(block * self.ratio, (block + 1) * self.ratio):
            has = core.data.get(small % self.data_sets) == small
            coming = overtaken and command.what == "load" and command.block == small
            if taken and (has or coming):
                core.lost_data.add(small)
            if has:
                self.drops.append((number, small))
        if not taken:
            return
        core.lost.add(block)
        core.counts["bcache.invalidated"] += 1
        if command and command.request == "upgrade" and command.block // self.ratio == block:
            if command.conditional:
                self.withdrawn.add(number)
            else:
                command.request = "read_exclusive"
                self.misses(core, command)

    def misses(self, core: Core, command: Command) -> None:
        block = command.block // self.ratio
        core.counts["bcache.misses"] += 1
        if block in core.missed:
            kind = "coherence" if block in core.lost else "replacement"
            core.counts[f"bcache.{kind}_misses"] += 1
        core.missed.add(block)
        core.lost.discard(block)

    # The bus.

    def waiting(self) -> list[tuple]:
        """Place, request, b-cache block, tick of the rise."""
        found = []
        for k, core in enumerate(self.cores):
            if core.back:
                found.append((k, "write_back", *core.back))
            if core.command and core.command.request:
                block = core.command.block // self.ratio
                found.append((k, core.command.request, block, core.command.raised))
        if self.dma and self.dma.request:
            found.append((self.n, self.dma.request, self.dma.block // self.ratio, self.dma.raised))
        return found

    def ready(self, one: tuple, waiting: list[tuple]) -> bool:
        place, what, block, raised = one
        if raised > self.tick or self.tick < self.last_grant + self.p["bus.request_ticks"]:
            return False
        active = [t for t in self.under_way if t[2] > self.tick]
        if len(active) >= self.p["bus.outstanding"] or any(t[0] == block for t in active):
            return False
        if what == "write_back":
            return True
        for other in waiting:
            if other[1] == "write_back" and (other[2] == block or other[0] == place):
                return False
            if other[1] != "write_back" and other[2] == block and other[3] < raised:
                return False
        return True

    def arbiter(self) -> None:
        waiting = self.waiting()
        ready = [one for one in waiting if self.ready(one, waiting)]
        cores = [one for one in waiting if one[1] not in ("write_back", *DMA)]
        for k in {one[0] for one in cores if one[3] <= self.tick}:
            self.cores[k].counts["bus.wait_ticks"] += 1
        if not ready:
            return
        first = min(ready, key=lambda one: ((one[0] - self.last_place - 1) % (self.n + 1), one[1]))
        both = [one for one in ready if one[0] == first[0]]
        first = next((one for one in both if one[1] == "write_back"), first)
        self.granted, self.last_place, self.last_grant = first, first[0], self.tick
        self.under_way = [t for t in self.under_way if t[2] > self.tick]
        self.under_way.append([first[2], first[0], NEVER])
        self.requests += 1
        if first[0] == self.n:
            self.dma.request = ""
            return
        core = self.cores[first[0]]
        if first[1] == "write_back":
            core.back = None
        else:
            core.command.request = ""
            core.counts["bus.wait_ticks"] -= 1

    def order(self, row: dict | None) -> None:
        if self.granted is None:
            self.must(row is None, "an order that nobody has been granted")
            return
        place, what, block, _ = self.granted
        self.granted = None
        self.must(row is not None, f"the grant of {what} to {place} was not ordered")
        observed = int(row["place"]), row["what"], int(row["at"], 16)
        self.must(
            observed == (place, what, block),
            f"ordered {observed} instead of {(place, what, block)}",
        )
        p, granted = self.p, self.tick - 1
        found = {k: self.state(c, block) for k, c in enumerate(self.cores) if k != place}
        remote = "M" in found.values()
        times = {"upgrade": p["bus.upgrade_ticks"]}
        alone = p["bcache.dma_ticks"] if what in DMA else p["bus.miss_ticks"]
        length = times.get(what, p["bus.remote_ticks"] if remote else alone)
        end = granted - 2 + length
        if what == "write_back":
            end = granted + p["bus.request_ticks"] + p["bus.data_ticks"]
        if what not in ("upgrade", *DMA):
            end = max(end, self.last_data + p["bus.data_ticks"])
            self.last_data = end
        self.under_way[-1][2] = end
        self.must(
            row["more"] == f"{end}{' remote' * (remote and what[:4] == 'read')}",
            f"{what} of {block:x} ends in {row['more']} instead of {end}",
        )
        if what == "write_back":
            self.cores[place].counts["bcache.writebacks"] += 1
            return
        for k, state in found.items():
            other = self.cores[k]
            other.counts["bcache.snoops"] += 1
            other.counts["bcache.snoop_hits"] += state != "I"
            if state != "I" and what not in ("read", "dma_read"):
                self.remove_block(k, block, True)
            elif state in "EM" and what == "read":
                other.lines[block % self.sets][1] = "S"
        if what in DMA:
            self.dma.ends = end
            return
        core, command = self.cores[place], self.cores[place].command
        command.acts, command.ends = self.tick, end
        core.counts["bcache.upgrades"] += what == "upgrade"
        core.counts["bcache.remote"] += remote and what != "upgrade"
        victim = core.lines.get(block % self.sets)
        if victim and victim[0] != block:
            if victim[1] == "M":
                core.back = (victim[0], self.tick + 1)
                core.counts["bcache.victims"] += 1
            self.remove_block(place, victim[0], False)
        shared = any(state != "I" for state in found.values())
        state = "M" if what != "read" else "S" if shared else "E"
        core.lines[block % self.sets] = [block, state]

    def single_writer(self) -> None:
        owners, holders = defaultdict(list), defaultdict(int)
        for k, core in enumerate(self.cores):
            for block, state in core.lines.values():
                holders[block] += 1
                if state in "EM":
                    owners[block].append(k)
        for block, having in owners.items():
            self.must(len(having) == 1 and holders[block] == 1, f"two have block {block:x}")

    # Values.

    def pending(self, core: Core, address: int, size: int) -> list[int | None]:
        """Bytes as the core reads them; None: not known yet."""
        found = [self.image.get(address + i) for i in range(size)]
        for store in core.stores:
            for i, byte in enumerate(store.data):
                if 0 <= store.address + i - address < size:
                    found[store.address + i - address] = byte
        return found

    def loaded(self, number: int, row: dict) -> None:
        size, value = row["more"].split()
        size, value, address = int(size), int(value, 16), int(row["at"], 16)
        for i, byte in enumerate(self.pending(self.cores[number], address, size)):
            read = value >> 8 * i & 0xFF
            if byte is None:
                self.image[address + i] = read
            self.must(byte in (None, read), f"core {number} read {row['more']} at {address:x}")

    def written(self, number: int, row: dict, success: dict | None) -> None:
        core, block = self.cores[number], int(row["at"], 16)
        if success:
            size, value = success["more"].split()
            data = (int(value, 16) & ((1 << 8 * int(size)) - 1)).to_bytes(int(size), "little")
            core.stores.append(Store(int(success["at"], 16), data, "sent"))
        observed = bytes.fromhex(row["more"])
        sent = [s for s in core.stores if s.stage == "sent" and s.address // self.small == block]
        self.must(bool(sent), f"core {number} writes block {block:x} without a store")
        for store in sent:
            for i, byte in enumerate(store.data):
                self.image[store.address + i] = byte
            core.stores.remove(store)
        for i, byte in enumerate(observed):
            at = block * self.small + i
            self.must(self.image.setdefault(at, byte) == byte, f"byte {at:x} is {byte:x}")

    # Ticks.

    def core_rows(self, number: int, rows: list[dict]) -> None:
        core, p = self.cores[number], self.p
        by = {row["what"]: row for row in rows}
        command = core.command
        if number in self.withdrawn:
            self.must("drop" in by, f"core {number} does not withdraw its STx_C")
            core.command = command = None
        elif command and self.tick == command.taken + 1:
            state, block = self.state(core, command.block // self.ratio), command.block
            write = command.what == "write"
            if command.conditional and core.fallen:
                self.must("drop" in by, f"core {number} does not drop its STx_C")
                core.command = command = None
            elif "decide" not in by or by["decide"]["more"] != state:
                self.wrong(f"core {number} decides {by.get('decide')} in state {state}")
            elif state == "I":
                command.request = "read_exclusive" if write else "read"
                self.misses(core, command)
            elif write and state == "S":
                command.request = "upgrade"
            else:
                command.acts = self.tick
                key = "write_buffer.write_ticks" if write else "bcache.read_ticks"
                command.ends = command.taken + p[key]
                if write:
                    core.lines[block // self.ratio % self.sets][1] = "M"
            if command and command.request:
                command.raised = command.taken + 2
        if command and command.what == "load":
            self.must(("data" in by) == (command.acts == self.tick), f"core {number}: its read")
        acts = command is not None and command.what == "write" and command.acts == self.tick
        self.must(("write" in by) == acts, f"core {number}: its write")
        if "linked" in by:
            core.flag = int(by["linked"]["at"], 16)
            core.fallen = core.flag // self.big in self.gone[number]
        decided = by.get("success") or by.get("failure")
        if decided:
            same = core.flag is not None and core.flag // 32 == int(decided["at"], 16) // 32
            stores = same and not core.fallen
            self.must(stores == ("success" in by), f"core {number}: STx_C is {decided}")
            core.counts["locks.conditional"] += 1
            core.counts["locks.failed"] += not stores
            core.flag = None
        if "write" in by:
            self.written(number, by["write"], by.get("success"))
        if "hit" in by:
            block = int(by["hit"]["at"], 16) // self.small
            has = core.data.get(block % self.data_sets) == block
            self.must(has, f"core {number} hits block {block:x}, which its D-cache has not")
            inside = block // self.ratio in self.before[number]
            self.must(inside, f"core {number} hits block {block:x} outside its b-cache")
        if command and command.ends == self.tick:
            if command.what == "load" and not command.overtaken and self.p["dcache.enable"]:
                self.fills.append((number, command.block))
            core.command = None
        if "success" in by:
            self.drops.append((number, int(by["success"]["at"], 16) // self.small))
        if "take" in by:
            self.takes(number, by["take"])
        if "buffered" in by:
            next(s for s in core.stores if s.stage == "issued").stage = "buffered"
        if "store" in by:
            size, value = by["store"]["more"].split()
            data = (int(value, 16) & ((1 << 8 * int(size)) - 1)).to_bytes(int(size), "little")
            core.stores.append(Store(int(by["store"]["at"], 16), data))

    def takes(self, number: int, row: dict) -> None:
        core = self.cores[number]
        self.must(core.command is None, f"core {number} takes a command while it has one")
        what, *conditional = row["more"].split()
        block = int(row["at"], 16)
        core.command = Command(what, bool(conditional), block, self.tick)
        if what == "write" and not conditional:
            for store in core.stores:
                if store.stage == "buffered" and store.address // self.small == block:
                    store.stage = "sent"
        if what == "load":
            has = core.data.get(block % self.data_sets) == block
            self.must(not has, f"core {number} misses block {block:x}, which its D-cache has")
            core.counts["dcache.misses"] += 1
            if block in core.missed_data:
                kind = "coherence" if block in core.lost_data else "replacement"
                core.counts[f"dcache.{kind}_misses"] += 1
            core.missed_data.add(block)
            core.lost_data.discard(block)

    def dma_rows(self, rows: list[dict]) -> None:
        """Its data, of an order of this tick; its end; what it takes: at most 16 bytes."""
        for row in rows:
            if row["what"] not in ("bytes_read", "bytes_written"):
                continue
            mask, data = (int(word, 16) for word in row["more"].split())
            for i in range(16):
                byte, at = data >> 8 * i & 0xFF, int(row["at"], 16) + i
                if row["what"] == "bytes_read":
                    self.must(self.image.setdefault(at, byte) == byte, f"DMA reads {at:x}")
                elif mask >> i & 1:
                    self.image[at] = byte
        if self.dma and self.dma.ends == self.tick:
            self.dma = None
        for row in rows:
            if row["what"] == "take":
                self.must(self.dma is None, "DMA takes a command while it has one")
                what, block = row["more"], int(row["at"], 16) // self.small
                self.dma = Command(what, False, block, self.tick, what, self.tick + 2)

    def live(self, rows: list[dict]) -> None:
        """A tick with something in it."""
        self.drops, self.fills, self.withdrawn = [], [], set()
        self.before = [{b for b, _ in core.lines.values()} for core in self.cores]
        bus = [row for row in rows if row["what"] in ASKED]
        self.must(len(bus) <= 1, "two orders")
        self.order(bus[0] if bus else None)
        now = [{b for b, _ in core.lines.values()} for core in self.cores]
        self.gone = [was - have for was, have in zip(self.before, now, strict=True)]
        for row in rows:  # loads of stage E1 come before the writes of their tick
            if row["what"] in ("hit", "data"):
                self.loaded(int(row["place"]), row)
        for number in range(self.n):
            mine = [r for r in rows if int(r["place"]) == number and (not bus or r is not bus[0])]
            self.core_rows(number, mine)
        self.dma_rows([row for row in rows if int(row["place"]) == self.n])
        for number, block in self.drops:
            data = self.cores[number].data
            if data.get(block % self.data_sets) == block:
                del data[block % self.data_sets]
        for number, block in self.fills:
            self.cores[number].data[block % self.data_sets] = block
        if bus:
            self.single_writer()
        self.arbiter()

    def active(self) -> bool:
        """Something is due in a tick without a row."""
        return (
            self.granted is not None
            or bool(self.waiting())
            or (self.dma is not None and self.dma.ends == self.tick)
            or any(
                c.command and self.tick in (c.command.ends, c.command.taken + 1) for c in self.cores
            )
        )

    def run(self, history: Path, ticks: int) -> None:
        """All of a run of so many ticks."""
        with history.open() as file:
            rows = list(csv.DictReader(file))
        by_tick = defaultdict(list)
        for row in rows:
            by_tick[int(row["tick"])].append(row)
        for self.tick in range(ticks):
            if self.tick in by_tick or self.active():
                self.live(by_tick.get(self.tick, []))

    def counters(self, observed: dict) -> None:
        """Check the counters that follow from the history, and the sums of the sheet."""
        fills = [row.plain for row in table.table() if row.of == "cause"]
        caused = [row.plain for row in table.table() if row.causes]
        self.must(observed["machine"]["snoop.requests"] == self.requests, "snoop.requests")
        orders = 0
        for k, core in enumerate(self.cores):
            all_ = observed["cores"][k]["all"]
            names = {n for n in core.counts if n in all_} | {
                f"{c}.{kind}_misses"
                for c in ("bcache", "dcache")
                for kind in ("coherence", "replacement")
            }
            for name in sorted(names):
                got, wanted = all_[name], core.counts[name]
                self.must(got == wanted, f"core {k}: {name} = {got} instead of {wanted}")
            owners = sum(v for n, v in all_.items() if n.startswith("owner."))
            self.must(owners == observed["ticks"], f"core {k}: {owners} ticks have an owner")
            for owner in caused:
                causes = sum(all_[f"cause.{owner}.{cause}"] for cause in fills)
                self.must(causes == all_[f"owner.{owner}"], f"core {k}: causes of {owner}")
            waited, owned = core.counts["bus.wait_ticks"], all_["owner.bus_wait"]
            self.must(owned <= waited, f"core {k}: bus_wait {owned}, but it waited {waited}")
            self.must(owned > 0 or waited < 200, f"core {k}: waited {waited}, and no bus_wait")
            kinds = ("fetches", "prefetches", "loads", "writes")
            self.must(
                all_["bcache.accesses"] == sum(all_[f"bcache.{n}"] for n in kinds),
                f"core {k}: accesses",
            )
            waits = bool(core.command and core.command.request in ("read", "read_exclusive"))
            granted = self.granted is not None and self.granted[0] == k
            mine = all_["bcache.misses"] + all_["bcache.upgrades"] - waits - granted
            orders += mine
        snoops = sum(observed["cores"][k]["all"]["bcache.snoops"] for k in range(self.n))
        self.must(snoops == (self.n - 1) * orders, f"{snoops} snoops of {orders} orders")
