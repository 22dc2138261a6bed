# SPDX-License-Identifier: BSD-2-Clause
"""Traps in C handlers, user mode, system calls, contexts: on the model and on two whole nodes."""

import json
import subprocess

import pytest

from mcpi.base.process import heard
from mcpi.base.repo import FIRMWARE
from mcpi.build import graph, models
from mcpi.firmware import commands, images
from mcpi.machine import profile
from mcpi.spec.run_spec import RunSpec


@pytest.fixture(scope="module")
def built():
    return images.build(images.plan(profile.load("dec3000-600"), "std", "trapcheck"))


@pytest.fixture(scope="module")
def description(tmp_path_factory):
    path = tmp_path_factory.mktemp("trapcheck") / "machine.json"
    path.write_text(profile.load("dec3000-600").to_json())
    return path


@pytest.fixture(scope="module")
def on_model(description):
    """on_model(pal, image, option...) -> the finished process."""
    isa = models.build("mcpi-isa")

    def run(pal, image, *options):
        words = [isa, "--machine", description, "--pal", pal, *options]
        words += ["--max-instructions", "2000000", image]
        return heard(words, timeout=60)

    return run


def test_on_the_model(built, on_model):
    """Exit code 0, or the number of the check that failed; one by one and in the fast loop."""
    fast = on_model(built.pal, built.image)
    slow = on_model(built.pal, built.image, "--step")
    assert fast.returncode == 0, fast.stdout + fast.stderr
    assert (fast.stdout, fast.stderr) == (slow.stdout, slow.stderr)


@pytest.mark.parametrize("program", ["trapcheck", "palcheck"])
def test_on_the_node(description, tmp_path, program):
    """Two nodes, every instruction in lock-step with the model; palcheck: calls and levels."""
    built = images.build(images.plan(profile.load("dec3000-600"), "std", program))
    node = graph.build(RunSpec())
    words = [node.simulator, "run", "--out", tmp_path, "--machine", description]
    words += ["--node-json", node.node_json, "--max-ticks", "3000000"]
    for n in (0, 1):
        words += ["--node", f"{n}:pal={built.pal}", "--node", f"{n}:image={built.image}"]
    done = heard(words, timeout=600)
    assert done.returncode == 0, done.stderr[-4000:]
    assert json.loads((tmp_path / "run.json").read_text())["exit_codes"] == [0, 0]


MUTANTS = {  # file, what it says, what it must not say
    "RTI does not look at the mode": (
        "calls.S",
        "	blt	a2, rti_checked\n",
        "	and	a1, 7, a1\n",
    ),
    "unaligned does not go on": (
        "deliver.S",
        "	br	zero, trap_behind\n",
        "	br	zero, trap_enter\n",
    ),
    "interrupt on the user's stack": ("deliver.S", "	bis	gp, gp, sp\n", "	nop\n"),
    "kernel stays in user mode": ("process.S", "	hw_mtpr	zero, IPR_PS\n", "	nop\n"),
    "user mode is kernel mode": ("process.S", "	hw_mtpr	t8, IPR_PS\n", "	nop\n"),
    "user stack is lost": (
        "deliver.S",
        "	beq	t3, 1f\n	hw_mtpr	sp, PT_USP\n",
        "	beq	t3, 1f\n	nop\n",
    ),
    "summary not shifted": ("deliver.S", "	srl	a0, 2, a0\n", "	nop\n"),
    "machine check level": (
        "deliver.S",
        "	lda	t1, PS_IPL(zero)\n",
        "	lda	t1, 6(zero)\n",
    ),
    "cycles not charged": ("process.S", "	pcb_stl	t9, PCB_PCC(v0)", "	nop	#"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(built, on_model, tmp_path, name):
    file, right, wrong = MUTANTS[name]
    source = FIRMWARE / "boot" / "pal" / file
    text = source.read_text()
    assert text.count(right) == 1
    place = tmp_path / "boot" / "pal"
    place.mkdir(parents=True)
    (place / file).write_text(text.replace(right, wrong))
    expanded, assembled, linked = (tmp_path / f"pal.{x}" for x in ("s", "o", "elf"))
    includes = [f"-I{tmp_path}", f"-I{built.folder}", f"-I{FIRMWARE}"]
    cross, room = commands.PREFIX, FIRMWARE / "boot" / "pal"
    start = profile.load("dec3000-600").memory_map["ram"]["pal"]["base"]
    for words in (
        [
            f"{cross}gcc",
            "-E",
            "-x",
            "assembler-with-cpp",
            *includes,
            room / "pal.S",
            "-o",
            expanded,
        ],
        [f"{cross}as", "-m21064", expanded, "-o", assembled],
        [f"{cross}ld", "-static", "-T", room / "pal.ld", f"--defsym=PAL_ADDRESS={start:#x}"]
        + [assembled, "-o", linked],
    ):
        subprocess.run(words, check=True, capture_output=True)
    assert on_model(linked, built.image).returncode == 1
