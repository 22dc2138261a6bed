# SPDX-License-Identifier: BSD-2-Clause
"""Every row of machines/instructions.toml as programs of one instruction, with what it must do;
and every other encoding, with the trap it must take. RTL and model run the same programs.
"""

import random
from dataclasses import dataclass, field

from core_support.operate_reference import CONDITIONS, OPERATES, Q, overflows, sext32
from mcpi.cocotb.core import HALT, PAL, assemble
from mcpi.isa import encode, table

USER, DATA, HERE = 0x100000, 0x20000, 0x20100
OPCDEC, FEN, ARITH = 0x13E0, 0x17E0, 0x60
OFFSET = 5  # RPCC's upper half
IN_MEMORY = 0x8877665544332211
VALUES = [(0, 0x5A), (1, 3), (Q, 62), (1 << 63, (1 << 63) - 1), (0x0123456789ABCDEF, 0x8081)]
CALLS = {row.name for row in table.of_group("call")}
PAIR = encode.word("ldq_l", ra=4, rb=2)


@dataclass
class Case:
    """Case of an instruction; $1 and $2 hold ``a`` and ``b`` before it, HERE holds IN_MEMORY."""

    name: str
    word: int
    a: int = 0
    b: int = HERE
    pal: bool = False  # in PAL mode
    before: tuple[int, ...] = ()
    register: int | None = None  # it writes this one
    value: int | None = None  # no value: whatever
    memory: tuple[bool, int, int] | None = None  # store, address, data (0 for a load)
    goes: int = 4  # distance to the next instruction
    lands: int | None = None  # or its address, bit 0: PAL mode
    trap: int | None = None  # behind it

    @property
    def at(self) -> int:
        return (PAL + 0x3E00 if self.pal else USER) + 4 * len(self.before)

    def program(self) -> list[tuple[int, bytes]]:
        """Code and data: address, bytes."""
        entries = "".join(
            f".org {0x2000 + 0x40 * f}\nhw_mfpr $21, 0x24\n{HALT}"
            for f in [*range(0x40), *range(0x40, 0x80)]
        )
        start = (
            f".org 0x{0x3E40:x}\nstart: ldah $1, 1($31)\nhw_mtpr $1, 0x2b\nlda $5, {OFFSET}($31)\n"
        )
        start += "sll $5, 32, $5\nhw_mtpr $5, 0x50\nlda $5, 99($31)\nhw_mtpr $5, 0x85\n"
        start += f"ldah $30, {DATA >> 16}($31)\nldq $1, 0($30)\nldq $2, 8($30)\n"
        start += f"lda $5, {USER >> 16}($31)\nsll $5, 16, $5\nhw_mtpr $5, 0x24\n"
        start += "br $31, tested\n" if self.pal else "hw_rei\n"
        words = "".join(f".long {w:#x}\n" for w in (*self.before, self.word))
        stop = HALT + HALT + HALT
        traps = f".org 0x60\nhw_mfpr $22, 0x2a\n{HALT}"
        tested = f".org 0x3e00\ntested:\n{words}{stop}" if self.pal else ""
        # PALcode's last calls and the tested instruction would overlap: they are left out.
        keep = entries.split(".org 15872")[0] + tested
        pal = f"br $31, start\n{traps}{keep}{start}"
        words_in_user_mode = () if self.pal else (*self.before, self.word)
        user = b"".join(w.to_bytes(4, "little") for w in words_in_user_mode)
        user += 2 * (0x0000003F).to_bytes(4, "little")
        data = self.a.to_bytes(8, "little") + self.b.to_bytes(8, "little")
        return [
            (PAL, assemble(pal)),
            (USER, user),
            (USER + 0x40, (0x3F).to_bytes(4, "little")),
            (DATA, data),
            (HERE, IN_MEMORY.to_bytes(8, "little")),
        ]


@dataclass
class Done:
    """A retirement, as either engine tells it."""

    pc: int
    register: int | None = None
    value: int = 0
    memory: tuple[bool, int, int] | None = None
    trap: int | None = None  # its vector: not an instruction


def check(case: Case, done: list[Done]) -> None:
    """The instruction did what the case says, and nothing else."""
    pc = case.at | case.pal
    told = f"{case.name} {case.word:08x}, $1 = {case.a:#x}, $2 = {case.b:#x}"
    at = next((n for n, d in enumerate(done) if d.pc == pc and d.trap is None), None)
    assert at is not None, f"{told}: did not retire"
    this, after = done[at], done[at + 1]
    assert this.register == case.register, f"{told}: writes ${this.register}"
    if case.value is not None:
        assert this.value == case.value, f"{told}: gives {this.value:#x}, not {case.value:#x}"
    assert this.memory == case.memory, f"{told}: memory {this.memory}"
    assert after.trap == case.trap, f"{told}: trap {after.trap}"
    lands = case.lands if case.lands is not None else pc + case.goes
    assert after.pc == lands, f"{told}: goes to {after.pc:#x}, not {lands:#x}"
    if case.name in CALLS:
        assert after.value == case.at + 4, f"{told}: EXC_ADDR"


