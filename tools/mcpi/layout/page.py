# SPDX-License-Identifier: BSD-2-Clause
"""One self-contained HTML page: two variants' cache maps side by side (the paper's Figure 2)."""

from html import escape

from mcpi.layout import maps
from mcpi.layout.maps import Geometry
from mcpi.layout.placed import DATA, Traced
from mcpi.layout.replay import Replay

SHOWN = 12  # pairs of functions in a table
STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5em; color: #222; background: #fff }
h1 { font-size: 1.3em } h2 { font-size: 1.05em; margin: 1.2em 0 .3em } p { max-width: 62em }
.two { display: flex; flex-wrap: wrap; gap: 2em; align-items: flex-start }
svg { display: block } svg text { font: 9px ui-monospace, monospace; fill: #555 }
.r { text-anchor: end } .l { text-anchor: middle } .p { fill: #e4e4e4 } .m { fill: #b03030 }
.x { fill: none; stroke: #d00000; stroke-width: 1.2 } .dim .f { opacity: .15 }
.dim .f.on { opacity: 1 } table { border-collapse: collapse; font-size: 13px }
td, th { padding: .1em .7em; text-align: left; border-bottom: 1px solid #eee }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
ol { columns: 5 13em; padding-left: 2em; font-size: 12px } li { cursor: default }
li i { display: inline-block; width: .8em; height: .8em; margin-right: .4em }
li b { font-weight: 600 }
"""
SCRIPT = """
const shine = name => {
  document.body.classList.toggle('dim', name !== null);
  document.querySelectorAll('.f').forEach(e => e.classList.toggle('on', e.dataset.f === name));
};
document.querySelectorAll('[data-f]').forEach(e => {
  e.addEventListener('mouseenter', () => shine(e.dataset.f));
  e.addEventListener('mouseleave', () => shine(null));
});
"""


def page(stack: str, pair: list[tuple[Traced, Replay, Replay]], g: Geometry, command: str) -> str:
    """The whole page as text."""
    names = list(dict.fromkeys(name for traced, _, _ in pair for name in traced.called()))
    colour = maps.colours(names) | {DATA: "#8a8a8a"}
    titles = [f"{t.variant.upper()}" for t, _, _ in pair]
    body = [
        f"<h1>{stack.upper()}: {' and '.join(titles)} in the caches</h1>",
        f"<p>One invocation of the path, client side. In the I-cache's map a row is {g.icache:,} "
        "bytes of memory, a column one set: of what stands in one column, only one block can be "
        "in the cache. Grey is code that is there and was not executed: gaps. Below, the misses "
        "of each set, the path's trace replayed over and over (interrupts and other threads, "
        "which run in between, are not in it). Point at a function to see it everywhere.</p>",
        _two(lambda t, i, b: _heading(t, i, g) + maps.code(t, i, g, colour), pair),
        "<h2>b-cache: code and data of the path</h2>",
        f"<p>{g.bcache:,} bytes, a row for each {g.icache:,} of them that the path uses; data is "
        "grey; framed in red: sets that two blocks want.</p>",
        _two(lambda t, i, b: f"<p>{b.misses:.1f} misses</p>" + maps.both(t, g, colour), pair),
        "<h2>Who drives out whom, times an invocation</h2>",
        _two(lambda t, i, b: _table("I-cache", i) + _table("b-cache", b), pair),
        "<h2>Functions in call order</h2>",
        _legend(names, colour, pair),
        f"<p>Again: <code>{escape(command)}</code></p>",
    ]
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{stack}: {' '.join(titles)}</title><style>{STYLE}</style></head><body>"
        + "\n".join(body)
        + f"<script>{SCRIPT}</script></body></html>\n"
    )


def _two(make, pair) -> str:
    return '<div class="two">' + "".join(f"<div>{make(*one)}</div>" for one in pair) + "</div>"


def _heading(traced: Traced, misses: Replay, g: Geometry) -> str:
    steps = traced.invocations[-1]
    blocks = len({s.pc // g.block for s in steps})
    return (
        f"<h2>{escape(traced.variant.upper())} <small>({escape(traced.layout)})</small></h2>"
        f"<p>{len(steps):,} instructions in {blocks} blocks; {misses.misses:.0f} I-cache misses</p>"
    )


def _table(what: str, replay: Replay) -> str:
    rows = "".join(
        f'<tr><td>{escape(victim)}</td><td>{escape(by)}</td><td class="n">{n:.1f}</td></tr>'
        for (victim, by), n in replay.pairs.most_common(SHOWN)
    )
    return (
        f'<table><tr><th>{what}: missed</th><th>driven out by</th><th class="n">blocks</th></tr>'
        f"{rows}</table>"
    )


def _legend(names: list[str], colour: dict[str, str], pair) -> str:
    library = frozenset().union(*(t.library for t, _, _ in pair))
    items = (
        f'<li data-f="{escape(n)}"><i style="background:{colour[n]}"></i>'
        + (f"<b>{escape(n)}</b>" if n in library else escape(n))
        + "</li>"
        for n in names
    )
    bold = "<p>Bold: library functions, called more than once.</p>" if library else ""
    return bold + f"<ol>{''.join(items)}</ol>"
