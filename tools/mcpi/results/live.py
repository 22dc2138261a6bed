# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi run --live``: both machines' counters while they run, above the bars; plain lines
without a terminal."""

import sys
import time
from collections.abc import Mapping

from mcpi.base.progress import Bar
from mcpi.results.summary import OWNERS, SIDES

PLAIN_SECONDS = 2.0  # between lines without a terminal
CACHES = {"I": "icache", "D": "dcache", "b": "bcache"}
MOST = 3  # owners in a plain line
Counts = Mapping[str, int]


class Screen(Bar):
    """``watch`` shows what the simulator told last."""

    def __init__(self) -> None:
        super().__init__()
        self._screen = None
        self._state: dict | None = None
        self._unsaid = False
        self._spoke = -PLAIN_SECONDS

    def __enter__(self) -> "Screen":
        if self.live:
            from rich.live import Live

            self._screen = Live(self.live, console=self.live.console, transient=True)
            self._screen.start()
        return self

    def __exit__(self, *_) -> None:
        if self._screen:
            self._screen.stop()
        elif self._unsaid:
            self._speak()

    def watch(self, state: dict) -> None:
        """``told``: ``tick``, ``round_trips``, ``frames``, and counters of each of ``nodes``."""
        self._state, self._unsaid = state, True
        if self._screen:
            from rich.console import Group

            self._screen.update(Group(table(state), self.live))
        elif time.monotonic() - self._spoke >= PLAIN_SECONDS:
            self._speak()

    def _speak(self) -> None:
        self._spoke, self._unsaid = time.monotonic(), False
        print("\n".join(lines(self._state)), file=sys.stderr, flush=True)


def table(state: dict):
    """For a terminal: a row for each owner that has ticks, then the caches' hit rates."""
    from rich.table import Table

    nodes = state["nodes"]
    grid = Table(box=None, pad_edge=False, title=_when(state), title_justify="left")
    grid.add_column("")
    for side in SIDES:
        grid.add_column(side, justify="right")
        grid.add_column("%", justify="right")
    grid.add_column("")
    for owner, means in OWNERS.items():
        ticks = [node[f"owner.{owner}"] for node in nodes]
        if any(ticks):
            cells = [c for n, t in zip(nodes, ticks) for c in (f"{t:,}", _percent(t, n["ticks"]))]
            grid.add_row(owner, *cells, means)
    for title, cache in CACHES.items():
        cells = [c for node in nodes for c in ("", _hits(node, cache))]
        grid.add_row(f"{title}-cache hits", *cells, style="bold")
    return grid


def lines(state: dict) -> list[str]:
    """The same for a log: where it stands, and a line for each machine."""
    said = [f"live {_when(state)}"]
    for side, node in zip(SIDES, state["nodes"]):
        ticks = {owner: node[f"owner.{owner}"] for owner in OWNERS}
        largest = sorted((o for o in ticks if ticks[o]), key=lambda o: -ticks[o])[:MOST]
        owners = ", ".join(f"{o} {_percent(ticks[o], node['ticks'])} %" for o in largest)
        hits = ", ".join(f"{title} {_hits(node, cache)} %" for title, cache in CACHES.items())
        said.append(f"  {side:<7}{owners}; hits {hits}" if owners else f"  {side:<7}counts nothing")
    return said


def _when(state: dict) -> str:
    return (
        f"{state['tick'] / 1e6:.1f} M ticks, {state['round_trips']} round trips, "
        f"{state['frames']} frames"
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def _hits(node: Counts, cache: str) -> str:
    accesses = node[f"{cache}.accesses"]
    return _percent(accesses - node[f"{cache}.misses"], accesses)
