# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi layout profile``: how often the path goes from block to block of each function, from
traces of a variant that is outlined by annotations."""

import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.base.process import heard
from mcpi.base.progress import Bar
from mcpi.engines import trace
from mcpi.firmware import commands, images, outline, switches
from mcpi.firmware.blocks.profile import ENTRY, Profile, Ways
from mcpi.firmware.clone.program import Function
from mcpi.firmware.images import Compiled
from mcpi.isa import table
from mcpi.layout.outlining import CONDITIONAL, Training
from mcpi.machine import profile as machines
from mcpi.spec.numbers import SIDES
from mcpi.tuning import outlining

VARIANT = "out"  # whose images are traced: it has the assembly of the variants ordered by a profile
ROUND_TRIPS = 20
BRANCHES = {*CONDITIONAL, table.named("br").opcode}
BLOCK = ".block."  # in the name of a block's label, between function and number


@dataclass(frozen=True)
class Traced:
    """A side's path, and the objects of its image."""

    training: Training
    made: Compiled


def make(
    stacks: tuple[str, ...], machine: str, defines: tuple[str, ...], bar: Bar
) -> tuple[Profile, list[str]]:
    """The profile of both ends of each stack, and the defines that none of them depends on.
    ``defines`` go to the stacks that depend on them."""
    found: Profile = {}
    for stack in stacks:
        own = tuple(d for d in defines if images.depends(d, VARIANT, stack))
        for side in SIDES:
            for key, ways in counted(_traced(stack, side, machine, own, bar)).items():
                found[key] = _sum(found[key], ways) if key in found else ways
    unused = [d for d in defines if not any(images.depends(d, VARIANT, s) for s in stacks)]
    return found, unused


def _sum(one: Ways, other: Ways) -> Ways:
    """The ways of two images. Those of a function that has other blocks in the second are left
    out."""
    if one.blocks != other.blocks:
        return one
    return Ways(one.blocks, dict(Counter(one.times) + Counter(other.times)))


def _traced(stack: str, side: str, machine: str, defines: tuple[str, ...], bar: Bar) -> Traced:
    server = side != next(iter(SIDES))
    words = (stack, VARIANT, machine, {}, server, bar)
    folder = trace.traced(*words, round_trips=ROUND_TRIPS, defines=defines)
    paths = outlining.measured(folder, stack, ROUND_TRIPS)
    if server and stack == "rpc":  # its server is another version
        defines = switches.of_both_ends(defines)
    made = images.compiled(machines.load(machine), VARIANT, stack, defines, side)
    return Traced(Training(folder / "image.elf", paths), made)


def counted(traced: Traced) -> Profile:
    """The profile of one side's image."""
    program = traced.training.program
    ran = {f.name for pc in traced.training.counts if (f := program.function_at(pc))}
    found: Profile = {}
    for source, target in traced.made.objects.items():
        plain = commands.assembly(target)
        if not source.endswith(".c") or not plain.is_file():
            continue
        for name, offsets in _offsets(plain).items():
            known = name if name in program.functions else f"{Path(source).stem}:{name}"
            if known in ran:
                ways = _ways(traced.training, program.functions[known], offsets)
                found[source, name] = ways
    return found


def _offsets(plain: Path) -> dict[str, list[int]]:
    """Where each block of each function begins, in bytes from the function's start, after the
    annotated blocks have moved. The assembler says so: each block gets a label."""
    names: dict[str, int] = {}

    def labelled(name: str, blocks: list[outline.Block]):
        for number, block in enumerate(blocks):
            block.lines.insert(0, f"{name}{BLOCK}{number}:")
        names[name] = len(blocks)
        return outline.annotated(name, blocks) or (blocks, [])

    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "labelled.s"), Path(folder, "labelled.o")
        source.write_text(outline.outline(plain.read_text(), labelled))
        heard([f"{commands.PREFIX}gcc", "-c", source, "-o", target], check=True)
        with target.open("rb") as stream:
            table = ELFFile(stream).get_section_by_name(".symtab")
            at = {symbol.name: symbol["st_value"] for symbol in table.iter_symbols()}
    return {
        name: [at[f"{name}{BLOCK}{n}"] - at[name] for n in range(number)]
        for name, number in names.items()
    }


def _ways(training: Training, function: Function, offsets: list[int]) -> Ways:
    """The ways of one function. A block without an instruction is passed on the way to the block
    behind it."""
    program, counts = training.program, training.counts
    order = sorted(range(len(offsets)), key=lambda n: (offsets[n], n))
    starts = [function.start + offsets[n] for n in order]
    ends = [*starts[1:], function.end]
    times: Counter[tuple[int, int]] = Counter()
    first = {at: n for n, at in zip(reversed(order), reversed(starts))}
    for n, start, end in zip(order, starts, ends, strict=True):
        if start == end:  # no instruction
            continue
        last = end - 4
        if program.word(last) >> 26 in BRANCHES:
            for way in set(training.both_ways(last)):
                if way in first:
                    times[n, first[way]] += training.ways[last, way]
        elif end in first:
            times[n, first[end]] += counts[last]
    for n, start, end in zip(order, starts, ends, strict=True):
        if start < end:  # from elsewhere: a caller, or the window opens
            times[ENTRY, n] += counts[start] - sum(k for (_, to), k in times.items() if to == n)
        if start == end and end in first:
            into = sum(number for (_, to), number in times.items() if to == n)
            behind = order[order.index(n) + 1]
            times[n, behind] += into
    return Ways(len(offsets), {way: number for way, number in times.items() if number > 0})
