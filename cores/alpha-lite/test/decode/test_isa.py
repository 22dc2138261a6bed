# SPDX-License-Identifier: BSD-2-Clause
"""All rows of the instruction table are there, and nothing else: on RTL and model."""

import os
import subprocess

import cocotb
import pytest
from core_support.isa_cases import Case, Done, Reserved, cases, check

from mcpi.build import models
from mcpi.cocotb.core import Bench
from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.isa import table

SEED = int(os.environ.get("MCPI_SEED", "1996"))


def test_isa():
    run_cocotb(__file__, "AlphaLite")


def test_every_entry_has_a_case():
    assert {case.name for case in cases()} == {row.name for row in table.rows()}


async def on_rtl(dut, program: list[tuple[int, bytes]], limit: int) -> list[Done]:
    b = Bench(dut)
    for address, content in program:
        b.memory[address : address + len(content)] = content
    await b.start()
    await b.run(limit)
    b.check_owners()
    return [
        Done(
            r.pc,
            r.register,
            r.value,
            None if r.store is None else (r.store, r.address, r.store_data if r.store else 0),
            r.trap,
        )
        for r in b.retired
    ]


@cocotb.test()
async def every_entry(dut):
    for case in cases():
        check(case, await on_rtl(dut, case.program(), 4000))


@cocotb.test()
async def everything_else(dut):
    reserved = Reserved(SEED)
    dut._log.info(f"{len(reserved.words)} words, seed {SEED}")
    reserved.check(await on_rtl(dut, reserved.program(), 200000))


@pytest.fixture(scope="module")
def model():
    """on_model(programs) -> a list of retirements each; one process for all."""
    bare = models.build("bare")

    def run(programs: list[list[tuple[int, bytes]]]) -> list[list[Done]]:
        text = ""
        for program in programs:
            text += "".join(f"load {a:x} {content.hex()}\n" for a, content in program) + "run\n"
        told = subprocess.run([bare], input=text, capture_output=True, text=True, check=True).stdout
        runs: list[list[Done]] = []
        for block in told.split("end\n")[:-1]:
            runs.append([_done(line.split()) for line in block.splitlines()])
        assert len(runs) == len(programs)
        return runs

    return run


def _done(words: list[str]) -> Done:
    kind, pc, *rest = words
    if kind == "trap":
        return Done(int(pc, 16), trap=int(rest[0], 16))
    done = Done(int(pc, 16))
    for item in rest:
        what, _, number = item.partition("=")
        if what == "load":
            done.memory = (False, int(number, 16), 0)
        elif what == "store":
            address, _, data = number.partition(":")
            done.memory = (True, int(address, 16), int(data, 16))
        else:
            done.register, done.value = int(what), int(number, 16)
    return done


def test_every_entry_on_the_model(model):
    every: list[Case] = cases()
    for case, done in zip(every, model([case.program() for case in every]), strict=True):
        check(case, done)


def test_everything_else_on_the_model(model):
    reserved = Reserved(SEED)
    reserved.check(model([reserved.program()])[0])
