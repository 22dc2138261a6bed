# SPDX-License-Identifier: BSD-2-Clause
"""The stub compiler (usc.md): its language, and random structures against the address rule.

The accessors of random structures become one C program with what memory must hold before and
after each; it runs here under sanitizers and, compiled for EV4, under qemu-alpha.
"""

import os
import random
import re
import subprocess
from collections.abc import Iterator

import pytest

from mcpi.base.errors import UserError
from mcpi.base.process import heard
from mcpi.base.repo import FIRMWARE
from mcpi.firmware import commands, usc
from mcpi.firmware.usc.language import Description, Field, Layout, Struct

SEED = int(os.environ.get("MCPI_USC_SEED", "1"))
LAYOUTS = [Layout("dense", 4, 4), Layout("gap2", 2, 4), Layout("gap16", 16, 32)]
LAYOUTS += [Layout("gap1", 1, 4), Layout("pages", 8, 64)]
STRUCTS, BYTES, PART = 14, 24, 200
ONCE = "layout dense { unit 4; stride 4; } struct s 8 le { u16 a @2; } "


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("layout l { unit 3; stride 4; }", "x.usc:1: layout l: 3 is no power of two"),
        ("layout l { unit 8; stride 4; }", "units of 8 overlap"),
        ("layout l { unit 2; stride 2; }", "stride = 2: 4 to 8192"),
        ("struct s 4 xe { }", "'le' or 'be' is wanted, there is 'xe'"),
        ("struct s 4 le {\n u64 a @0; }", "x.usc:2: a field begins with u8, u16, u32 or bit"),
        ("struct s 4 le { u16 a @1; }", "offset 1 is no multiple of 2"),
        ("struct s 4 le { u16 a @4; }", "offset of a = 4: 0 to 2"),
        ("struct s 4 le { u8 a @0; u8 a @1; }", "s.a is there already"),
        ("struct s 4 le { bit a @0:8; }", "bit a = 8: 0 to 7"),
        ("struct s 4 le { bit a @0:1 ones 1; }", "'ones' has no meaning here"),
        ("struct s 4 le { u8 a @0", "'end of file'"),
        ("struct u8 4 le { }", "a name is wanted, there is 'u8'"),
        ("struct s four le { }", "a number is wanted, there is 'four'"),
        (ONCE + "emit s;", "in which layout?"),
        (ONCE + "emit t dense;", "there is no struct 't'"),
        (ONCE + "emit s gap2;", "there is no layout 'gap2'"),
        (ONCE + ONCE, "layout dense is there already"),
        ("emit % ;", "'%' has no meaning here"),
        ("what", "'layout', 'struct' or 'emit' is wanted, there is 'what'"),
    ],
)
def test_slips(text: str, complaint: str) -> None:
    with pytest.raises(UserError, match=re.escape(complaint)):
        usc.parse(text, "x.usc")


