# SPDX-License-Identifier: BSD-2-Clause
"""Table 3's stretches of the way up, each from one function's entry to another's, and the markers
by which a run with a cold invocation counts their ticks (docs/reference/counters.md, windows)."""

import json
from pathlib import Path

from mcpi.firmware.elf import COMPARATORS, EVENT, PATH, WINDOWS, Marker
from mcpi.firmware.regions import CLOSE, OPEN, Image, text

FILE = "markers.0.csv"
#: The ends in each stack.
ENDS = {
    "ip_input_to_tcp_input": (("ip_demux", "tcp_demux"), ("ipintr", "tcp_input")),
    "tcp_input_to_socket_input": (("tcp_demux", "clientStreamDemux"), ("tcp_input", "sowakeup")),
}
#: The window that counts each.
COUNTED_BY = dict(zip(ENDS, ("hold", "probe")))
_PAUSES, _INVOCATION = (3, 4), 5
_NUMBERS = {name: number for number, name in WINDOWS.items()}


def markers(image: Path) -> str:
    """Lines of the image's markers and those of its stretches, which pause with the path; empty
    if it has not the functions, counts something else in these windows, or leaves too few
    comparators."""
    read = Image(image)
    copies = image.with_suffix(".json")
    entry = _entries(read, copies if copies.is_file() else None)
    pauses = [m for m in read.markers if m.action in _PAUSES]
    more = []
    for stretch, pairs in ENDS.items():
        window = _NUMBERS[COUNTED_BY[stretch]]
        for first, last in pairs:
            if first in entry and last in entry:
                more += [Marker(entry[first], action, window) for action in (_INVOCATION, OPEN)]
                more.append(Marker(entry[last], CLOSE, window))
                more += [Marker(m.address, m.action, window) for m in pauses]
    found = [*read.markers, *more]
    taken = any(m.action != EVENT and m.window != PATH for m in read.markers)
    needed = sum(m.action != EVENT for m in found)
    return "" if not more or taken or needed > COMPARATORS else text(found)


def _entries(image: Image, copies: Path | None) -> dict[str, int]:
    """Where every caller of a function comes by: behind the load of gp, which some leave out; of a
    function that the cloner has copied, in the copy."""
    found = {name: f.entry or f.start for name, f in image.program.functions.items()}
    for copy in json.loads(copies.read_text())["copies"] if copies else ():
        into = (found[copy["function"]] - copy["source"]) // 4
        into -= sum(n < into for n in copy["dropped"])
        found[copy["function"]] = copy["target"] + 4 * into
    return found
