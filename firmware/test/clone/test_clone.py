# SPDX-License-Identifier: BSD-2-Clause
"""Tests of memory after cloning: every word of it, on every stack, as cloning.md says."""

import json
import random
import struct

import pytest
from elftools.elf.elffile import ELFFile
from firmware_support.clone_machine import BLOCK, ICACHE, boot, built, cloned, longword

from mcpi.base.process import heard
from mcpi.firmware import elf, recipes
from mcpi.firmware.clone import alpha, fixes, path_order, recipe, table
from mcpi.firmware.clone.fixes import Fix
from mcpi.firmware.clone.program import Kind, Program
from mcpi.machine import profile
from mcpi.spec.numbers import STACKS

CASES = [(v, s) for v in ("clo", "bad") for s in STACKS]


def about(variant, stack):
    return json.loads(built(variant, stack).image.with_suffix(".json").read_text())


@pytest.mark.parametrize(("variant", "stack"), CASES)
def test_the_boot_cloner_does_what_the_table_means(variant, stack, tmp_path):
    """The C cloner's memory is that of the second cloner, in Python: text, GOT, tables, copies."""
    there = cloned(variant, stack)
    done, ram = boot(built(variant, stack).image, there.plan, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    expected = table.memory(there.program, there.copies, there.changes)
    differ = []
    for name in (".text", ".rodata", ".data", ".got"):
        start, end = there.program.sections[name]
        for at in range(start, end - 3, 4):
            want = expected.pop(at, None)
            want = there.program.word(at) if want is None else want
            differ += [at] if longword(ram, there.base, at) != want else []
    differ += [at for at, want in expected.items() if longword(ram, there.base, at) != want]
    assert not differ, f"{len(differ)} words differ, the first at {differ[0]:#x}"
    assert len(expected) == sum(c.words for c in there.copies) > 1000


@pytest.mark.parametrize(("variant", "stack"), CASES)
def test_the_map_has_every_function_of_the_order(variant, stack):
    rules = recipes.recipe(variant)["clone"]
    rows = path_order.read(recipe.orders(rules, stack), path_order.FIELDS)
    copies = about(variant, stack)["copies"]
    assert [(c["function"], c["class"]) for c in copies] == [
        (r["function"], r["class"]) for r in rows
    ]
    symbols = Program(built(variant, stack).image).symbols
    last = symbols["clone_area"]
    for c in sorted(copies, key=lambda c: c["target"]):
        assert last <= c["target"]
        last = c["target"] + 4 * c["words"]
    assert last <= symbols["clone_area_end"]


@pytest.mark.parametrize("stack", STACKS)
def test_bipartite_and_pessimal_sets(stack):
    """CLO: no set for library and path. BAD: all begin in one set, pairs also of the b-cache."""

    def sets(c):
        return {at % ICACHE // BLOCK for at in range(c["target"], c["target"] + 4 * c["words"], 4)}

    good = about("clo", stack)["copies"]
    library = set().union(*(sets(c) for c in good if c["class"] == path_order.LIBRARY))
    path = set().union(*(sets(c) for c in good if c["class"] == path_order.PATH))
    assert library and path and not library & path
    bad = [c["target"] for c in about("bad", stack)["copies"]]
    assert len({at % ICACHE for at in bad}) == 1
    # In the b-cache two and two, as they follow each other on the path.
    assert all(b - a == 2 << 20 for a, b in zip(bad[::2], bad[1::2]))


@pytest.mark.parametrize("stack", STACKS)
def test_clo_and_bad_are_the_same_code(stack):
    """Word for word, but for displacements: iCPI cannot differ."""
    words = []
    for variant in ("clo", "bad"):
        there = cloned(variant, stack)
        memory = table.memory(there.program, there.copies, there.changes)
        words.append([])
        for c in there.copies:
            copied = [memory[c.target + 4 * i] for i in range(c.words)]
            words[-1] += [w & ~0x1FFFFF if alpha.is_branch(w) else w & ~0xFFFF for w in copied]
    assert words[0] == words[1]


@pytest.mark.parametrize(("variant", "stack"), CASES)
def test_nothing_moves_for_the_cloner(variant, stack):
    """Up to the area the image is OUT's: same symbols, same code. The linker's order of the GOT's
    slots is another, since start-up calls another main; their number is the same."""
    plans = built("out", stack), built(variant, stack)
    out, clo = Program(plans[0].image), Program(plans[1].folder / recipe.LINKED)
    moved = (Kind.LITERAL, Kind.GPRELHIGH, Kind.GPRELLOW)  # slots of the GOT; heap and stacks
    changed = {r.at for r in clo.relocations if r.kind in moved}
    start = out.functions["_start"]
    names = {n for n, at in out.symbols.items() if out.text[0] <= at < out.symbols["bss_end"]}
    assert len(names) > 200
    assert {n: out.symbols[n] for n in names} == {n: clo.symbols.get(n) for n in names}
    for name in (".text", ".rodata", ".data", ".sdata"):
        assert out.sections[name] == clo.sections[name]
        for at in range(*out.sections[name], 4):
            difference = out.word(at) ^ clo.word(at)
            slot = at in changed and difference < 1 << 16
            hint = out.function_at(at) is start and difference < 1 << 14  # of the jsr to main
            assert not difference or slot or hint, f"{name}: {at:#x}"
    assert out.sections[".got"] == clo.sections[".got"]
    heap = out.symbols["heap"], clo.symbols["heap"]
    assert heap[0] % ICACHE == heap[1] % ICACHE


@pytest.mark.parametrize(("variant", "stack"), CASES)
def test_markers_are_where_their_instructions_went(variant, stack):
    resolved = profile.load("dec3000-600")
    before = elf.read(built("out", stack).image, resolved).markers
    after = elf.read(built(variant, stack).image, resolved).markers
    copies = cloned(variant, stack).copies
    moved = 0
    for old, new in zip(before, after, strict=True):
        assert (old.action, old.window) == (new.action, new.window)
        assert new.address == fixes.where(copies, old.address)
        moved += new.address != old.address
    assert moved >= 4


@pytest.mark.parametrize("stack", STACKS)
def test_calls_between_copies_are_direct(stack):
    """No load of an entry point and no gp reload is left beside a bsr; nothing was skipped."""
    there = cloned("clo", stack)
    memory = table.memory(there.program, there.copies, there.changes)
    calls = {e.at for c in there.copies for e in c.edits if e.kind == Fix.CALL}
    literals = {at for at, uses in fixes.literals(there.program) if uses and set(uses) <= calls}
    dropped = {e.at for c in there.copies for e in c.edits if e.kind == Fix.DROP}
    assert literals <= dropped and len(calls) > 60
    for c in there.copies:
        for at in range(c.target, c.target + 4 * c.words - 4, 4):
            if alpha.opcode(memory[at]) == alpha.BSR:
                after = memory[at + 4]
                assert (alpha.opcode(after), alpha.ra(after)) != (alpha.LDAH, alpha.GP), hex(at)


def scalars(rng):
    """Arguments of functions that need no more than scratch RAM: name, four numbers."""
    place = 0xFFFFFC0002000000
    for _ in range(12):
        yield "checksum_add", (place + rng.randrange(64), rng.randrange(1500), rng.getrandbits(16))
        yield "memcpy", (place + rng.randrange(999), place + 4096 + rng.randrange(999), 700)
        yield "msg_init_empty", (place + 8 * rng.randrange(99),)
        yield "tcptest_check", ()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_copy_does_what_its_original_does(seed, tmp_path):
    """Random calls: in OUT the original, in CLO the copy; result, kept registers and memory."""
    rng = random.Random(seed)
    targets = {c["function"]: c["target"] for c in about("clo", "tcp")["copies"]}
    out = Program(built("out", "tcp").image)
    signature = {"checksum_add", "memcpy", "msg_init_empty"}
    calls = [(n, a) for n, a in scalars(rng) if n in signature & set(targets)]
    assert {n for n, _ in calls} == signature
    said = []
    for variant, entry in (("out", lambda n: out.functions[n].start), ("clo", targets.get)):
        lines = "".join(
            f"{entry(n):x} {seed:x} {' '.join(f'{x:x}' for x in a)}\n" for n, a in calls
        )
        done, _ = boot(built(variant, "tcp").image, built(variant, "tcp"), tmp_path, lines)
        assert done.returncode == 0, done.stderr
        # The hash of the kernel's own RAM differs: its pointers were redirected.
        said.append([line.split()[:10] for line in done.stdout.splitlines()[-len(calls) :]])
    assert said[0] == said[1], f"seed {seed}"
    assert len({tuple(row) for row in said[0]}) > len(calls) // 3


def refused(variant, stack, tmp_path, bytes_):
    there = cloned(variant, stack)
    done, _ = boot(there.with_table(tmp_path, bytes_), there.plan, tmp_path)
    assert done.returncode == 1 and "exit 1" in done.stderr, done.stderr
    return done.stdout


def resummed(made: bytearray) -> bytes:
    words = struct.unpack_from("<I", made, 4)[0]
    body = struct.unpack_from(f"<{words}I", made, 28)
    struct.pack_into("<I", made, 8, table.rolled(body))
    return bytes(made)


def test_the_boot_cloner_refuses(tmp_path):
    """A fault of the table is named on the console; the machine ends with exit code 1."""
    there = cloned("clo", "tcp")
    good = table.table(there.program, there.copies, there.changes, there.base)

    def changed(offset, value, sum_again=True):
        made = bytearray(good)
        struct.pack_into("<I", made, offset, value)
        return resummed(made) if sum_again else bytes(made)

    first = struct.unpack_from("<6I", good, 28)
    area = there.program.symbols["clone_area"] - there.base
    cases = {
        "the image has no table": bytes(len(good)),
        "the table is damaged": changed(40, 1, sum_again=False),
        "a copy lies outside the area": changed(28 + 8, area - 4),
        "the table was made for other code": changed(28 + 12, first[3] ^ 1),
        "two functions overlap": changed(28 + 24, first[0]),
    }
    for what, made in cases.items():
        said = refused("clo", "tcp", tmp_path, made)
        assert what in said, f"{what}: {said}"


def test_the_image_is_loadable_and_says_what_it_reserves():
    """The area belongs to the image's segments: a board maps RAM for it."""
    plan = built("bad", "tcp")
    with plan.image.open("rb") as stream:
        loaded = ELFFile(stream).iter_segments("PT_LOAD")
        spans = [(s["p_vaddr"], s["p_vaddr"] + s["p_memsz"]) for s in loaded]
    symbols = Program(plan.image).symbols
    assert any(a <= symbols["clone_area"] and symbols["clone_area_end"] <= b for a, b in spans)


def test_building_says_what_is_wrong(tmp_path):
    """A function that the image has not: a sentence and no image."""
    there = built("clo", "tcp")
    csv = tmp_path / "order.csv"
    csv.write_text("function,class,calls,instructions\ntcp_pop,path,1,9\nnobody,path,1,9\n")
    command = list(next(s.command for s in there.steps if "mcpi.firmware.clone" in s.command))
    command[command.index("--order") + 1] = str(csv)
    command[4] = str(tmp_path / "image.elf")
    done = heard(command)
    assert done.returncode == 1 and "the image has no function nobody" in done.stderr
    assert not (tmp_path / "image.elf").exists()