def random_struct(rng: random.Random, number: int) -> Struct:
    made = Struct(f"s{number}", BYTES, rng.random() < 0.5, rng.random() < 0.5)
    for n in range(8):
        size = rng.choice([1, 2, 4])
        offset = rng.randrange(BYTES // size) * size
        words: dict = {"alone": rng.random() < 0.2}
        if rng.random() < 0.3:
            size, words["bit"] = 1, rng.randrange(8)
        else:
            words["ones"] = rng.choice([0, 0, rng.randrange(1, 8 * size)])
            words["negative"] = rng.random() < 0.2
            if rng.random() < 0.2:
                words["mask"] = rng.randrange(1, 1 << 8 * size)
        made.fields.append(Field(f"f{n}", offset, size, **words))
    return made


def source_of(made: Description) -> str:
    """The description as text, so that the reader is tested too."""
    lines = [f"layout {x.name} {{ unit {x.unit}; stride {x.stride}; }}" for x in LAYOUTS]
    for s in made.structs.values():
        kind = "be" if s.big_endian else "le"
        lines.append(f"struct {s.name} {s.size} {kind} {'device' if s.device else ''} {{")
        for f in s.fields:
            words = f"bit {f.name} @{f.offset}:{f.bit}"
            if f.bit is None:
                words = f"u{8 * f.size} {f.name} @{f.offset}"
            words += " negative" if f.negative else ""
            words += f" ones {f.ones}" if f.ones else ""
            words += f" mask {f.mask:#x}" if f.mask is not None else ""
            lines.append(f"  {words}{' alone' if f.alone else ''}; # {f.bits} bits")
        lines.append(f"}} emit {s.name} {' '.join(x.name for x in LAYOUTS)};")
    return "\n".join(lines)


def places(s: Struct, f: Field, layout: Layout) -> list[int]:
    """Addresses of the field's bytes, the least significant first: the rule, byte by byte."""
    order = range(f.size) if not s.big_endian else reversed(range(f.size))
    return [
        (f.offset + i) // layout.unit * layout.stride + (f.offset + i) % layout.unit for i in order
    ]


def stored(f: Field, value: int) -> int:
    """Value of the field in memory when it is set."""
    if f.negative:
        value = (1 << f.bits) - value
    if f.mask is not None:
        value &= f.mask
    return (value & (1 << f.bits) - 1) | ((1 << 8 * f.size) - 1 & -(1 << f.bits) if f.ones else 0)


def read(s: Struct, f: Field, layout: Layout, memory: bytes) -> int:
    raw = int.from_bytes(bytes(memory[a] for a in places(s, f, layout)), "little")
    if f.bit is not None:
        return raw >> f.bit & 1
    raw &= (1 << f.bits) - 1
    if f.negative:
        raw = (1 << f.bits) - raw & (1 << f.bits) - 1
    return raw if f.mask is None else raw & f.mask


def written(s: Struct, f: Field, layout: Layout, memory: bytes, value: int) -> dict[int, int]:
    """By address, what each live byte of the touched longwords must be afterwards."""
    after = {}
    spots = places(s, f, layout)
    for word in {a // 4 for a in spots}:
        for a in range(4 * word, 4 * word + 4):
            if a % layout.stride < layout.unit:
                after[a] = 0 if f.alone else memory[a]
    if f.bit is not None:
        keep = 0 if f.alone else memory[spots[0]] & ~(1 << f.bit)
        after[spots[0]] = keep | (value & 1) << f.bit
    else:
        after |= dict(zip(spots, stored(f, value).to_bytes(f.size, "little"), strict=True))
    return after


def has_setter(s: Struct, f: Field, layout: Layout) -> bool:
    spots = places(s, f, layout)
    live = {a for w in {x // 4 for x in spots} for a in range(4 * w, 4 * w + 4)}
    live = {a for a in live if a % layout.stride < layout.unit}
    return f.alone or not s.device or (f.bit is None and live == set(spots))


def checks(made: Description, rng: random.Random) -> Iterator[str]:
    """C statements, each of which returns from check() if it does not hold."""
    number = 0
    for s in made.structs.values():
        for layout in LAYOUTS:
            size = (BYTES // layout.unit + 1) * layout.stride
            for f in s.fields:
                memory = rng.randbytes(size)
                number += 1
                name = f"{s.name}_{f.name}__{layout.name}"
                text = "".join(rf"\x{byte:02x}" for byte in memory)
                yield f'load("{text}", {size});'
                yield f"if ({name}_get(base) != {read(s, f, layout, memory)}u) return {number};"
                if not has_setter(s, f, layout):
                    continue
                value = rng.randrange(1 << 32)  # what the field has no room for is cut
                yield f"{name}_set(base, {value}u);"
                for a, byte in written(s, f, layout, memory, value).items():
                    yield f"if (memory[{a}] != {byte}) return {number};"
                yield f"if (others({4 * (min(places(s, f, layout)) // 4)}, "
                yield f"{4 * (max(places(s, f, layout)) // 4 + 1)}, {size})) return {number};"


PROGRAM = """
#include "random.usc.h"
static unsigned char memory[1024] __attribute__((aligned(64))), before[1024];
static void load(const char *from, int size)
{
	for (int i = 0; i < size; i++)
		memory[i] = before[i] = (unsigned char)from[i];
}
static int others(int low, int high, int size)
{
	for (int i = 0; i < size; i++)
		if ((i < low || i >= high) && memory[i] != before[i])
			return 1;
	return 0;
}
"""
START = r"""
__asm__(".globl _start\n_start: br $27, 1f\n1: ldgp $29, 0($27)\n jsr $26, check\n"
	"cmpult $31, $0, $16\n lda $0, 1($31)\n call_pal 0x83\n"); /* exit(check() != 0) */
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The header of random structures and a program that checks it."""
    place, rng = tmp_path_factory.mktemp("usc"), random.Random(SEED)
    made = Description({x.name: x for x in LAYOUTS})
    made.structs = {f"s{n}": random_struct(rng, n) for n in range(STRUCTS)}
    text = source_of(made)
    (place / "random.usc").write_text(text)
    parsed = usc.parse(text, "random.usc")
    assert parsed.structs == made.structs
    assert len(parsed.emits) == STRUCTS * len(LAYOUTS)
    (place / "random.usc.h").write_text(usc.header(place / "random.usc"))
    rows = list(checks(made, rng))
    body = [PROGRAM]
    parts: list[list[str]] = [[]]
    for row in rows:
        if row.startswith("load(") and len(parts[-1]) > PART:
            parts.append([])
        parts[-1].append(row)
    for part, lines in enumerate(parts):
        body.append(f"static int part{part}(void)\n{{")
        body.append("\tuint64_t base = (uint64_t)memory;\n\t" + "\n\t".join(lines))
        body.append("\treturn 0;\n}")
    calls = " || ".join(f"(wrong = part{n}())" for n in range(len(parts)))
    body.append(f"int check(void);\nint check(void)\n{{\n\tint wrong = 0;\n\t(void)({calls});")
    body.append("\treturn wrong;\n}")
    (place / "check.c").write_text("\n".join(body))
    return place


def test_random_structures_here(folder) -> None:
    (folder / "main.c").write_text(
        '#include <stdio.h>\n#include "check.c"\nint main(void)\n'
        '{ int n = check(); if (n) printf("check %d is wrong\\n", n); return n != 0; }\n'
    )
    words = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror", "-O1"]
    words += ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "main.c"]
    subprocess.run([*words, "-o", "here"], cwd=folder, check=True)
    done = heard([folder / "here"])
    again = f"again: MCPI_USC_SEED={SEED} ./mcpi test -k test_usc"
    assert done.returncode == 0, f"{done.stdout}{done.stderr}{again}"
    print(f"{STRUCTS} structures in {len(LAYOUTS)} layouts, seed {SEED}")


ALPHA = [
    f"{commands.PREFIX}gcc",
    "-std=gnu11",
    "-ffreestanding",
    "-mcpu=ev4",
    "-O2",
    "-mno-fp-regs",
]


def test_random_structures_on_alpha(folder) -> None:
    (folder / "start.c").write_text('#include "check.c"\n' + START)
    words = [*ALPHA, "-nostdlib", "-static", "start.c", "-lgcc", "-o", "alpha"]
    subprocess.run(words, cwd=folder, check=True)
    done = heard(["qemu-alpha", folder / "alpha"])
    assert done.returncode == 0, f"{done.stderr}seed {SEED}"


def instructions(folder, name: str) -> list[str]:
    """Instructions that an accessor compiles to on EV4."""
    kind = "uint32_t" if name.endswith("_get") else "void"
    call = f"return {name}(b);" if kind == "uint32_t" else f"{name}(b, v);"
    text = f'#include "random.usc.h"\n{kind} f(uint64_t b, uint32_t v) {{ (void)v; {call} }}\n'
    (folder / "one.c").write_text(text)
    subprocess.run([*ALPHA, "-c", "one.c"], cwd=folder, check=True)
    words = [f"{commands.PREFIX}objdump", "-d", "--no-show-raw-insn", "one.o"]
    code = heard(words, cwd=folder, check=True).stdout
    return re.findall(r"^\s+[0-9a-f]+:\s+(\w+(?:\s+zero)?)", code, re.M)


def test_accesses_on_alpha(folder) -> None:
    """Accesses to a device are longwords only, each read or written once; no setter reads.
    (Elsewhere the compiler may read less than a longword, which nobody sees.)"""
    made = usc.parse((folder / "random.usc").read_text(), "random.usc")
    rows = [(s, x, f) for s, x in made.emits if s.device for f in s.fields]
    header = (folder / "random.usc.h").read_text()
    setters = 0
    for s, layout, f in random.Random(SEED).sample(rows, 50):
        touched = len({a // 4 for a in places(s, f, layout)})
        name = f"{s.name}_{f.name}__{layout.name}"
        got = instructions(folder, f"{name}_get")
        assert got.count("ldl") == touched and "ldq_u" not in got, name
        assert not [i for i in got if i.startswith("st")], name
        if not has_setter(s, f, layout):
            assert f"{name}_set(" not in header
            continue
        did = instructions(folder, f"{name}_set")
        assert sum(i.startswith("stl") for i in did) == touched and "stq_u" not in did, name
        assert not [i for i in did if i in ("ldl", "ldq_u")], name
        setters += 1
    assert setters > 10


def test_gap2_set_is_one_store(tmp_path) -> None:
    """A 16-bit field in a longword of its own: nothing but the store."""
    text = "layout gap2 { unit 2; stride 4; } struct d 8 le device { u16 a @6; } emit d gap2;"
    (tmp_path / "random.usc").write_text(text)
    (tmp_path / "random.usc.h").write_text(usc.header(tmp_path / "random.usc"))
    code = instructions(tmp_path, "d_a__gap2_set")
    assert [i for i in code if i not in ("unop", "nop")] == ["stl", "ret"]


def test_command(tmp_path) -> None:
    """The header on standard output or in a file; a slip ends it with status 2."""
    source = FIRMWARE / "protocols" / "lance" / "lance.usc"
    words = ["python3", "-m", "mcpi.firmware.usc", source]
    printed = heard(words, check=True).stdout
    subprocess.run([*words, "--out", tmp_path / "h"], check=True)
    assert printed == (tmp_path / "h").read_text() == usc.header(source)
    (tmp_path / "bad.usc").write_text("struct")
    done = heard([*words[:-1], tmp_path / "bad.usc"])
    assert done.returncode == 2 and done.stderr.startswith("usc: bad.usc:1: struct: a name")
