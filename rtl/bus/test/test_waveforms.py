# SPDX-License-Identifier: BSD-2-Clause
"""Tests that the drawings of turbochannel.md are current: they are recorded here, a bus cycle a
column."""

import json
import os
from pathlib import Path

import cocotb
from rtl_support.scratch_bench import INTERRUPT, INTO, OUT_OF, ScratchBench

from verify.docgen import waveform


def test_the_waveforms_in_the_docs_are_what_the_simulation_shows():
    waveform.simulate()
    again = "it is stale; again: python -m verify.docgen.waveform"
    for path, text in waveform.pages().items():
        assert path.read_text() == text, f"{path.name}: {again}"


def trimmed(lines: list[dict], quiet: int = 1) -> list[dict]:
    """From a cycle before anything moves to a cycle after."""
    moves = [i for i, x in enumerate(lines) if any(x[n] for n in waveform.BITS if n != "int")]
    assert moves, "nothing happened"
    return lines[max(0, moves[0] - quiet) : moves[-1] + 1 + quiet]


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def test_record(dut):
    bench = ScratchBench(dut)
    await bench.start()
    scenes: dict[str, dict] = {}

    async def scene(name: str, title: str, body) -> None:
        await bench.ticks(50)
        bench.lines, bench.recording = [], True
        await body
        await bench.ticks(50)
        bench.recording = False
        scenes[name] = {"title": title, "lines": trimmed(bench.lines)}

    await scene("write", "Programmed write of 12345678 to offset 4", bench.write(0, 4, 0x12345678))
    await scene("read", "Programmed read of offset 4", bench.read(0, 4))
    for i in range(4):
        await bench.write(0, 4 * i, 0x1111_1111 * (i + 1))
    await bench.write(0, 0x10, 0x100)

    async def into() -> None:
        await bench.write(0, 0x14, INTO | 3)
        await bench.ticks(100)

    await scene("dma-write", "A write to CONTROL starts a DMA burst of four into 100", into())
    assert bench.memory[0x100:0x104] == b"\x11" * 4
    await bench.write(0, INTERRUPT, 0)

    bench.dma_error = True

    async def failing() -> None:
        await bench.write(0, 0x14, OUT_OF | 1)
        await bench.ticks(100)

    await scene("error", "DMA from where no memory is", failing())
    if "MCPI_WAVEFORMS" in os.environ:
        Path(os.environ["MCPI_WAVEFORMS"]).write_text(json.dumps(scenes))
