# SPDX-License-Identifier: BSD-2-Clause
"""The assembler gives the bytes of the GNU assembler, and reads what the GNU disassembler says of
each row of the table."""

import random
import re
import subprocess
from pathlib import Path

import pytest

from mcpi.base.errors import UserError
from mcpi.isa import assembler, encode, table
from verify.random.blocks import USER, Block

PREFIX, BASE = "alpha-linux-gnu-", 0x10000
HEAD = ".set noreorder\n.set noat\n.set nomacro\n.text\n.globl _start\n_start:\n"
SEED = 48

PROGRAM = r"""
start: ldah $1, 1($31); lda $5, -7($31)
1:     nop
    unop
    beq $1, 1b
    bne $2, 1f
    br $31, start
    br 1f
1:  jsr $26, ($27), 0
    jsr $26, ($27), 1b
    jmp $31, ($27), 1b
    ret $31, ($26), 1
    ret
    jsr_coroutine $26, ($26), 0
    hw_ldq/p $1, 8($2)
    hw_stl/p $1, -8($2)
    hw_ldl/a $1, 0($2)
    hw_mfpr $21, 0x24
    hw_mtpr $31, 0x3e
    hw_rei
    mb; wmb; trapb; excb
    rpcc $5; rc $3; rs $4
    fetch ($3); fetch_m ($3)
    call_pal 0x86
    .long 0x12345678, 1b - start + 3, 1 << 4 | 3 + 2, ~5 & 0xff
    .quad 0x123456789abcdef0, -1
    .byte 1, 2, 3
    .word 3
place: .quad 1b - place, 5
    .byte 1
    addq $1, 1, $1
    .space 12, 0x5a
    .align 5
    mov $1, $2; clr $3; not $1, $2; negq $1, $2; sextl $1, $2; mov 5, $3
    .org 0x200
a = 5
    .irp n, 1, 2, 3
    lda $\n, -\n*a($31)
    .endr
close: nop; nop
    .rept (0x20 - (. - close)) / 4
    addq $1, 255, $1
    .endr
    .align 4
    lda $1, 1b - start($2)
    cmovlbs $1, 3, $4
    .align 3
    .long (start - . - 4) >> 2 & 0x1fffff
    .align 4
"""


def gnu(source: str, folder: Path) -> bytes:
    (folder / "p.s").write_text(f"{HEAD}{source}\n")
    for words in (
        ["as", "-m21064", "-o", "p.o", "p.s"],
        ["ld", "--no-relax", "-nostdlib", f"-Ttext={BASE:#x}", "-o", "p.elf", "p.o"],
        ["objcopy", "-O", "binary", "-j", ".text", "p.elf", "p.bin"],
    ):
        subprocess.run([PREFIX + words[0], *words[1:]], cwd=folder, check=True)
    return (folder / "p.bin").read_bytes()


def words(code: bytes) -> list[str]:
    return [code[n : n + 4][::-1].hex() for n in range(0, len(code), 4)]


@pytest.mark.parametrize("fill", range(4))
def test_it_gives_the_bytes_of_the_gnu_assembler(tmp_path: Path, fill: int) -> None:
    source = fill * "nop\n" + PROGRAM
    assert words(assembler.assemble(source, BASE)) == words(gnu(source, tmp_path))


def test_random_blocks_are_as_the_gnu_assembler_has_them(tmp_path: Path) -> None:
    rng = random.Random(SEED)
    source = "\n".join(line for n in range(20) for line in Block(rng, USER, f"b{n}").fill(120))
    assert words(assembler.assemble(source, BASE)) == words(gnu(source, tmp_path))


