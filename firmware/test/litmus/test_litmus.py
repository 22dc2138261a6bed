# SPDX-License-Identifier: BSD-2-Clause
"""Litmus tests: docs/data/litmus.csv has what the rules give; the host shows no other outcome."""

import csv
import re

import pytest
from firmware_support import litmus
from firmware_support.host_build import CC, FIRMWARE, OUT, TEST, WARNINGS, run, write
from firmware_support.litmus import Litmus, outcomes, shows

from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.build import graph, models
from mcpi.firmware import commands, images, parallel
from mcpi.firmware.recipes import recipe
from mcpi.machine import profile
from mcpi.spec.run_spec import RTL

TESTS = litmus.read()
TABLE = ROOT / "docs" / "data" / "litmus.csv"
BOTH = [pytest.param(t, id=t.name) for t in TESTS]


def said() -> dict[str, tuple[str, str]]:
    """Words of the table for each test: without barriers, with them."""
    lines = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    return {row["test"]: (row["without"], row["barriers"]) for row in csv.DictReader(lines)}


def word(test: Litmus) -> str:
    return "may" if shows(test, outcomes(test)) else "never"


def test_the_table_has_each_test() -> None:
    assert [*said()] == [test.name for test in TESTS]


@pytest.mark.parametrize("test", BOTH)
def test_the_table_is_what_the_rules_give(test: Litmus) -> None:
    assert (word(test.without_barriers()), word(test)) == said()[test.name]


def test_the_model_can_show_more() -> None:
    """Without merging, stores stay in order: the merged tests show nothing then."""
    for test in TESTS:
        plain = test.without_barriers()
        assert shows(plain, outcomes(plain, merges=False)) == (test.name == "SB")


def program(test: Litmus, name: str) -> str:
    folder = OUT / "litmus" / name.replace(" ", "-")
    write(folder / "test.c", litmus.source(test))
    flags = ["-std=c11", "-O2", "-D_GNU_SOURCE", *WARNINGS, f"-I{FIRMWARE}"]
    sources = [folder / "test.c", TEST / "litmus" / "threads.c"]
    run([CC, *flags, *sources, "-o", folder / "litmus", "-lpthread"])
    return str(folder / "litmus")


@pytest.mark.parametrize("barriers", [True, False], ids=["barriers", "plain"])
@pytest.mark.parametrize("test", BOTH)
def test_the_host_shows_no_other_outcome(test: Litmus, barriers: bool) -> None:
    """Its order is stronger than the machine's or the same, so nothing else may come out."""
    wanted = test if barriers else test.without_barriers()
    lines = run([program(wanted, f"{test.name}-{barriers}"), 20000]).stdout.splitlines()
    seen = {tuple(sorted((n, int(v)) for n, v in re.findall(r"(\w+)=(\d+)", e))) for e in lines}
    assert len(lines) == 20000 and seen <= outcomes(wanted)


@pytest.mark.parametrize("test", BOTH)
def test_on_alpha_the_accesses_are_as_written(test: Litmus) -> None:
    """The code has an LDQ or STQ of a variable for each access, MB between them, in order."""
    folder = OUT / "litmus" / "alpha"
    file = folder / f"{test.name.replace(' ', '-')}.c"
    write(file, litmus.source(test))
    rules = recipe("std")["compile"]
    flags = [*rules["common"], *rules["optimise"], *commands.WARNINGS, f"-I{FIRMWARE}"]
    made = file.with_suffix(".o")
    run([f"{commands.PREFIX}gcc", *flags, "-c", file, "-o", made])
    dump = run([f"{commands.PREFIX}objdump", "-d", "--no-show-raw-insn", made]).stdout
    for n, accesses in enumerate(test.programs):
        code = re.search(rf"<processor_{n}>:\n(.*?)(?:\n\n|\Z)", dump, re.S)[1]
        found = re.findall(r"\t(mb|ldq|stq)(?:\t\w+,-?\d+\((a0|a1)\))?", code)
        order = [name for name, base in found if name == "mb" or base == "a0"]
        names = {"store": "stq", "load": "ldq", "mb": "mb"}
        assert order == [names[a.kind] for a in accesses]


def on_machine(test: Litmus, folder, seed: int, rtl: bool = False) -> set:
    """The outcomes on a machine: by the exact engine, with a core more than the test has
    processors; or by the RTL."""
    settings = {"core.count": str(len(test.programs) + (not rtl))}
    machine = profile.load("dec3000-mp", settings)
    source = folder / "litmus_test.c"
    write(source, litmus.source(test))
    wanted = parallel.Wanted("", sources=(source, TEST / "litmus" / "machine.c"))
    made = images.build(parallel.plan(machine, wanted))
    write(folder / "machine.json", machine.to_json())
    words = [models.build("mcpi-exact")]
    if rtl:
        program, described = graph.simulator(RTL, machine, Bar())
        words = [program, "--node-json", described]
    words += ["--machine", folder / "machine.json", "--pal", made.pal, "--image", made.image]
    lines = run([*words, "--boot", f"seed={seed}"]).stdout.splitlines()
    assert len(lines) == 200
    return {tuple(sorted((n, int(v)) for n, v in re.findall(r"(\w+)=(\d)", e))) for e in lines}


def never_another(test: Litmus, folder, rtl: bool) -> None:
    """With and without barriers; SB without them shows the relaxed one."""
    for wanted in (test, test.without_barriers()):
        assert on_machine(wanted, folder, 1, rtl) <= outcomes(wanted)
    if test.name == "SB":
        assert shows(test, on_machine(test.without_barriers(), folder, 2, rtl))


@pytest.mark.parametrize("test", BOTH)
def test_the_engine_shows_no_other_outcome(test: Litmus, tmp_path) -> None:
    never_another(test, tmp_path, rtl=False)


@pytest.mark.long
@pytest.mark.parametrize("test", TESTS, ids=lambda t: t.name)
def test_the_rtl_shows_no_other_outcome(test: Litmus, tmp_path) -> None:
    never_another(test, tmp_path, rtl=True)