def cases() -> list[Case]:
    found = []
    for row in table.rows():
        made = list(_KINDS[row.format](row.name, row.match))
        assert made, row.name
        found += made
    return found


def _operate(name: str, match: int):
    base = name.removesuffix("/v")
    for a, b in VALUES:
        for literal in (False, True):
            word = match | 1 << 21 | 3
            word |= (b & 0xFF) << 13 | 1 << 12 if literal else 2 << 16
            y = b & 0xFF if literal else b
            case = Case(name, word, a, b, register=3)
            if name.startswith("cmov"):
                case.value = y
                if not CONDITIONS[name[4:]](a):
                    case.register = case.value = None
            elif name == "amask":
                case.word |= 31 << 21
                case.value = y
            elif name == "implver":
                case.word = match | 31 << 21 | 1 << 13 | 1 << 12 | 3
                case.value = 0
            else:
                case.value = OPERATES[base](a, y)
                if name != base and overflows(base, a, y):
                    case.trap, case.lands = ARITH, case.at + 4
            yield case


def _memory(name: str, match: int):
    word = match | 1 << 21 | 2 << 16
    a, upper = 0x123456789ABCDEF0, IN_MEMORY >> 32
    if name in ("lda", "ldah"):
        for disp in (0x7FFF, 0x8000):
            offset = (disp - 0x10000 if disp & 0x8000 else disp) << (16 if name == "ldah" else 0)
            yield Case(name, word | disp, a, register=1, value=(HERE + offset) & Q)
        return
    long = name[2] == "l"
    disp = 4 if long else 3 if name.endswith("_u") else 0
    if name.startswith("ld"):
        value = sext32(upper) if long else IN_MEMORY
        yield Case(name, word | disp, a, register=1, value=value, memory=(False, HERE + disp, 0))
        yield Case(name, word | 31 << 21 | disp, a)  # to r31: nothing at all
        return
    access = (True, HERE + disp, a)
    if name.endswith("_c"):
        yield Case(name, word | disp, a, register=1, value=0, memory=access)
        yield Case(name, word | disp, a, before=(PAIR,), register=1, value=1, memory=access)
    else:
        yield Case(name, word | disp, a, memory=access)


def _branch(name: str, match: int):
    if name in ("br", "bsr"):
        yield Case(name, match | 1 << 21 | 0xF, register=1, value=USER + 4, goes=0x40)
        return
    for a in (0, 1, 2, Q, 1 << 63):
        taken = CONDITIONS[name.removeprefix("b")](a)
        yield Case(name, match | 1 << 21 | 0xF, a, goes=0x40 if taken else 4)


def _jump(name: str, match: int):
    b = USER + 0x43  # bits 1:0 of the target are dropped
    word = match | 1 << 21 | 2 << 16 | 0x155
    yield Case(name, word, b=b, register=1, value=USER + 4, lands=USER + 0x40)
    yield Case(name, match | 2 << 21 | 2 << 16, b=b, register=2, value=USER + 4, lands=USER + 0x40)


def _misc(name: str, match: int):
    word = match | 1 << 21 | 2 << 16
    if name == "rpcc":
        yield Case(name, word, register=1)
    elif name in ("rc", "rs"):
        set_flag, clear_flag = encode.word("rs", ra=5), encode.word("rc", ra=5)
        yield Case(name, word, before=(set_flag,), register=1, value=1)
        yield Case(name, word, before=(set_flag, clear_flag), register=1, value=0)
    else:
        yield Case(name, word)


def _pal(name: str, match: int):
    f = match & 0xFF
    entry = (0x2000 if f < 0x80 else 0x3000) + 0x40 * (f & 0x3F)
    yield Case(name, match, lands=PAL + entry + 1)


