# SPDX-License-Identifier: BSD-2-Clause
"""A whole random program: runner, PALcode, blocks, states; one ELF.

For the core bench, or (``node``) for both machines of ``mcpi-sim``. There it ends by itself and has
the timer's interrupts. Its markers are in random places: all windows open, close and pause
anywhere, some at one instruction, and the counters are cleared, armed and frozen at any time.
One for the bench may also be ``far``: its blocks lie in all of RAM (``far_programs.py``).
"""

import random
from collections import Counter
from pathlib import Path

from mcpi.base import staging
from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from verify.random import far_programs as places
from verify.random.system import LAST, RAM, NodeBlock, SystemBlock, last_words

GUEST = ROOT / "sim" / "bench" / "core" / "guest"
BLOCKS, WORDS = 160, 110  # about 80 KB of code: more than any I-cache
RING, STATES = 512, 64
_ENDS = ["next_load"] * 8 + ["next_keep"] * 5 + ["next_dump"] * 2 + ["next_ask"]

CORNERS = [
    0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
    1 << 63, (1 << 63) - 1, (1 << 64) - 1, 0xFFFFFFFF80000000, 0x0101010101010101,
]  # fmt: skip

ROUNDS = 12  # of a node: so often `next_ask` is reached; some 50,000 instructions
# Markers of a node (docs/reference/contracts.md 6): action, window or event.
MARKS = [(1, 1)] * 4 + [(2, 1)] * 4 + [(3, 1)] * 2 + [(4, 1)] * 3 + [(5, 1)] * 2
FURTHER = [(1, 2), (2, 2), (5, 2), (1, 3), (3, 3), (4, 3), (2, 3), (1, 4), (2, 4)]
CLEARED, FROZEN = (6, 5), (6, 6)

LAYOUT = {"pal": 0x10000, "pal2": 0x14000, "text": 0x100000, "data": 0x200000, "vars": 0x220000}
LAYOUT["last"] = RAM - 4 * LAST
COMPILE = ["alpha-linux-gnu-gcc", "-Wa,-m21064", "-nostdlib", "-static", "-x", "assembler-with-cpp"]
LINK = "-Wl,-N,--no-relax,--build-id=none,--no-warn-rwx-segments"


def value(rng: random.Random) -> int:
    """Draw a value of a register or quadword: a corner, something short, or anything."""
    r = rng.random()
    if r < 0.3:
        return rng.choice(CORNERS)
    return rng.getrandbits(64 if r < 0.8 else 16)


def _maker(node: bool, far: bool) -> type[SystemBlock]:
    return places.FarBlock if far else NodeBlock if node else SystemBlock


def bins(node: bool = False, far: bool = False) -> list[str]:
    """Parts of programs: pieces outside and in PAL mode, ends of blocks."""
    made = _maker(node, far)
    names = [f"end {end}" for end in dict.fromkeys(_ENDS)]
    for pal in (False, True):
        pieces = made(random.Random(0), "block", pal).segments()
        names += [f"{_mode(pal)} {piece.__name__}" for piece, _ in pieces]
    return list(dict.fromkeys(names))


def met(seed: int, node: bool = False, far: bool = False) -> Counter[str]:
    """How often program ``seed`` has each of them."""
    made: Counter[str] = Counter()
    text(seed, node, far, made)
    return made


def _mode(pal: bool) -> str:
    return "PAL mode" if pal else "native"


