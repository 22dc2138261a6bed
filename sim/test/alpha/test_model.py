# SPDX-License-Identifier: BSD-2-Clause
"""The instruction-set model against qemu-alpha, and PAL mode on a guest of our own."""

import os
from pathlib import Path

import pytest
from sim_support.simulators import ALPHA_GCC, PAL_BASE, SIM, guest, machine_json, run

from mcpi.build import models, native
from mcpi.firmware import images
from mcpi.machine.profile import load as load_machine
from verify.random import user as programs

SEED = int(os.environ.get("MCPI_SEED", "1"))
BLOCKS, STATES = 100, 20
AGAIN = f"again: MCPI_SEED={SEED} ./mcpi test -k test_model"


def outputs(tmp_path: Path, seed: int, model: Path) -> tuple[bytes, bytes]:
    """Outputs of qemu and of the model for the program of `seed`."""
    source, elf = tmp_path / "random.S", tmp_path / "random.elf"
    source.write_text(programs.program(seed, BLOCKS, STATES))
    run(ALPHA_GCC, *programs.LINK, "-o", elf, source)
    return run("qemu-alpha", "-cpu", "ev4", elf).stdout, run(model, elf).stdout


def first_difference(wanted: bytes, got: bytes) -> str:
    """Block, state and register of the first difference; empty when there is none."""
    if len(wanted) != len(got):
        return f"lengths differ: qemu {len(wanted)}, model {len(got)}"
    for i, (a, b) in enumerate(zip(wanted, got, strict=True)):
        if a != b:
            record, offset = divmod(i, programs.RECORD)
            block, state = divmod(record, STATES)
            place = f"r{(offset - programs.SCRATCH) // 8}"
            place = place if offset >= programs.SCRATCH else f"scratch byte {offset}"
            return f"block {block}, state {state}, {place}"
    return ""


@pytest.mark.parametrize("seed", [SEED, SEED + 1, SEED + 2])
def test_random_blocks_as_qemu(tmp_path, seed):
    wanted, got = outputs(tmp_path, seed, models.build("user-mode"))
    assert len(wanted) == BLOCKS * STATES * programs.RECORD
    assert not (difference := first_difference(wanted, got)), f"seed {seed}: {difference}; {AGAIN}"


