# SPDX-License-Identifier: BSD-2-Clause
"""Configurations of TR 93-04, each with the boots of all its seeds."""

import math
from functools import cached_property
from pathlib import Path

from verify.second_hand.recount.boots import PROBES, WARMUP, Boot

TITLES = {"mach": "Mach", "bsd": "BSD", "hpux": "HPUX", "xkernel": "x-kernel"}
FIFTH = {"library": "Library"}
WORDS = 365  # of a large mbuf
WHOLLY, CLEAN, DIRTY, KEPT = 10, 46 * 18, 46 * 23, 2000  # ticks of overhead
SEEDED = ("timer's phase", "pools' place")  # what a boot's seed draws


class Configuration:
    """The boots of a configuration; ``key`` is the folders' name without the seed."""

    def __init__(self, key: str, boots: list[Boot]) -> None:
        self.key, self.runs = key, boots
        self.structure, self.gap, *self.words = key.split("-")

    @property
    def title(self) -> str:
        words = list(self.words)
        mbps = next((w.removesuffix("mbps") for w in words if w.endswith("mbps")), "")
        if self.gap == "saturated":
            said = ["saturated at 100 Mb/s"]
        else:
            said = [f"gap {self.gap} ms" + (f" at {mbps} Mb/s" if mbps else "")]
        plain = {
            "forced": "TLB forced",
            "prefilled": "TLB filled by PALcode",
            "checksum": "checksum",
            "late": "checked by the reader",
            "queue": "large queue",
            "integrated": "checked by the reader in its copy",
            "unprobed": "not probed",
            "long": "many messages",
            "reads": "words read",
            "fbufs": "fbufs",
            "fifo": "FIFO pools",
            "scattered": "scattered pools",
            "shuffled": "shuffled pools",
            "superpage": "superpage",
            "mapped": "kernel mapped",
            "phase": f"{SEEDED[0]} fixed",
            "place": f"{SEEDED[1]} fixed",
        }
        for word in words:
            if word in plain:
                said.append(plain[word])
            elif word.startswith("mixed"):
                said.append(f"checksum of {word[5:]} % of the messages")
            elif word.startswith("train"):
                said.append(f"trains of {word[5:]}")
            elif word.startswith("queue"):
                said.append(f"queue of {word[5:]} messages")
            elif word.startswith("load"):
                said.append(f"load {word[4:]} bytes a word")
            elif word.startswith("tlb"):
                said.append(f"{word[3:]} TLB entries")
            elif word.startswith("pages"):
                said.append("footprint of {} pages × {} lines".format(*word[5:].split("x")))
            elif word.startswith("page"):
                said.append(f"pages of {word[4:].upper()}")
        return ", ".join([(TITLES | FIFTH)[self.structure], *said])

    @cached_property
    def overheads(self) -> list[list[int]]:
        """Overheads of each boot that are not left out."""
        return [[p.overhead for p in boot.probes if p.overhead <= KEPT] for boot in self.runs]

    @cached_property
    def all(self) -> list[int]:
        return [n for one in self.overheads for n in one]

    def share(self, low: float, high: float) -> float | None:
        """Per cent of the overheads from ``low`` to below ``high``."""
        inside = [n for n in self.all if low <= n < high]
        return 100 * len(inside) / len(self.all) if self.all else None

    @property
    def wholly(self) -> float | None:
        return self.share(-math.inf, WHOLLY)

    @property
    def cycles(self) -> float | None:
        return sum(self.all) / len(self.all) / WORDS if self.all else None

    @property
    def measured(self) -> int:
        return sum(boot.measured for boot in self.runs)

    def message(self, counter: str) -> float | None:
        """A message's addition to a counter, after the warm-up."""
        counted = (b.node["all"].get(counter, 0) for b in self.runs if b.measured)
        return sum(counted) / self.measured if self.measured else None

    def of_sums(self, summed: bool) -> list[int]:
        """Overheads of the messages with a sum, or without one, if none was lost."""
        assert self.received == self.offered, self.key
        return [
            p.overhead
            for boot in self.runs
            for n, p in enumerate(boot.every)
            if n >= PROBES * WARMUP and boot.summed[n // PROBES] == summed and p.overhead <= KEPT
        ]

    @property
    def causes(self) -> dict[str, float]:
        """Means over the probes, and the table's two counts."""
        every = [p for boot in self.runs for p in boot.probes]
        if not every:
            return {}
        names = ("overhead", "clean", "dirty", "refills", "refill_ticks", "dma")
        sums = {name: sum(getattr(p, name) for p in every) for name in names}
        sums["interrupt_ticks"] = sum(p.rest for p in every if p.interrupted)
        sums["code_ticks"] = sum(p.rest for p in every if p.code and not p.interrupted)
        found = {name: n / len(every) for name, n in sums.items()}
        found["interrupted"] = sum(p.interrupted for p in every)
        quiet = [p for p in every if not p.code and not p.interrupted]
        return found | {"unexplained": sum(p.rest != 0 for p in quiet)}

    @cached_property
    def places(self) -> list[list[int]]:
        """Overheads by the mbuf's place in its message."""
        every = [(n % PROBES, p) for boot in self.runs for n, p in enumerate(boot.probes)]
        kept = [(place, p.overhead) for place, p in every if p.overhead <= KEPT]
        return [[n for at, n in kept if at == place] for place in range(PROBES)]

    @property
    def offered(self) -> int:
        return sum(boot.offered for boot in self.runs)

    @property
    def received(self) -> int:
        return sum(boot.received for boot in self.runs)


class Study:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.searched, found = {}, {}  # boots of the search for a limit, by system and gap
        for place in sorted(root.glob("*-*"), key=lambda p: (len(p.name), p.name)):
            key, _, seed = place.name.rpartition("-")
            if seed.isdigit() and key.endswith("mbps") and key.count("-") == 2:
                system, gap, _ = key.split("-")
                self.searched.setdefault(system, {})[round(1000 * float(gap))] = Boot(place)
            elif seed.isdigit():
                found.setdefault(key, []).append(Boot(place))
        self.found = {key: Configuration(key, boots) for key, boots in found.items()}

    def get(self, key: str) -> Configuration | None:
        return self.found.get(key)

    def boot(self, n: int) -> "Study":
        """The study as the boot of one seed has it."""
        one = Study(self.root)
        own = {c.key: Configuration(c.key, c.runs[n : n + 1]) for c in self.found.values()}
        one.found = {key: c for key, c in own.items() if c.runs}
        return one


OBSERVATIONS = {
    "% mbufs totally within cache": lambda c: c.wholly,
    "% mbufs less than 100% clean miss": lambda c: c.share(-math.inf, CLEAN),
    "% mbufs less than 100% dirty miss": lambda c: c.share(-math.inf, DIRTY),
    "% mbufs greater than 100% dirty miss": lambda c: c.share(DIRTY + 1, math.inf),
    "average overhead cycles per word access": lambda c: c.cycles,
}
