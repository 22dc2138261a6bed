# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the locks of builds: a program waits for nobody's Verilator, and no ninja log has two
writers."""

import contextlib
import os
from pathlib import Path

import pytest
from tools_support.command import mcpi

from mcpi.base.file_lock import hold
from mcpi.base.progress import Silent
from mcpi.base.repo import BUILD, ROOT
from mcpi.build import graph, models
from mcpi.firmware import images, program
from mcpi.machine.profile import load
from mcpi.spec.run_spec import EXACT, RunSpec


def test_exec_does_not_wait_while_a_simulator_is_built(tmp_path):
    """Nor for the firmware of somebody's stacks, nor for tests that build other models. It may
    wait for another program, as when tests run side by side: only this process is asked about."""
    source = tmp_path / "new.c"
    source.write_text(f'int main(void) {{ return "{tmp_path}"[0] != 47; }}\n')
    models.build("mcpi-exact")
    with contextlib.ExitStack() as stack:
        for lock in ("build.lock", "firmware/build.lock", "models/build.lock"):
            stack.enter_context(hold(BUILD / lock, "builds"))
        done = mcpi("exec", str(source), "--out", str(tmp_path / "run"), limit=60)
    assert done.returncode == 0, done.stderr
    assert f"(pid {os.getpid()})" not in done.stderr and "main" in done.stdout


def test_a_run_on_the_exact_engine_does_not_wait_either(tmp_path):
    models.build("mcpi-exact")
    with hold(BUILD / "build.lock", "builds"):
        built = graph.build(RunSpec(engine=EXACT), bar=Silent())
    assert built.image.is_file() and built.node_json is None


def test_programs_and_stacks_write_no_file_of_each_other():
    machine = load("dec3000-600")
    source = ROOT / "examples" / "conflict.c"
    own = [program.plan(machine, program.Wanted((source,), wire=True)), program.absent(machine)]
    stacks = [images.plan(machine, variant, "tcp") for variant in ("std", "all")]
    sides = [_written(own), _written(stacks)]
    assert not sides[0] & sides[1]
    for plans, room in ((own, program.ROOM), (stacks, images.ROOM)):
        assert {plan.room for plan in plans} == {room}
        assert all(path.is_relative_to(BUILD / room) for path in _written(plans))


def _written(plans: list[images.Plan]) -> set[Path]:
    steps = (step for plan in plans for step in plan.steps)
    return {path for step in steps for path in step.outputs} | {f for p in plans for f in p.files}


@pytest.mark.parametrize("room", [program.ROOM, images.ROOM])
def test_who_builds_in_a_room_holds_its_lock(room, tmp_path, monkeypatch):
    """A plan that is not fresh waits for another one that builds there."""
    monkeypatch.setattr(images, "BUILD", tmp_path)
    held = []
    monkeypatch.setattr(images, "hold", lambda path, _: held.append(path) or _nothing())
    (tmp_path / room).mkdir()
    images.build(images.Plan(tmp_path / "x", {}, (), tmp_path / "pal.elf", room=room))
    assert held == [tmp_path / room / "build.lock"]
    assert (tmp_path / room / "x.ninja").read_text().startswith(f"builddir = {tmp_path / room}")


@contextlib.contextmanager
def _nothing():
    yield