MUTANTS = {
    "cmpule": ("result = a <= b", "result = a < b"),
    "inslh": ("byte), item << byte >> 8)", "byte), item << byte >> 7)"),
    "cmovgt": ("conditional(sa > 0", "conditional(sa >= 0"),
    "umulh": ("unsigned __int128>(a) * b >> 64", "__int128>(sa) * sb >> 64"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(tmp_path, name):
    source = (SIM / "alpha/operate.cpp").read_text()
    right, wrong = MUTANTS[name]
    assert source.count(right) == 1
    mutant = tmp_path / "operate.cpp"
    mutant.write_text(source.replace(right, wrong))
    right = SIM / "alpha/operate.cpp"
    sources = [mutant if path == right else path for path in models.sources("user-mode")]
    compiler = [*models.COMPILER, f"-I{right.parent}"]
    binary = tmp_path / "mutant"
    native.make(tmp_path, native.program(binary, sources, compiler))
    wanted, got = outputs(tmp_path, SEED, binary)
    assert first_difference(wanted, got)


def test_pal_mode_boots_a_guest(tmp_path):
    """Reset, boot block, CALL_PAL, unaligned and illegal traps, timer interrupts, exit."""
    machine = machine_json(tmp_path)
    pal, hello = guest("pal", tmp_path, PAL_BASE), guest("hello", tmp_path)
    done = run(models.build("mcpi-isa"), "--machine", machine, "--pal", pal, hello)
    assert done.stdout == b"mCPI\n"
    assert b"exit 0 after" in done.stderr


def test_cycle_counter(tmp_path):
    """HW_MTPR CC_CTL sets the count that CC and RPCC tell, and stops it with bit 32 zero."""
    write = ".long 0x74420051"  # hw_mtpr $2, cc_ctl
    read = ".long 0x64630050\n\tzapnot $3, 15, $3"  # hw_mfpr $3, cc
    text = (
        "\t.set noat\n\t.set noreorder\n\t.arch ev4\n\t.text\n\t.globl _start\n_start:\n"
        "\tlda $1, 1000($31)\n\tlda $2, 1($31)\n\tsll $2, 32, $2\n\tbis $1, $2, $2\n"
        f"\t{write}\n\t{read}\n\tcmpeq $3, $1, $5\n\t{read}\n\tsubq $3, 3, $3\n"
        f"\tcmpeq $3, $1, $6\n\tand $5, $6, $5\n\tbis $1, $1, $2\n\t{write}\n\tbis $1, $1, $1\n"
        f"\t{read}\n\tcmpeq $3, $1, $6\n\trpcc $3\n\tcmpeq $3, $1, $7\n\tand $5, $6, $5\n"
        "\tand $5, $7, $5\n\txor $5, 1, $5\n"
        "\tlda $4, 1($31)\n\tsll $4, 33, $4\n\tstq $5, 0x1010($4)\n\tbr $31, .\n"
    )
    pal = guest("count", tmp_path, PAL_BASE, text)
    done = run(models.build("mcpi-isa"), "--machine", machine_json(tmp_path), "--pal", pal, pal)
    assert b"exit 0 after" in done.stderr, done.stderr


@pytest.mark.parametrize("limit", [1000, 180_001, 342_000, 1_234_567])
def test_the_fast_loop_is_the_same(tmp_path, limit):
    """Registers after so many instructions of PALcode, C and timer interrupts: run as step."""
    resolved = load_machine("dec3000-600")
    built = images.build(images.plan(resolved, "std", "palcheck"))
    words = [models.build("mcpi-isa"), "--machine", machine_json(tmp_path), "--pal", built.pal]
    words += ["--max-instructions", str(limit), built.image]
    fast, slow = (run(*words, *more, check=False).stderr for more in ([], ["--step"]))
    assert fast == slow and f"after {limit} instructions".encode() in fast


OVERFLOWS = [  # mnemonic, a, b, result, trap
    ("addl/v", 0x7FFFFFFF, 1, 0xFFFFFFFF80000000, True),
    ("addl/v", 0x7FFFFFFE, 1, 0x7FFFFFFF, False),
    ("addl/v", 0x1_00000001, 2, 3, False),
    ("subl/v", 0x80000000, 1, 0x7FFFFFFF, True),
    ("addq/v", (1 << 63) - 1, 1, 1 << 63, True),
    ("subq/v", 1 << 63, 1, (1 << 63) - 1, True),
    ("subq/v", 0, 5, (1 << 64) - 5, False),
    ("mull/v", 0x10000, 0x8000, 0xFFFFFFFF80000000, True),
    ("mull/v", 0x10000, 0x7FFF, 0x7FFF0000, False),
    ("mulq/v", 1 << 32, 1 << 31, 1 << 63, True),
    ("mulq/v", 1 << 31, 1 << 31, 1 << 62, False),
]


def test_overflow_traps(tmp_path):
    """/V forms write their result and trap; qemu's user mode would deliver a signal instead."""
    for number, (mnemonic, a, b, result, trap) in enumerate(OVERFLOWS):
        quads = f".quad {a:#x}, {b:#x}, {result:#x}"
        text = (
            "\t.set noat\n\t.set noreorder\n\t.text\n\t.globl _start\n"
            f"_start: br $1, 1f\n\t{quads}\n1:\tlda $1, 4($1)\n\tbic $1, 7, $1\n"
            f"\tldq $2, 0($1)\n\tldq $3, 8($1)\n\tldq $4, 16($1)\n\t{mnemonic} $2, $3, $5\n"
            "\tcmpeq $4, $5, $6\n\tlda $0, 1($31)\n\tbne $6, 2f\n\tldq_u $0, 0($31)\n"
            "\t.long 0\n2:\tcall_pal 0x83\n"
        )
        elf = guest(f"v{number}", tmp_path, "0x200000", text)
        done = run(models.build("user-mode"), elf, check=False)
        trapped = b"trap 60" in done.stderr
        assert trapped == trap, f"{mnemonic} {a:#x}, {b:#x}: {done.stderr!r}"
        assert trapped or done.returncode == 0, f"{mnemonic} {a:#x}, {b:#x}: wrong result"
