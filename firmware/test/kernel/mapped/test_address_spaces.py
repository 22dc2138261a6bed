# SPDX-License-Identifier: BSD-2-Clause
"""The kernel on a machine that translates (udp-receive.md): a program that breaks each rule of user
mode, the structures in real address spaces, and mistakes planted in the kernel. On mcpi-exact."""

import json
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from firmware_support import faults, simulated
from firmware_support.changed_plan import changed
from firmware_support.faults import Fault
from firmware_support.host_build import OUT, run
from firmware_support.structure_images import MESSAGES, SWITCHES, message, said, sum_of
from firmware_support.structure_images import run as in_one_space

from mcpi.base.process import heard
from mcpi.build import models
from mcpi.firmware import commands, images, programs, structures
from mcpi.firmware.images import Plan
from mcpi.machine import profile
from mcpi.machine.profile import Machine
from verify.long_tests import sampled

FAULTS = faults.read(Path(__file__).with_name("faults.toml"))
SHOWN = FAULTS[::4]  # in the usual tests
FOUR_KB = {"tlb.page": "4KB", "dcache.size": "4KB"}
SMALL = {"tlb.data_entries": "4", "tlb.instruction_entries": "4"}
MACHINES = {
    "usual": {},
    "hp720": {},
    "portable": {"tlb.refill": "portable", "tlb.refill_floor": "170"},
    "small pages, small TLBs": FOUR_KB | SMALL | {"tlb.refill": "portable"},
    "no spaces": {"tlb.asn": "off", "tlb.refill_floor": "88"},
}
USUAL = ("usual", "hp720")


def machine(name: str) -> Machine:
    base = name if name in profile.names() else "dec3000-tlb"
    return profile.load(base, MACHINES[name])


def symbols(elf: Path) -> dict[str, tuple[int, int]]:
    """Address and size of each."""
    listed = run([f"{commands.PREFIX}nm", "-S", elf]).stdout
    rows = re.findall(r"^(\w+) (\w+) \w (\w+)(?:\.\S+)?$", listed, re.M)
    return {name: (int(at, 16), int(size, 16)) for at, size, name in rows}


KERNEL, NOTHING, NO_ADDRESS = 0xFFFFFC0000100000, 0x1F00000, 0x10000000000
TRAPPED = -111
RETURNS = {"nothing_below_stack": 0, "stack_anywhere": 0, "take_turns": 6, "bad_arguments": 7}


NO_PAGE, NO_RIGHT, NOT_RUN = "no page there", "no right", "a page of data is not run"
# The outcome of a load and of a jump to another's memory.
NOBODYS, BUFFERS, OWN = (NO_PAGE, NO_PAGE), (NO_RIGHT, NOT_RUN), (NO_RIGHT, NO_RIGHT)


def wanted(other: int, causes: tuple[str, str]) -> dict[str, tuple[str, str]]:
    """Program counter and words of the console for each rule that is broken."""
    of_other, jump = causes
    here = "itself"
    return {
        "load_kernel": (here, f"load from {KERNEL:x}: no right"),
        "store_kernel": (here, f"store to {KERNEL:x}: no right"),
        "jump_kernel": (f"{KERNEL:x}", f"fetch from {KERNEL:x}: no right"),
        "load_other": (here, f"load from {other:x}: {of_other}"),
        "store_other": (here, f"store to {other:x}: {of_other}"),
        "jump_other": (f"{other:x}", f"fetch from {other:x}: {jump}"),
        "load_nothing": (here, f"load from {NOTHING:x}: no page there"),
        "store_nothing": (here, f"store to {NOTHING:x}: no page there"),
        "jump_nothing": (f"{NOTHING:x}", f"fetch from {NOTHING:x}: no page there"),
        "load_null": (here, "load from 0: no page there"),
        "load_no_address": (here, f"load from {NO_ADDRESS:x}: no right"),
        "load_misaligned": (here, "access to SHARED1: not aligned"),
        "store_code": (here, "store to CODE: no right"),
        "jump_data": ("SHARED", "fetch from SHARED: a page of data is not run"),
        "call_privileged": ("privileged_call", "no instruction of user mode"),
        "use_registers": ("privileged_instruction", "no instruction of user mode"),
        "divide": ("__divqu", "software trap, as of a division by zero"),
        "load_dead_stack": (here, "load from STACK: no page there"),
        "overflow_stack": ("deep", "store to STACK: no page there"),
    }


