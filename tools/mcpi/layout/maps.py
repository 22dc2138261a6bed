# SPDX-License-Identifier: BSD-2-Clause
"""Maps of caches as SVG: memory folded at the size of a cache, coloured by function.

A row is one I-cache size of memory, a column one I-cache set: what stands in one column cannot be
in the I-cache together. The b-cache's map has a row for each such part of it that the path uses.
"""

from collections import Counter
from dataclasses import dataclass
from html import escape

from mcpi.layout.placed import DATA, Traced
from mcpi.layout.replay import Replay, ram

CELL, ROW, LEFT, BAR = 2.5, 12, 74, 44  # pixels: a set, a row, labels, the bars of misses
GOLDEN = 137.508


@dataclass(frozen=True)
class Geometry:
    """Bytes."""

    icache: int
    bcache: int
    block: int

    @property
    def sets(self) -> int:
        return self.icache // self.block


def colours(names: list[str]) -> dict[str, str]:
    """Each function its colour, the same in every map."""
    return {
        name: f"hsl({i * GOLDEN % 360:.0f} {62 + i % 3 * 12}% {44 + i % 4 * 7}%)"
        for i, name in enumerate(names)
    }


def code(traced: Traced, misses: Replay, g: Geometry, colour: dict[str, str]) -> str:
    """The I-cache's map, and under it the misses of each set."""
    executed: dict[int, Counter] = {}
    for steps in traced.invocations[-1:]:
        for step in steps:
            executed.setdefault(step.pc // g.block, Counter())[traced.name(step.pc)] += 1
    pages = sorted({b // g.sets for b in executed})
    width, height = LEFT + CELL * g.sets + 14, ROW * len(pages) + BAR + 30
    out = [_open(width, height)]
    for row, page in enumerate(pages):
        y = row * ROW
        start = page * g.icache
        out.append(_text(LEFT - 6, y + ROW - 3, f"{start & (1 << 34) - 1:x}"))
        out += _present(traced, start, y, g)
        blocks = [
            (b % g.sets, executed[b].most_common(1)[0][0], b * g.block)
            for b in range(page * g.sets, (page + 1) * g.sets)
            if b in executed
        ]
        out += [_run(*run, y, colour) for run in _runs(blocks)]
    base = ROW * len(pages) + BAR
    top = max(misses.by_set.values(), default=1) or 1
    for at in range(g.sets):
        if n := misses.by_set[at]:
            h = (BAR - 8) * n / top
            out.append(
                f'<rect class="m" x="{LEFT + at * CELL}" y="{base - h:.1f}" width="{CELL}" '
                f'height="{h:.1f}"><title>set {at}: {n:.1f} misses an invocation</title></rect>'
            )
    out.append(_text(LEFT - 6, base - BAR + 16, f"{top:.0f} misses"))
    for at in range(0, g.sets + 1, g.sets // 4):
        out.append(f'<text class="l" x="{LEFT + at * CELL}" y="{base + 14}">{at}</text>')
    return "".join([*out, "</svg>"])


def both(traced: Traced, g: Geometry, colour: dict[str, str]) -> str:
    """The b-cache's map: code by function, data grey, and red where two blocks want one set."""
    if not g.bcache:
        return "<p>This machine has no b-cache.</p>"
    users: dict[int, dict[int, str]] = {}
    for steps in traced.invocations:
        for step in steps:
            _use(users, step.pc, traced.name(step.pc), g)
            if step.address is not None and ram(step.address):
                _use(users, step.address, DATA, g)
    pages = sorted({at // g.sets for at in users})
    width, height = LEFT + CELL * g.sets + 14, ROW * len(pages) + 8
    out = [_open(width, height)]
    for row, page in enumerate(pages):
        y = row * ROW
        out.append(_text(LEFT - 6, y + ROW - 3, f"{page * g.icache:x}"))
        for at in range(page * g.sets, (page + 1) * g.sets):
            for block, name in list(users.get(at, {}).items())[:1]:
                out.append(_run(at % g.sets, 1, name, block * g.block, y, colour))
            if len(users.get(at, {})) > 1:
                who = " and ".join(f"{n} {b * g.block:x}" for b, n in users[at].items())
                out.append(
                    f'<rect class="x" x="{LEFT + at % g.sets * CELL}" y="{y}" width="{CELL}" '
                    f'height="{ROW - 1}"><title>set {at}: {escape(who)}</title></rect>'
                )
    return "".join([*out, "</svg>"])


def _use(users: dict, address: int, name: str, g: Geometry) -> None:
    block = (address & (1 << 34) - 1) // g.block
    users.setdefault(block % (g.bcache // g.block), {}).setdefault(block, name)


def _present(traced: Traced, start: int, y: int, g: Geometry) -> list[str]:
    """Grey: code that is there; what was executed comes over it."""
    out = []
    for span in traced.spans:
        a, b = max(span.start, start), min(span.end, start + g.icache)
        if a < b:
            x, w = LEFT + (a - start) / g.block * CELL, (b - a) / g.block * CELL
            out.append(
                f'<rect class="p" x="{x:.2f}" y="{y}" width="{w:.2f}" height="{ROW - 1}">'
                f"<title>{escape(span.function)}, not executed</title></rect>"
            )
    return out


def _runs(blocks: list[tuple[int, str, int]]) -> list[tuple[int, int, str, int]]:
    """Neighbouring blocks of one function together: set, number, name, address."""
    runs: list[tuple[int, int, str, int]] = []
    for at, name, address in blocks:
        if runs and runs[-1][0] + runs[-1][1] == at and runs[-1][2] == name:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1, name, runs[-1][3])
        else:
            runs.append((at, 1, name, address))
    return runs


def _run(at: int, number: int, name: str, address: int, y: int, colour: dict[str, str]) -> str:
    return (
        f'<rect class="f" data-f="{escape(name)}" x="{LEFT + at * CELL}" y="{y}" '
        f'width="{number * CELL}" height="{ROW - 1}" fill="{colour.get(name, "#999")}">'
        f"<title>{escape(name)} {address & (1 << 34) - 1:x}, set {at}</title></rect>"
    )


def _open(width: float, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}">'
    )


def _text(x: float, y: float, text: str) -> str:
    return f'<text class="r" x="{x}" y="{y}">{escape(text)}</text>'
