# SPDX-License-Identifier: BSD-2-Clause
"""Machines of several cores, and programs that use devices."""

import random

from sim_support import coherent_programs

# A model for each of these, all in the first tests that want it.
MACHINES = {
    "two": ("dec3000-mp", {"core.count": "2"}),
    "one": ("dec3000-mp", {"core.count": "1"}),
    "three": ("dec3000-mp", {"core.count": "3", "bcache.block": "64B", "bus.outstanding": "2"}),
    "ways": ("dec3000-mp", {"core.count": "2", "icache.size": "1KB", "icache.ways": "4"}),
    "challenge": ("challenge-100", {"core.count": "4", "bcache.size": "64KB"}),
    "eight": ("challenge-100", {"core.count": "8"}),
}


def run_settings(seed: int) -> dict[str, str]:
    """Settings of a random machine that act at run time: they build nothing."""
    drawn = coherent_programs.settings(seed)
    shapes = ("core.", "cache.", "bcache.block", "bcache.size", "entries", "outstanding")
    return {k: v for k, v in drawn.items() if not any(part in k for part in shapes)}


def io_program(seed: int, cores: int, steps: int = 60) -> str:
    """All cores read and write the system registers at once: who they are, whom they call."""
    draw = random.Random(seed)
    reads = ("0x18($13)", "0($13)", "0x2000($12)", "0x3000($12)", "0x18($12)")
    lines = [coherent_programs.HEAD]
    for core in range(cores):
        lines += [f"\tcmpeq $14, {core}, $1", f"\tbne $1, way{core}"]
    for core in range(cores):
        lines += ["\t.balign 32", f"way{core}:"]
        for _ in range(steps):
            kind = draw.choice(("read",) * 6 + ("call", "drop", "store", "wait"))
            if kind == "read":
                lines.append(f"\t{draw.choice(('ldq', 'ldl'))} $2, {draw.choice(reads)}")
                if draw.random() < 0.2:
                    lines.append(f"\tstq $2, {8 * draw.randrange(24)}($9)")
            elif kind in ("call", "drop"):
                lines.append(f"\tlda $3, {draw.randrange(1 << cores)}($31)")
                lines.append(f"\tstq $3, {8 if kind == 'call' else 16}($13)")
            elif kind == "store":
                lines.append(f"\tstq $3, {8 * draw.randrange(24)}($10)")
            else:
                lines += ["\tmb"] * draw.randrange(1, 3)
        lines.append("\tbr $31, end")
    return "\n".join([*lines, coherent_programs.END])


def interrupted_program(cores: int, times: int = 60) -> str:
    """All cores add to one counter by LDQ_L and STQ_C; the timer interrupts core 0 meanwhile, most
    often while it waits for a block that another core has."""
    enable = ["\tlda $16, 7($31)", "\t.long 0x35", "\tlda $3, 1($31)", "\tstq $3, 0x2010($12)"]
    lines = [coherent_programs.HEAD, "\tbne $14, go", *enable, f"go:\tlda $22, {times}($31)"]
    lines += ["again:\tldq_l $1, 0($9)", "\taddq $1, 1, $1", "\tstq_c $1, 0($9)", "\tbeq $1, late"]
    lines += ["\tsubq $22, 1, $22", "\tbne $22, again", "\tbr $31, end", "late:\tbr $31, again"]
    assert cores > 1
    return "\n".join([*lines, coherent_programs.END])


IO_CASES = [(name, seed) for name in ("two", "three", "challenge", "eight") for seed in range(3)]