def check_rules(
    console: str, program: Path, other: int, causes: tuple[str, str], **returns: int
) -> None:
    """Each thread ended as it must, and all of them were started; ``returns``: other rules that are
    none, and their status."""
    found = symbols(program)
    blocks = re.findall(r"^(\w+)\n((?:rules: .*\n)?) (-?\d+)$", console, re.M)
    expected = wanted(other, causes)
    assert [name for name, _, _ in blocks] == [*expected, *RETURNS], console
    returns = RETURNS | returns
    for name, text, status in blocks:
        if name in returns:
            assert (text, int(status)) == ("", returns[name]), name
            continue
        assert int(status) == TRAPPED, name
        pc, says = re.fullmatch(r"rules: stopped at pc (\w+): (.*)\n", text).groups()
        place, cause = expected[name]
        pattern = cause.replace("SHARED", r"18\w{5}").replace("STACK", r"18\w{5}")
        pattern = pattern.replace(r"18\w{5}1", r"18\w{4}1").replace("CODE", r"1000\w{3}")
        assert re.fullmatch(pattern, says), (name, says)
        at = found.get(name if place == "itself" else place)
        assert at is None or at[0] <= int(pc, 16) < sum(at), (name, pc)
        if at is None:
            assert re.fullmatch(place.replace("SHARED", r"18\w{5}"), pc), (name, pc)


def rules(
    name: str,
    structure: str,
    plan: Plan | None = None,
    ticks: int = 100_000_000,
    slot: int = 3,
    causes: tuple[str, str] = BUFFERS,
    **returns: int,
) -> None:
    """The program on this machine; ``plan``: another image of it; ``slot``: where the kernel's
    buffers are, or nobody's memory is."""
    made = images.build(plan or images.plan(machine(name), "std", f"rules-{structure}"))
    if structure == "mach":  # the server's first word of data
        other = structures.programs("rules", structure)[1].slot * programs.SLOT_BYTES
        causes = NOBODYS
    else:
        other = (symbols(made.image)["mbufs"][0] & 0x3FFFFFFFF) + slot * programs.SLOT_BYTES
    folder = OUT / "address-spaces" / f"rules-{structure}-{name}-{slot}-{made.folder.name}"
    nodes = (made, simulated.silent(machine(name)))
    simulated.run(machine(name), nodes, folder, "--max-ticks", ticks, seed=other)
    console = (folder / "console.0.txt").read_text()
    check_rules(console, made.folder / "first_program.elf", other, causes, **returns)


@pytest.mark.parametrize("name", sampled(MACHINES, USUAL.__contains__))
def test_each_rule_is_enforced(name: str) -> None:
    """The right trap, a message with pc, address and cause; and the machine goes on."""
    rules(name, "bsd")


def test_rules_beside_a_server() -> None:
    """Another program's memory is nobody's here."""
    rules("usual", "mach")


@pytest.mark.parametrize(("slot", "causes"), [(0, OWN), (3, NOBODYS)])
@pytest.mark.parametrize("name", sampled(USUAL, "hp720".__eq__))
def test_rules_with_a_mapped_kernel(name: str, slot: int, causes: tuple[str, str]) -> None:
    """The kernel's own pages are in every space, and no program has a right to them."""
    plan = images.plan(machine(name), "std", "rules-bsd", ("KERNEL_MAPPED=2",))
    rules(name, "bsd", plan, slot=slot, causes=causes)


def test_rules_where_buffers_are_lent() -> None:
    """A program may read them, and nothing else."""
    plan = images.plan(machine("usual"), "std", "rules-bsd", ("FBUFS=1",))
    rules("usual", "bsd", plan, load_other=0)


@cache
def received(structure: str, name: str, *more: str) -> Path:
    folder = OUT / "address-spaces" / "-".join((structure, name, *more))
    sender = images.build(images.plan(machine(name), "std", "udpsend-bsd"))
    switches = (*SWITCHES.get(structure, ()), *more)
    receiver = images.build(images.plan(machine(name), "std", f"udprecv-{structure}", switches))
    boot = {"round_trips": MESSAGES, "role": 0}
    simulated.run(machine(name), (sender, receiver), folder, "--max-ticks", 100_000_000, **boot)
    return folder


