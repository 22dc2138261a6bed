# SPDX-License-Identifier: BSD-2-Clause
"""PALcode, start-up and platform at work, on the instruction-set model."""

import subprocess

import pytest

from mcpi.base.process import heard
from mcpi.build import models
from mcpi.firmware import commands, images
from mcpi.machine import profile

UNALIGNED, EXIT_BASE = 4, 128


@pytest.fixture(scope="module")
def model():
    """The simulator room's model, PALcode's and the image's engine here."""
    return models.build("mcpi-isa")


def run(model, folder, stack, *options, image=None):
    resolved = profile.load("dec3000-600")
    built = images.build(images.plan(resolved, "std", stack))
    description = folder / "machine.json"
    description.write_text(resolved.to_json())
    command = [str(model), "--machine", str(description), "--pal", str(built.pal), *options]
    return heard([*command, "--max-instructions", "3000000", str(image or built.image)], timeout=60)


def test_hello(model, tmp_path):
    done = run(model, tmp_path, "hello", "--boot", "role=1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "hello from the server\nother context\nother context\ntimer\n"


def test_palcheck(model, tmp_path):
    """Every call, every level, a dozen timer interrupts under a loop that watches all registers."""
    done = run(model, tmp_path, "palcheck")
    assert done.returncode == 0, done.stdout + done.stderr


def test_trap_is_reported(model, tmp_path):
    """An unaligned load: cause, address and registers on the console, 128 + cause as exit code."""
    source = tmp_path / "trap.S"
    source.write_text(
        ".set noat\n.globl _start\n_start: lda $9, 0x1235\nldq $1, 0($9)\ncall_pal 0\n"
    )
    image = tmp_path / "trap.elf"
    command = [f"{commands.PREFIX}gcc", "-nostdlib", "-static", "-Wl,-n,--build-id=none"]
    command += ["-Wl,-Ttext=0xfffffc0000100000", str(source), "-o", str(image)]
    subprocess.run(command, check=True)
    done = run(model, tmp_path, "hello", image=image)
    assert f"exit {EXIT_BASE + UNALIGNED} " in done.stderr
    assert "stopped by unaligned" in done.stdout
    assert "pc fffffc0000100004  va 0000000000001235" in done.stdout
    assert " s0 0000000000001235 " in done.stdout