def every_row(rng: random.Random) -> list[int]:
    """Words of each row of the sheet, with operands drawn at random."""
    made = []
    for row in table.rows():
        for literal in (None, rng.randrange(256)) if row.format == "operate" else (None,):
            ra, rb, rc = (rng.randrange(31) for _ in range(3))
            if row.format == "misc":
                made.append(assembled(f"{row.name} {operands(row, ra)}"))
                continue
            rb = ra if row.format == "internal" else rb
            disp = rng.choice([-8, 4, 0x7F0]) & (0xFFF if row.format == "physical" else 0xFFFF)
            disp = rng.randrange(4096) if row.format in ("branch", "jump") else disp
            # Internal registers that have a name do not come back as numbers.
            disp = 0x80 | rng.randrange(32) if row.format == "internal" else disp
            if not row.ours:
                made.append(encode.word(row, ra=ra, rb=rb, rc=rc, literal=literal, disp=disp))
    return made


def operands(row: table.Instruction, ra: int) -> str:
    if row.name.startswith("fetch"):
        return f"(${ra})"
    return f"${ra}" if table.table().groups[row.group].writes else ""


def assembled(line: str) -> int:
    return int.from_bytes(assembler.assemble(line, BASE)[:4], "little")


def disassembled(words: list[int], folder: Path) -> list[str]:
    """The GNU disassembler's text of each word; the architecture as it has no other source."""
    (folder / "w.bin").write_bytes(b"".join(word.to_bytes(4, "little") for word in words))
    command = [f"{PREFIX}objdump", "-D", "-b", "binary", "-m", "alpha:ev4", "w.bin"]
    shown = subprocess.run(
        [*command, f"--adjust-vma={BASE}"], cwd=folder, check=True, capture_output=True, text=True
    ).stdout
    return re.findall(r"^\s*[0-9a-f]+:\t(?:[0-9a-f]{2} ){4}\s*\t(.*)$", shown, re.M)


def read_back(text: str, at: int) -> int:
    """The word of a line of objdump at an address."""
    name, _, rest = text.partition("\t")
    rest = re.sub(r"\s*<.*>$", "", rest)
    if name in ("jmp", "jsr"):  # the place that the hint names, by its distance
        rest = re.sub(r"(0x[0-9a-f]+)$", rf"\1 - {at} + .", rest)
    rest = re.sub(r"(?<![\w$.])(v0|[ast]\d+|fp|ra|pv|at|gp|sp|zero)\b", r"$\1", rest)
    return int.from_bytes(assembler.assemble(f"{name} {rest}", at)[:4], "little")


def test_what_the_gnu_disassembler_says_of_each_row_is_its_word(tmp_path: Path) -> None:
    made = every_row(random.Random(SEED))
    texts = disassembled(made, tmp_path)
    assert len(texts) == len(made) > 141
    wrong = [
        f"{word:08x} is '{text}', which is {got:08x}"
        for n, (word, text) in enumerate(zip(made, texts, strict=True))
        if (got := read_back(text, BASE + 4 * n)) != word
    ]
    assert not wrong, "\n".join(wrong)


def test_comments_are_no_code() -> None:
    source = "nop // nop\n# nop\nnop /* nop\nnop */ ; nop # nop\n"
    assert assembler.assemble(source, BASE) == assembler.assemble("nop;nop;nop", BASE)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("addx $1, $2, $3", "'addx' is no instruction. Did you mean"),
        ("addq $1, 256, $3", "literal 256 does not fit into 8 bits"),
        ("addq $1, $32, $3", "'$32' is no register"),
        ("ldq $1, 0x8000($2)", "displacement 32768 does not fit into 16 bits"),
        ("beq $1, far", "there is no label 'far'"),
        ("1: .org 0x40\n.org 0x20", "the place lies before this one"),
        ("a: nop\na: nop", "two labels 'a'"),
        (".frob 3", "no such directive '.frob'"),
        ("lda $1, 5 5($2)", "is no expression"),
        ("bis $1, $2, $3, $4", "too many operands, 4"),
    ],
)
def test_an_error_names_the_line(line: str, said: str) -> None:
    with pytest.raises(UserError) as error:
        assembler.assemble(line, BASE)
    assert said in str(error.value) and line.splitlines()[-1] in str(error.value)
