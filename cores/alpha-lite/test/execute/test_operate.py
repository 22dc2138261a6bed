# SPDX-License-Identifier: BSD-2-Clause
"""Every operate instruction against tiny Python definitions, with random and corner operands."""

import os
import random

import cocotb
from core_support.operate_reference import CONDITIONS, OPERATES, Q, overflows

from mcpi.cocotb.core import DATA, HALT, run
from mcpi.hdl.cocotb_run import run_cocotb

SEED = int(os.environ.get("MCPI_SEED", "1996"))
CORNERS = [
    0,
    1,
    Q,
    1 << 63,
    (1 << 63) - 1,
    1 << 31,
    (1 << 31) - 1,
    Q - (1 << 31),
    0xFF,
    0x80,
    0x0123456789ABCDEF,
    0x8080808080808080,
]


def test_operate():
    run_cocotb(__file__, "AlphaLite")


def value(rng: random.Random) -> int:
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(CORNERS)
    if kind == 1:
        return rng.getrandbits(64)
    if kind == 2:
        return rng.getrandbits(7)
    return (rng.getrandbits(64) >> rng.randrange(64)) ^ (Q if rng.random() < 0.5 else 0)


class Program:
    """Random operates over registers $1 to $27; $30 holds the data's address."""

    def __init__(self, rng: random.Random):
        self.rng, self.lines, self.expected = rng, [], []
        self.state = {n: value(rng) for n in range(1, 28)} | {31: 0}
        self.initial = dict(self.state)
        self.lines.append(f"ldah $30, {DATA >> 16}($31)")
        self.lines += [f"ldq ${n}, {8 * n}($30)" for n in range(1, 28)]

    def set(self, register: int, result: int) -> None:
        if register != 31:
            self.state[register] = result
            self.expected.append((register, result))

    def source(self) -> int:
        recent = [r for r, _ in self.expected[-3:]]
        return self.rng.choice(recent + [self.rng.choice([*range(1, 28), 31])] * 2)

    def operate(self, name: str) -> None:
        a, c = self.source(), self.rng.choice([*range(1, 28), 31])
        literal = self.rng.random() < 0.3
        b = self.rng.getrandbits(8) if literal else self.source()
        vb = b if literal else self.state[b]
        self.lines.append(f"{name} ${a}, {b if literal else f'${b}'}, ${c}")
        if name.startswith("cmov"):
            if CONDITIONS[name[4:]](self.state[a]):
                self.set(c, vb)
        else:
            self.set(c, OPERATES[name](self.state[a], vb))

    def address(self, high: bool) -> None:
        b, c = self.source(), self.rng.choice([*range(1, 28), 31])
        disp = self.rng.randrange(-0x8000, 0x8000)
        self.lines.append(f"{'ldah' if high else 'lda'} ${c}, {disp}(${b})")
        self.set(c, (self.state[b] + (disp << 16 if high else disp)) & Q)

    async def check(self, dut, **switches) -> None:
        def setup(b) -> None:
            for n, v in self.initial.items():
                b.put(DATA + 8 * n, v)

        text = "\n".join(self.lines) + "\nmb\n" + HALT
        b = await run(dut, text, setup=setup, limit=200000, **switches)
        got = [(r.register, r.value) for r in b.retired if r.register is not None][28:]
        writes = [r.instruction for r in b.retired if r.register is not None][28:]
        for n, (g, e) in enumerate(zip(got, self.expected)):
            assert g == e, f"write {n} ({writes[n]:08x}): got {g}, expected {e}; seed {SEED}"
        assert len(got) == len(self.expected), f"{len(got)} writes of {len(self.expected)}"


@cocotb.test()
async def each_operate(dut):
    """Each mnemonic 12 times, in random order, so that all forwarding paths mix."""
    rng = random.Random(SEED)
    names = [*OPERATES, *(f"cmov{c}" for c in CONDITIONS), "lda", "ldah"] * 12
    rng.shuffle(names)
    p = Program(rng)
    for name in names:
        p.address(name == "ldah") if name in ("lda", "ldah") else p.operate(name)
    dut._log.info(f"{len(names)} instructions, seed {SEED}")
    await p.check(dut)
    await p.check(dut, ideal=1)


@cocotb.test()
async def corner_operands(dut):
    """Every operate but the multiplies, on corner values only."""
    rng = random.Random(SEED)
    p = Program(rng)
    p.initial = {n: CORNERS[n % len(CORNERS)] for n in range(1, 28)}
    p.state = dict(p.initial) | {31: 0}
    for name in OPERATES:
        if name.startswith(("mul", "umul")):
            continue
        for _ in range(14):
            p.operate(name)
    await p.check(dut)


@cocotb.test()
async def overflow_traps(dut):
    """/V forms write their result, and trap if and only if it does not fit; EXC_ADDR is next."""
    rng = random.Random(SEED)
    cases, lines = [], [f"ldah $30, {DATA >> 16}($31)", "lda $29, 0($31)"]
    for name in ("addl", "subl", "addq", "subq", "mull", "mulq"):
        for _ in range(14):
            cases.append((name, value(rng), value(rng)))
    for n, (name, _, _) in enumerate(cases):
        lines += [
            f"ldq $1, {16 * n}($30)",
            f"ldq $2, {16 * n + 8}($30)",
            f"{name}/v $1, $2, $3",
            f"lda $28, {n}($31)",
        ]

    # The handler reads EXC_SUM into $27, clears it, reads it again into $26 and goes on.
    handler = "hw_mfpr $27, 0x2a\nhw_mtpr $31, 0x2a\nhw_mfpr $26, 0x2a\nhw_rei\n"
    text = "\n".join([f"br $31, 1f\n.org 0x60\n{handler}1:", *lines, HALT])
    b = await run(dut, text, data=[operand for _, *both in cases for operand in both])
    traps = {r.pc for r in b.retired if r.trap == 0x60}
    results = iter([r for r in b.retired if r.register == 3])
    sums = [r.value for r in b.retired if r.register == 27]
    assert len(traps) == len(sums) and all(s == 0x100 for s in sums)
    cleared = [r.value for r in b.retired if r.register == 26]
    assert len(cleared) == len(sums) and not any(cleared)
    for name, x, y in cases:
        r = next(results)
        assert r.value == OPERATES[name](x, y), (name, hex(x), hex(y))
        assert (r.pc + 4 in traps) == overflows(name, x, y), (name, hex(x), hex(y))
