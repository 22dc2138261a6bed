# SPDX-License-Identifier: BSD-2-Clause
"""An SDR SDRAM, 2 M x 32 in four banks, as its data sheet has it; it objects to what a chip would
not forgive. Written from the JEDEC command truth table, not from the controller.
"""

# ras_n, cas_n, we_n
NOP, ACTIVE, READ, WRITE, PRECHARGE, REFRESH, MODE = 7, 3, 5, 4, 2, 1, 0
ROWS, COLUMNS = 1 << 11, 1 << 8
RANDOM = 0xDEADBEEF  # what nobody drives


class Violation(AssertionError):
    """The controller did what it must not."""


class Bank:
    def __init__(self):
        self.row = None
        self.opened = self.closed = self.written = -(10**9)


class SdramModel:
    """Call ``clock`` at each of its edges with the pins as they are; it returns what it drives.

    ``period``: ns of a clock. ``latency`` comes from the mode register. Times in ns are those of
    the slowest grade (rtl/memory/Sdram.scala).
    """

    T_RC, T_RAS, T_RP, T_RCD, T_WR, T_RFC = 72, 48, 21, 21, 15, 72
    POWER_UP = 100_000  # ns before the first command
    REFRESH_WITHIN = 64_000_000 // 4096 * 9  # ns; up to eight may be postponed

    def __init__(self, period: float):
        self.period, self.now = period, 0
        self.banks = [Bank() for _ in range(4)]
        self.words: dict[tuple[int, int, int], int] = {}
        self.reads: dict[int, int] = {}  # by clock, what is driven after its edge
        self.latency = None
        self.refreshes, self.refreshed = 0, -(10**9)

    def _ns(self, since: int) -> float:
        return (self.now - since) * self.period

    def _want(self, true: bool, what: str) -> None:
        if not true:
            raise Violation(f"clock {self.now}: {what}")

    def clock(self, command: int, bank: int, address: int, data: int, driven: bool) -> int:
        """``data`` is the bus as the controller drives it, if ``driven``."""
        self.now += 1
        found = self.reads.pop(self.now, None)
        self._want(not (driven and found is not None), "both drive the bus")
        if command != NOP:
            self._want(self.now * self.period >= self.POWER_UP, "a command before power-up is over")
            self._do(command, self.banks[bank], bank, address, data, driven)
        if self.latency is not None:
            self._want(self._ns(self.refreshed) < self.REFRESH_WITHIN, "a refresh is long overdue")
        return RANDOM if found is None else found

    def _do(self, command, bank, number, address, data, driven):
        if command == MODE:
            self._want(self.refreshes >= 2, "mode set before two refreshes")
            self._want(address & 7 == 0, "a burst of more than one word")
            self.latency = address >> 4 & 7
            return
        if command == PRECHARGE:
            for one in self.banks if address >> 10 & 1 else [bank]:
                if one.row is not None:
                    self._want(self._ns(one.opened) >= self.T_RAS, "tRAS")
                    self._want(self._ns(one.written) >= self.T_WR, "tWR")
                    one.row, one.closed = None, self.now
            return
        if command == REFRESH:
            self._want(all(b.row is None for b in self.banks), "refresh of an open bank")
            self._want(all(self._ns(b.closed) >= self.T_RP for b in self.banks), "tRP")
            self._want(self._ns(self.refreshed) >= self.T_RFC, "tRFC")
            self.refreshes, self.refreshed = self.refreshes + 1, self.now
            return
        self._want(self.latency is not None, "access before the mode is set")
        self._want(self._ns(self.refreshed) >= self.T_RFC, "tRFC")
        if command == ACTIVE:
            self._want(bank.row is None, "the bank is open")
            self._want(self._ns(bank.opened) >= self.T_RC, "tRC")
            self._want(self._ns(bank.closed) >= self.T_RP, "tRP")
            bank.row, bank.opened = address % ROWS, self.now
            return
        self._want(bank.row is not None, "no row is open")
        self._want(self._ns(bank.opened) >= self.T_RCD, "tRCD")
        self._want(not address >> 10 & 1, "auto-precharge")
        place = (number, bank.row, address % COLUMNS)
        if command == WRITE:
            self._want(driven, "a write nobody drives")
            self.words[place] = data
            bank.written = self.now
        else:
            # Driven from the edge before the one at which it may be sampled.
            self.reads[self.now + self.latency - 1] = self.words.get(place, RANDOM)
