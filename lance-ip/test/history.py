# SPDX-License-Identifier: BSD-2-Clause
"""One random history: a driver, the wire and faults, the RTL and the model side by side.

The two are compared after every step, when the chip lies still: all of memory, CSR0 or whichever
register RAP selects, the interrupt line, and every nibble of every attempt on the wire.
"""

import random
import sys
from pathlib import Path

from lance_library import NIBBLE, RX_ER, Chip

sys.path.append(str(Path(__file__).parents[2] / "sim" / "models" / "lance"))

import model  # noqa: E402
from memory import Window  # noqa: E402

WINDOW, SIZE = 0x20000, 0x40000
SLOT7_SPARSE = 0x1_F000_0000
RDP, RAP, POINTER, SSR, SIMR = 0xC0000, 0xC0004, 0x40020, 0x40100, 0x40120
STATION = bytes.fromhex("08002b010203")
FAST = dict.fromkeys(("word", "gap", "arbitration", "csr", "demand", "setup", "start"), 0)
FAST |= dict.fromkeys(("heartbeat", "status", "interrupt"), 0)
POLL = 20_000
STILL = 3_000  # ticks without DMA and bits, spacing and all waits of the chip included
HIDDEN = 15_000  # a frame in internal loopback, with all waits
BACKOFF = 10_000_000  # the longest
LONGEST = 60_000_000  # sixteen attempts
TX_BUFFERS, RX_BUFFERS = 0x8000, 0x1000
GROUPS = [bytes([1, 0, 0x5E, 0, 0, i]) for i in range(8)]


class Difference(Exception):
    """RTL and model do not agree."""