@pytest.mark.parametrize("structure", structures.names())
@pytest.mark.parametrize("name", sampled(MACHINES, "hp720".__eq__))
def test_structures_in_address_spaces(structure: str, name: str) -> None:
    """The same messages and the same counts as in one space."""
    assert said(received(structure, name)) == said(in_one_space(structure))
    assert said(received(structure, name))["sum"] == sum_of([message(n) for n in range(MESSAGES)])


@pytest.mark.parametrize("structure", structures.names())
def test_structures_in_a_mapped_kernel(structure: str) -> None:
    """The same messages; more pages need entries."""
    mapped, usual = (received(structure, "hp720", *more) for more in (("KERNEL_MAPPED=2",), ()))
    assert said(mapped) == said(usual)
    assert misses(mapped) > misses(usual)


def misses(folder: Path) -> int:
    counters = json.loads((folder / "counters.json").read_text())["nodes"][1]["all"]
    return counters["dtb.misses"]


@pytest.mark.parametrize("name", sampled(MACHINES, "hp720".__eq__))
def test_pages_may_be_filled_ahead(name: str) -> None:
    """By PALcode, in the kernel and in a server: the same messages."""
    for structure in ("bsd", "mach"):
        filled = received(structure, name, "PROBE=1", "PROBE_FORCE=2")
        assert said(filled) == said(received(structure, name))


@pytest.mark.parametrize("structure", ["bsd", "hpux"])
def test_lent_messages_are_the_same(structure: str) -> None:
    """The reader sums them where the kernel has them."""
    lent, copied = (received(structure, "hp720", *more) for more in (("FBUFS=1",), ()))
    assert said(lent) == said(copied)


def test_mapped_code_on_ideal_memory_is_refused(tmp_path: Path) -> None:
    """The exact engine says so, with the address, where the first program begins."""
    made = images.build(images.plan(machine("usual"), "std", "rules-bsd"))
    ideal = profile.load("dec3000-tlb", {"memory.ideal": "on"})
    (tmp_path / "machine.json").write_text(ideal.to_json())
    words = [models.build("mcpi-exact"), "--machine", tmp_path / "machine.json"]
    words += ["--pal", made.pal, "--image", made.image, "--max-ticks", 60_000_000]
    done = heard(words, timeout=300)
    assert done.returncode == 1
    said = r"memory.ideal: the exact engine does not have it with mapped code \(address 1000\w{3}\)"
    assert re.search(said, done.stderr), done.stderr[-500:]


def test_counters_of_write_back_and_switches() -> None:
    """The counters bound each other; on hp720, where frames come by DMA into the cache's own lines,
    each counts something."""
    folder = received("mach", "hp720")
    counters = json.loads((folder / "counters.json").read_text())["nodes"][1]["all"]
    assert 0 < counters["dcache.dirty_misses"] < counters["dcache.misses"]
    assert 0 < counters["dcache.store_misses"] < counters["dcache.misses"]
    assert counters["bcache.loads"] == counters["dcache.misses"]
    assert 0 < counters["bus.core_waits_dma"] < counters["bus.dma_ticks"]
    assert counters["context_switches"] > 2 * MESSAGES  # server and application take turns
    refills = counters["itb.refill_ticks"] + counters["dtb.refill_ticks"]
    misses = counters["itb.misses"] + counters["dtb.misses"]
    assert refills >= misses * machine("hp720").parameters["tlb.refill_floor"] > 0


@faults.each(sampled(FAULTS, SHOWN.__contains__))
def test_planted_fault_is_noticed(fault: Fault) -> None:
    structure, define = fault.how.get("structure", "bsd"), fault.how.get("define")
    plan = images.plan(machine("usual"), "std", f"rules-{structure}", (define,) * bool(define))
    other = changed(plan, fault)
    with pytest.raises((AssertionError, subprocess.TimeoutExpired)):
        rules("usual", structure, other, ticks=40_000_000, **WITH.get(define, {}))


WITH = {"KERNEL_MAPPED=2": {"slot": 0, "causes": OWN}, "FBUFS=1": {"load_other": 0}}
