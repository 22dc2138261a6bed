# SPDX-License-Identifier: BSD-2-Clause
"""The part's two sides of AXI4: a processor, and memory that checks the rules of the bus."""

from cocotb.triggers import First, RisingEdge

from lance_support.part_bench import Memory

SLVERR = 2


class AxiMemory(Memory):
    """A slave that is ready, and answers, when it likes: up to ``slowest`` clocks late. What the
    part offers stands until it is taken; bursts stay inside 16 bytes."""

    def start(self) -> None:
        self.bursts: list[int] = []  # longwords of each
        for name in ("awready", "wready", "arready", "bvalid", "rvalid", "rlast"):
            self.pin(name).value = 0
        for name in ("bid", "bresp", "rid", "rresp", "rdata"):
            self.pin(name).value = 0

    def pin(self, name: str):
        return self.dut[f"m_axi_{name}"]

    def late(self) -> bool:
        return self.rng.randint(0, self.slowest) > 1

    async def run(self) -> None:
        stood: dict[str, tuple] = {}
        offered = {
            "aw": ("awaddr", "awlen", "awsize", "awburst"),
            "ar": ("araddr", "arlen", "arsize", "arburst"),
            "w": ("wdata", "wstrb", "wlast"),
        }
        at, left, write, writes = 0, 0, False, []  # of the burst under way
        outputs = [self.pin(f"{channel}valid") for channel in ("aw", "ar", "w", "b", "r")]
        while True:
            if self.rests and not left and not any(pin.value for pin in outputs):
                await First(*map(RisingEdge, outputs[:2]))
            await RisingEdge(self.dut.clk)
            if self.dut.reset.value:
                continue
            taken = {}
            for channel, names in offered.items():
                values = tuple(int(self.pin(n).value) for n in names)
                if valid := bool(self.pin(f"{channel}valid").value):
                    assert stood.get(channel, values) == values, "changed before it was taken"
                assert valid or channel not in stood, f"{channel} was taken back"
                if valid and self.pin(f"{channel}ready").value:
                    taken[channel] = values
                stood.pop(channel, None)
                if valid and channel not in taken:
                    stood[channel] = values
            for channel in ("aw", "ar"):
                if channel in taken:
                    address, length, size, burst = taken[channel]
                    assert not left and (size, burst) == (2, 1)
                    at, left, write = self.inside(address), length + 1, channel == "aw"
                    assert at % 16 + 4 * left <= 16, "beyond 16 bytes"
                    self.bursts.append(left)
            if "w" in taken:
                writes.append(taken["w"])
            answered = (self.pin("bvalid").value and self.pin("bready").value) or (
                self.pin("rvalid").value and self.pin("rready").value
            )
            if answered:
                at, left = (at, 0) if write else (at + 4, left - 1)
                writes = []
            self._offer(at, left, write, writes, bool(answered))

    def _offer(self, at: int, left: int, write: bool, writes: list, answered: bool) -> None:
        idle = not left and not answered
        self.pin("awready").value = self.pin("arready").value = idle and not self.late()
        self.pin("wready").value = not self.late() and len(writes) < (left if write else 1)
        for channel in ("b", "r"):
            waits = bool(self.pin(f"{channel}valid").value) and not answered
            if waits:
                continue
            mine = left and (channel == "b") == write
            places = range(at, at + 4 * left, 4) if write else [at]
            due = mine and not self.late() and not any(map(self.silent, places))
            due = due and (not write or len(writes) == left)
            self.pin(f"{channel}valid").value = int(bool(due))
            if due:
                wrong = any(map(self.fails, places))
                self.pin(f"{channel}resp").value = SLVERR if wrong else 0
                if write:
                    self._store(at, writes, wrong)
                else:
                    self.pin("rdata").value = self.longword(at)
                    self.pin("rlast").value = left == 1

    def _store(self, at: int, writes: list, wrong: bool) -> None:
        assert [last for *_, last in writes] == [0] * (len(writes) - 1) + [1]
        for i, (data, strobes, _) in enumerate(writes):
            if not wrong:
                self.store(at + 4 * i, strobes, data)


class AxiProcessor:
    """Accesses of the registers; address and data of a write come in any order."""

    def __init__(self, dut):
        self.dut = dut
        for name in ("awvalid", "awaddr", "wvalid", "wdata", "wstrb", "bready"):
            dut[f"s_axi_{name}"].value = 0
        for name in ("arvalid", "araddr", "rready"):
            dut[f"s_axi_{name}"].value = 0

    def pin(self, name: str):
        return self.dut[f"s_axi_{name}"]

    async def access(self, register: int, data: int | None, mask: int) -> int:
        reads = data is None
        channels = ["ar"] if reads else ["aw", "w"]
        answer = "r" if reads else "b"
        self.pin("araddr" if reads else "awaddr").value = 4 * register
        if not reads:
            self.pin("wdata").value, self.pin("wstrb").value = data, mask
        waits = {c: n for n, c in enumerate(channels)}
        if register % 2:
            waits = {c: len(channels) - 1 - n for c, n in waits.items()}
        self.pin(f"{answer}ready").value = register % 3 == 0
        for clock in range(20):
            await RisingEdge(self.dut.clk)
            for c in list(channels):
                if self.pin(f"{c}valid").value and self.pin(f"{c}ready").value:
                    self.pin(f"{c}valid").value = 0
                    channels.remove(c)
                elif clock >= waits[c]:
                    self.pin(f"{c}valid").value = 1
            if self.pin(f"{answer}valid").value:
                assert not channels, "an answer before the question was taken"
                if self.pin(f"{answer}ready").value:
                    break
                self.pin(f"{answer}ready").value = 1
        else:
            raise AssertionError("no answer to the processor")
        assert self.pin(f"{answer}resp").value == 0
        self.pin(f"{answer}ready").value = 0
        read = int(self.pin("rdata").value)
        await RisingEdge(self.dut.clk)
        assert not self.pin(f"{answer}valid").value, "an answer too many"
        return read


AXI4 = AxiMemory, AxiProcessor