class History:
    def __init__(self, library, seed: int, c_lance: bool = False):
        self.random = r = random.Random(seed)
        self.memory = bytearray(SIZE)
        fast = r.random() < 0.7
        self.sqe = r.random() < 0.8
        times = FAST if fast else {}
        self.rtl = Chip(library, self.memory, STATION, poll=POLL, sqe_test=int(self.sqe), **times)
        self.window = Window(self.memory, WINDOW)
        self.expected = Window(bytearray(SIZE), WINDOW)
        self.outside = model.Outside(sqe_test=self.sqe, heartbeat_checked=not fast)
        self.model = model.Chip(self.expected, self.outside, c_lance)
        self.at_once = fast  # both directions together: the fitted bus is too slow for that
        self.log: list[str] = []
        self.steps = 0

    def close(self) -> None:
        self.rtl.close()

    # What both sides get

    def _io(self, offset: int, value: int) -> None:
        self.rtl.access(SLOT7_SPARSE + 2 * offset, True, value)

    def rap(self, value: int) -> None:
        self._io(RAP, value)
        self.model.write_rap(value)

    def rdp(self, value: int) -> None:
        self.log.append(f"csr{self.model.rap}={value:04x}")
        self._io(RDP, value)
        self.model.write_rdp(value)

    def set_word(self, a: int, value: int) -> None:
        self.window.set_word(a, value)
        self.expected.set_word(a, value)

    def set_bytes(self, a: int, data: bytes) -> None:
        self.window.set_bytes(a, data)
        self.expected.set_bytes(a, data)

    # The driver

    def start(self) -> None:
        """Out of RESET, interrupts and DMA on."""
        self._io(POINTER, WINDOW << 3)
        self._io(SSR, 1 << 16 | 1 << 8)
        self._io(SIMR, 1 << 8)

    def restart(self) -> None:
        """STOP, random registers, a random init block, rings, INIT and STRT."""
        r = self.random
        self.rap(0)
        self.rdp(0x0004)
        half = r.random() < 0.3
        self.outside.half_duplex = half
        self.rtl.half_duplex(half)
        mode = r.choice((0, 0, 0, 0x8000, 0x0008, 0x0020, 0x0001, 0x0002, 0x0004, 0x0044, 0x004C))
        if r.random() < 0.05:
            mode |= 0x0010
        ladrf = r.getrandbits(64)
        self.rx_log, self.tx_log = (r.choice((0, 1, 1, 2, 2, 3, 4)) for _ in range(2))
        base = 2 * r.randrange(0, 16)
        rdra = 0x100 + 8 * r.randrange(0, 32)
        tdra = 0x400 + 8 * r.randrange(0, 32)
        self.rx = model.Ring(rdra, 1 << self.rx_log)
        self.tx = model.Ring(tdra, 1 << self.tx_log)
        words = [mode, *(int.from_bytes(STATION[i : i + 2], "little") for i in (0, 2, 4))]
        words += [ladrf >> s & 0xFFFF for s in (0, 16, 32, 48)]
        words += [rdra | r.getrandbits(3), self.rx_log << 13 | r.getrandbits(5) << 8]
        words += [tdra | r.getrandbits(3), self.tx_log << 13 | r.getrandbits(5) << 8]
        for i, word in enumerate(words):
            self.set_word(base + 2 * i, word)
        self.rx_size = r.choice((64, 68, 80, 128, 200, 1536))
        for i in range(self.rx.size):
            self.give_rx(i, own=r.random() < 0.9)
        for i in range(self.tx.size):
            self.set_word(tdra + 8 * i + 2, 0)
        for number, value in ((1, base | r.getrandbits(1)), (2, r.getrandbits(8) << 8)):
            self.rap(number)
            self.rdp(value)
        self.rap(3)
        self.rdp(r.choice((0, 0, 0, 1, 2, 4, 7)))
        self.rap(0)
        self.log.append(f"mode={mode:04x} half={half} rx={self.rx.size} tx={self.tx.size}")
        if r.random() < 0.5:
            self.rdp(0x0003 | r.choice((0, 0x40)))
        else:
            self.rdp(0x0001)
            self.settle()
            self.rdp(0x0002 | r.choice((0, 0x40)))
        self.mode = mode
        self.settle()

    def give_rx(self, i: int, own: bool = True) -> None:
        d = self.rx.base + 8 * i
        at = RX_BUFFERS + 1536 * i
        self.set_word(d, at)
        self.set_word(d + 4, (0x10000 - self.rx_size) & 0x0FFF | self.random.getrandbits(4) << 12)
        self.set_word(d + 6, self.random.getrandbits(16))
        self.set_word(d + 2, model.OWN if own else 0)

    def refill(self) -> None:
        """Descriptors the chip has given back go to it again, most of them."""
        for i in range(self.rx.size):
            if not self.expected.word(self.rx.base + 8 * i + 2) & model.OWN:
                if self.random.random() < 0.8:
                    self.give_rx(i)

    def give_frame(self) -> list[int | None]:
        """A frame in one or more buffers into the transmit ring; returns its planned collisions."""
        r = self.random
        free = self.tx.size
        pieces = 1 if r.random() < 0.7 else r.randint(1, min(4, free))
        size = r.choice((1, 20, 59, 60, 61, 64, 100, 150, 256)) if pieces == 1 else 0
        if pieces == 1 and r.random() < 0.03:
            size = r.choice((1514, 1515, 1600))
        sizes = [size] if pieces == 1 else [r.randint(100, 160)]
        sizes += [r.randint(30, 120) for _ in range(pieces - 1)]
        ends = r.random() < 0.95
        if self.model.mode & model.LOOP and self.model.mode & model.INTL:
            sizes, ends = [r.randint(8, 32)], True
        position = self.model.tx.index
        first = None
        for n, size in enumerate(sizes):
            i = (position + n) % self.tx.size
            d = self.tx.base + 8 * i
            data = r.randbytes(size)
            if n == 0 and r.random() < 0.7:
                data = (STATION + data)[:size]
            at = TX_BUFFERS + 0x700 * (i % 16) + r.randrange(16)
            self.set_bytes(at & ~1, bytes(1) + data + bytes(2))
            self.set_bytes(at, data)
            self.set_word(d, at)
            self.set_word(d + 4, (0x10000 - size) & 0x0FFF | r.getrandbits(4) << 12)
            self.set_word(d + 6, r.getrandbits(16))
            flags = model.OWN | (model.STP if n == 0 else 0)
            flags |= model.ENP if n == len(sizes) - 1 and ends else 0
            flags |= r.choice((0, 0, 0, model.ADD_FCS, model.MORE, model.DEF))
            if n == 0:
                first = (d + 2, flags)
            else:
                self.set_word(d + 2, flags)
        if r.random() < 0.05:
            first = (first[0], first[1] & ~model.STP)
        self.set_word(*first)
        self.log.append(f"tx {sizes}{'' if ends else ' cut off'}")
        if not self.outside.half_duplex or not ends or self.model.mode & model.LOOP:
            return []
        longest = model.SLOT_NIBBLES - 1 if pieces > 1 else 2 * sizes[0] + 14
        count = r.choice((0, 0, 0, 1, 1, 2, 3, 16 if r.random() < 0.1 else 0))
        return [r.randrange(0, max(1, min(longest, 140))) for _ in range(count)]

    # The wire

    def frame(self) -> tuple[bytes, bool, bool]:
        """A frame for the chip, or not; (bytes with FCS, dribble, RX_ER)."""
        r = self.random
        other = bytes.fromhex("08002b010204")
        destination = r.choice((STATION, STATION, STATION, other, b"\xff" * 6, r.choice(GROUPS)))
        size = r.choice((46, 60, 60, 61, 63, 77, 124, 150, 252, 300))
        data = destination + r.randbytes(size - 6)
        check = model.fcs(data)
        if r.random() < 0.15:
            check = bytes(b ^ 1 << r.randrange(8) for b in check)
        return data + check, r.random() < 0.15, r.random() < 0.05

    def receive(self, after: int = 0) -> None:
        data, dribble, spoilt = self.frame()
        nibbles = model.nibbles(data) + ([self.random.randrange(16)] if dribble else [])
        if spoilt:
            nibbles[self.random.randrange(17, len(nibbles))] |= RX_ER
        self.log.append(f"rx {data[:6].hex()} {len(data)}{' dribble' * dribble}{' er' * spoilt}")
        self.rtl.receive(nibbles, after)
        self.model.receive(data, dribble, spoilt)

    # Steps

    def step(self) -> None:
        r = self.random
        self.steps += 1
        kind = r.choice(("tx", "tx", "rx", "rx", "both", "write", "refill", "poll"))
        if kind == "both" and (not self.at_once or self.outside.half_duplex):
            kind = "rx"
        if kind == "rx":
            self.receive()
        elif kind in ("tx", "poll", "both"):
            self.transmit(demand=kind != "poll", receives=kind == "both")
        elif kind == "refill":
            self.refill()
        else:
            value = r.getrandbits(16) & ~0x000F | r.choice((0, 0, 8, 2, 3, 1))
            if r.random() < 0.2:
                self.rap(r.getrandbits(16))
                self.rdp(r.getrandbits(16) & (0xFFFF if self.model.rap else 0xFFF0))
                self.compare()
                self.rap(0)
            self.rdp(value)
            self.model.transmit()  # TDMD, or STRT with frames in the ring
        self.settle()
        if r.random() < 0.15 or not self.model.csr[0] & (model.RXON | model.TXON):
            self.restart()

    def transmit(self, demand: bool, receives: bool) -> None:
        plan = self.give_frame()
        self.outside.collisions = list(plan)
        for nibble in plan:
            self.rtl.collide(nibble * NIBBLE + self.random.randrange(1, NIBBLE))
        if demand:
            self.rdp(0x0008 | self.random.choice((0, 0x40)))
        if receives:
            self.receive(after=self.random.randrange(20_000))
        self.model.transmit()
        if plan:  # what no attempt came to is of no use to the next frame
            self.settle()
            self.outside.collisions = []
            self.rtl.forget_collisions()

    # Comparison

    def settle(self) -> None:
        """Until the chip lies still and everything that was expected on the wire has been there."""
        wanted = self.model.sent
        self.model.sent = []
        seen: list[list[int]] = []
        patience = LONGEST
        polls = POLL + STILL  # a frame may wait for the poll
        still, stride = STILL, 1_000
        if self.model.mode & model.LOOP and self.model.mode & model.INTL:  # nobody sees a frame
            forced = self.model.mode & model.COLL
            still, stride = (BACKOFF, 100_000) if forced else (HIDDEN, 1_000)
        while patience > 0:
            seen += [nibbles for _, _, nibbles in self.rtl.sent()]
            if len(seen) >= len(wanted) and self.rtl.quiet > still and polls <= 0:
                break
            self.rtl.advance(stride)
            patience -= stride
            polls -= stride
        if seen != wanted:
            lengths = [len(x) for x in seen], [len(x) for x in wanted]
            raise Difference(f"the wire: nibbles of the attempts {lengths[0]}, not {lengths[1]}")
        self.compare()

    def compare(self) -> None:
        rtl = self.rtl.access(SLOT7_SPARSE + 2 * RDP, False) & 0xFFFF
        if rtl != self.model.read_rdp():
            raise Difference(f"csr{self.model.rap} is {rtl:04x}, not {self.model.read_rdp():04x}")
        if self.rtl.line != self.model.line:
            raise Difference(f"the interrupt line is {self.rtl.line}")
        if self.rtl.astray:
            raise Difference("DMA outside of memory")
        ours, theirs = self.memory, self.expected.memory
        for at in self.expected.unspecified:
            theirs[at] = ours[at]
        self.expected.unspecified.clear()
        if ours != theirs:
            at = next(i for i in range(SIZE) if ours[i] != theirs[i])
            chip = (at - WINDOW) // 2
            raise Difference(
                f"memory at {at:x} (chip address about {chip:x}): {ours[at]:02x}, "
                f"not {theirs[at]:02x}"
            )


def run(library, seed: int, steps: int = 12, c_lance: bool = False) -> int:
    """One history; its number of steps. Raises Difference with what led there."""
    history = History(library, seed, c_lance)
    try:
        history.start()
        history.restart()
        for _ in range(steps):
            history.step()
    except Difference as difference:
        raise Difference(
            f"seed {seed}: {difference}\n  " + "\n  ".join(history.log[-12:])
        ) from None
    finally:
        history.close()
    return history.steps
