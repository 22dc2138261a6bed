# SPDX-License-Identifier: BSD-2-Clause
"""Traps in C handlers, user mode, system calls, contexts: on the model and on two whole nodes."""

import json
from pathlib import Path

import pytest
from firmware_support import faults
from firmware_support.host_build import FIRMWARE, run

from mcpi.base.process import heard
from mcpi.build import graph, models
from mcpi.firmware import commands, images
from mcpi.machine import profile
from mcpi.spec.run_spec import RTL, RunSpec

PAL = FIRMWARE / "boot" / "pal"


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
    node = graph.build(RunSpec(engine=RTL))
    words = [node.simulator, "run", "--out", tmp_path, "--machine", description]
    words += ["--node-json", node.node_json, "--max-ticks", "3000000"]
    for n in (0, 1):
        words += ["--node", f"{n}:pal={built.pal}", "--node", f"{n}:image={built.image}"]
    done = heard(words, timeout=600)
    assert done.returncode == 0, done.stderr[-4000:]
    assert json.loads((tmp_path / "run.json").read_text())["exit_codes"] == [0, 0]


@faults.each(faults.read(Path(__file__).with_name("pal_faults.toml"), PAL))
def test_mutants_are_caught(built, on_model, tmp_path, fault):
    place = tmp_path / "boot" / "pal"
    place.mkdir(parents=True)
    (place / fault.file.name).write_text(fault.text())
    expanded, assembled, linked = (tmp_path / f"pal.{x}" for x in ("s", "o", "elf"))
    includes = [f"-I{tmp_path}", f"-I{built.folder}", f"-I{FIRMWARE}"]
    expand = [f"{commands.PREFIX}gcc", "-E", "-x", "assembler-with-cpp"]
    run([*expand, *includes, PAL / "pal.S", "-o", expanded])
    run([f"{commands.PREFIX}as", "-m21064", expanded, "-o", assembled])
    start = profile.load("dec3000-600").memory_map["ram"]["pal"]["base"]
    where = ["-T", PAL / "pal.ld", f"--defsym=PAL_ADDRESS={start:#x}"]
    run([f"{commands.PREFIX}ld", "-static", *where, assembled, "-o", linked])
    assert on_model(linked, built.image).returncode == 1