def _reserved(name: str, match: int):
    ra_rb = 1 << 21 | 2 << 16
    if name == "hw_mfpr":
        yield Case(name, match | 1 << 21 | 1 << 16 | 0x85, pal=True, register=1, value=99)
    elif name == "hw_mtpr":
        write, read = (
            match | 2 << 21 | 2 << 16 | 0x86,
            encode.word("hw_mfpr", ra=4, rb=4, disp=0x86),
        )
        yield Case(name, write, pal=True)
        yield Case(name, read, pal=True, before=(write,), register=4, value=HERE)
    elif name == "hw_rei":
        yield Case(name, encode.word(name), pal=True, lands=USER)
    else:
        store, a = name == "hw_st", 0x123456789ABCDEF0
        for quad in (False, True):
            word = match | ra_rb | 1 << 15 | quad << 12 | 0xFF8  # disp -8
            value = None if store else IN_MEMORY if quad else sext32(IN_MEMORY)
            access = (store, HERE, a if store else 0)
            case = Case(name, word, a, HERE + 8, pal=True, value=value, memory=access)
            case.register = None if store else 1
            yield case


_KINDS = {
    "operate": _operate,
    "memory": _memory,
    "branch": _branch,
    "jump": _jump,
    "misc": _misc,
    "call": _pal,
    "internal": _reserved,
    "physical": _reserved,
    "return": _reserved,
}


@dataclass
class Reserved:
    """Words that are no instruction, and the vector each must trap to."""

    seed: int
    words: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = random.Random(self.seed)
        known = [(row.match, row.mask) for row in table.rows()]

        def add(word: int, vector: int) -> None:
            assert not any(word & mask == match for match, mask in known if match >> 26)
            self.words.append((word, vector))

        for opcode in table.reserved():
            for _ in range(4):  # LDBU, LDWU, STW, STB, SEXTB and SEXTW among them
                add(opcode << 26 | rng.getrandbits(26), OPCDEC)
        add(0x73E11003 & ~0xFFE0 | 0x00 << 5, OPCDEC)  # SEXTB
        add(0x73E11003 & ~0xFFE0 | 0x01 << 5, OPCDEC)  # SEXTW
        for opcode in table.opcodes("floating"):
            for _ in range(3):
                add(opcode << 26 | rng.getrandbits(26), FEN)
        for opcode in range(0x10, 0x14):
            there = {m >> 5 & 0x7F for m, _ in known if m >> 26 == opcode}
            for function in sorted(set(range(128)) - there):
                fields = rng.getrandbits(26) & ~(0x7F << 5)
                add(opcode << 26 | fields | function << 5, OPCDEC)
        misc = {m & 0xFFFF for m, _ in known if m >> 26 == 0x18}
        near = {m ^ 1 << bit for m in misc for bit in range(16)} | set(rng.sample(range(65536), 60))
        for function in sorted(near - misc):
            add(0x60000000 | rng.getrandbits(10) << 16 | function, OPCDEC)
        for opcode in sorted(row.opcode for row in table.rows() if row.mode == "pal"):  # outside it
            for _ in range(4):
                self.words.append((opcode << 26 | rng.getrandbits(26), OPCDEC))
        calls = [*range(0x40, 0x80), *range(0xC0, 0x100)]
        calls += [1 << n | rng.choice([0, 0x35, 0x83]) for n in range(8, 26)]
        for function in calls:
            self.words.append((function, OPCDEC))

    def program(self) -> list[tuple[int, bytes]]:
        """All of them in a row; the handlers go on behind each."""
        skip = "hw_mfpr $21, 0x24\naddq $21, 4, $21\nhw_mtpr $21, 0x24\nhw_rei\n"
        pal = f"br $31, start\n.org {OPCDEC}\n{skip}.org {FEN}\n{skip}.org {0x2FC0}\n{HALT}"
        pal += (
            f".org 0x3f00\nstart: ldah $1, 1($31)\nhw_mtpr $1, 0x2b\nldah $5, {USER >> 16}($31)\n"
        )
        pal += "hw_mtpr $5, 0x24\nhw_rei\n"
        words = b"".join(w.to_bytes(4, "little") for w, _ in self.words)
        return [(PAL, assemble(pal)), (USER, words + (0x3F).to_bytes(4, "little"))]

    def check(self, done: list[Done]) -> None:
        traps = [(d.pc, d.trap) for d in done if d.trap is not None]
        wanted = [(USER + 4 * n, vector) for n, (_, vector) in enumerate(self.words)]
        for got, want in zip(traps, wanted, strict=False):
            word = self.words[(want[0] - USER) // 4][0]
            assert got == want, f"{word:08x} at {want[0]:x}: {got}, not {want}; seed {self.seed}"
        assert len(traps) == len(wanted)
        executed = [d.pc for d in done if d.trap is None and d.pc >= USER]
        assert executed == [USER + 4 * len(wanted)], "only the last one is an instruction"