def text(seed: int, node: bool = False, far: bool = False, made: Counter[str] | None = None) -> str:
    """The assembly of program ``seed``; the same seed gives the same program. ``made`` counts its
    bins."""
    rng = random.Random(seed)
    make, made = _maker(node, far), Counter() if made is None else made

    def filled(name: str, words: int, pal: bool = False) -> tuple[SystemBlock, list[str]]:
        block = make(rng, name, pal)
        lines = block.fill(words)
        made.update({f"{_mode(pal)} {piece}": n for piece, n in block.made.items()})
        return block, lines

    lines = ["// SPDX-License-Identifier: BSD-2-Clause"]
    if far:
        lines.append(f"#define FAR {places.other_pal(seed):#x}")
    if node:  # timer_acknowledge
        lines += [f"#define ROUNDS {ROUNDS}", "#define ACKNOWLEDGE 0x2008"]
    lines += [f'#include "{GUEST / name}"' for name in ("pal.S", "runner.S")]
    lines += ["\t.text", "\t.set noat", "\t.set noreorder", "\t.set nomacro"]
    names = [f"block{n}" for n in range(BLOCKS)]
    # The first one asks, so that a program ends whatever the others do.
    for name in names:
        block, filling = filled(name, rng.randrange(10, 2 * WORDS))
        end = "next_ask" if name == "block0" else rng.choice(_ENDS)
        made[f"end {end}"] += 1
        lines += [*filling, *block.leave(end)]
    pal = [f"pal_block{n}" for n in range(make.pal_blocks)]
    for name in pal:
        lines += [*filled(name, rng.randrange(5, 60), pal=True)[1], "\tcall_pal 0x8f"]
    lines += last_words(rng)
    lines += ['\t.section .data, "aw"']
    lines += _quads(value(rng) for _ in range(0x18000 // 8))
    lines += ['\t.section .vars, "aw"', "\t.quad ring", "\t.quad 0"]
    lines += [f"\t.quad {ROUNDS}"] if node else []
    lines += ["\t.org 0x800", *(f"\t.quad {name}" for name in pal)]
    lines += ["\t.org 0x1000", "ring:"]
    order = [
        name for name in rng.choices(names, k=RING) for _ in range(rng.choice([1, 1, 1, 2, 4]))
    ]
    order = ["block0", *order[: RING - 1]]
    lines += [
        f"\t.quad {make.address(rng, name)}, ring + {16 * ((n + 1) % RING)}"
        for n, name in enumerate(order)
    ]
    lines += ["\t.org 0x4000", *_quads(value(rng) for _ in range(STATES * 32))]
    return "\n".join([*lines, *(_markers(rng, names) if node else [])]) + "\n"


def _markers(rng: random.Random, names: list[str]) -> list[str]:
    """On instructions among the first of random blocks, PAL mode's too."""
    marks = [*MARKS, CLEARED, *([FROZEN] * rng.randrange(2))]
    places = [f"{rng.choice(names)} + {4 * rng.randrange(8)}" for _ in marks]
    for mark in FURTHER:
        marks.append(mark)
        elsewhere = f"{rng.choice(names)} + {4 * rng.randrange(8)}"
        places.append(rng.choice([elsewhere, rng.choice(places)]))
    lines = ['\t.section .mcpi.markers, ""']
    for place, (action, window) in zip(places, marks, strict=True):
        lines += [f"\t.quad {place}", f"\t.long {action}, {window}"]
    return lines


def _quads(values) -> list[str]:
    return [f"\t.quad {v:#x}" for v in values]


def build(seed: int, folder: Path, node: bool = False, far: bool = False) -> Path:
    """Assemble and link program ``seed`` in ``folder``; what exists is not made again."""
    elf = folder / f"program-{seed}.elf"
    if elf.exists():
        return elf
    folder.mkdir(parents=True, exist_ok=True)
    stage = staging.sibling(elf)
    source = stage.with_suffix(".S")
    source.write_text(text(seed, node, far))
    layout = LAYOUT | (places.layout(seed) if far else {})
    sections = ",".join(f"--section-start=.{name}={at:#x}" for name, at in layout.items())
    command = [*COMPILE, f"{LINK},{sections}", "-o", stage, source]
    done = heard(command)
    if done.returncode:
        raise RuntimeError(f"assembling {source}:\n{done.stderr[-2000:]}")
    stage.rename(elf)
    source.unlink()
    return elf
