# SPDX-License-Identifier: BSD-2-Clause
"""The table of one run, drawn from its ``result.json`` alone, next to the paper's values."""

from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from mcpi.base.progress import counted
from mcpi.machine import calibrated, counters
from mcpi.papers import published
from mcpi.results import stretches, trip_table

SIDES = ("client", "server")
NARROW = 64  # columns; below, tables leave out words and shares
UNTRANSLATED = "core.translation = tlb: the stack runs in KSEG, which no TLB translates."
OWNERS = {name: row.short for name, row in counters.owners().items()}
CACHES = {"icache": "I-cache", "dcache_write_buffer": "D-cache + write buffer", "bcache": "b-cache"}
FETCH = {
    "blocks": "distinct blocks used",
    "unused_percent": "unused fetch slots, %",
    "unused_per_fill_percent": "the same per fill, %",
}
RANGES = {
    "in_ipintr": "in ipintr",
    "ip_checksum": "of it the header's checksum",
    "in_tcp_input": "in tcp_input",
    "ip_input_to_tcp_input": "IP input to TCP input",
    "tcp_input_to_socket_input": "TCP input to socket input",
}
STRETCHES = {"ip_input_to_tcp_input": "IP", "tcp_input_to_socket_input": "TCP"}
PARTS = {
    "client_send": "client, down the stack",
    "request_controller_and_wire": "controllers and wire",
    "server": "server",
    "reply_controller_and_wire": "controllers and wire",
    "client_receive": "client, up the stack",
}


def show(result: dict, console: Console) -> None:
    """Print everything a run has to say; what it did not measure does not appear."""
    about = result["provenance"]
    stack, variant = about["stack"], about["variant"]
    console.print()
    settings = " ".join(f"{k}={v}" for k, v in about.get("settings", {}).items())
    faults = [f"wire {fault}" for fault in about.get("wire", [])]
    found = [f"path {about['path']}"] if "path" in about else []
    settings = " ".join([settings, *about.get("defines", []), *found, *faults]).strip()
    own = about.get("image")
    peer = about["peer_variant"]
    server = f", server {peer.upper()}," if peer != variant and not own else ""
    title = Path(stack).stem.upper()
    console.print(
        f"[bold]{title} {own or variant.upper()}[/]{server} on {about['machine']} "
        f"{settings}".rstrip()
        + f", engine {about['engine']}"
    )
    for line in calibrated.words(about.get("calibration", {})):
        console.print(f"  {line}", style="dim", soft_wrap=True)
    if about.get("translation"):
        console.print(f"  {UNTRANSLATED}", style="dim", soft_wrap=True)
    theirs, trip = published.path(stack, variant), published.round_trip(stack, variant)
    if theirs and (why := _not_the_papers(about)):
        if not own and not published.otherwise(about["machine"], about.get("settings", {})):
            console.print(f"  without the paper's values: {why}", style="dim", soft_wrap=True)
        theirs, trip = {}, {}
    _round_trip(result, trip, console)
    narrow = console.width < NARROW
    if "time_line" in result:
        console.print(trip_table.table(result, words=not narrow))
        console.print(trip_table.meanwhile(result), soft_wrap=True)
        console.print()
    console.print(_path(result, theirs, narrow))
    if "in_ipintr" in result.get("ranges", {}):
        console.print(_ranges(result["ranges"], bool(theirs)), soft_wrap=True)
        if "stretches" in result:
            console.print(_stretches(result["stretches"], narrow))
    console.print(_owners(result, narrow))


def _not_the_papers(about: dict) -> str:
    """Differences of a run from the paper's of its stack and variant; '' if there are none."""
    found = published.otherwise(about["machine"], about.get("settings", {}))
    found += [*about.get("defines", []), *(f"wire {fault}" for fault in about.get("wire", []))]
    return ", ".join([*found, *(about[key] for key in ("path", "image") if key in about)])


def _round_trip(result: dict, theirs: dict[str, float], console: Console) -> None:
    trip = result["round_trip"]
    if "wall_us" in trip:
        console.print(_wall(trip), soft_wrap=True)
    for side, node in result.get("nodes", {}).items():
        if pace := node.get("pace"):
            console.print(_pace(side, pace), soft_wrap=True)
    if "mean_us" in trip:
        spread = f" ± {trip['sd_us']:.2f}" if "sd_us" in trip else ""
        what = "phase spread" if trip.get("sd_over") == "samples" else "s.d. over round trips"
        said = f"round trip [bold]{trip['mean_us']:.1f}{spread} µs[/] "
        said += f"({counted(trip['round_trips'], 'round trip')} × "
        said += f"{counted(trip['samples'], 'sample')}; ± is {what})"
        if theirs:
            ratio = trip["mean_us"] / theirs["mean_us"]
            said += f"; paper {theirs['mean_us']} ± {theirs['sd_us']}, ratio {ratio:.2f}"
        console.print(said, soft_wrap=True)
    if parts := result.get("breakdown_us"):
        shares = [f"{PARTS[name]} {value:.1f}" for name, value in parts.items()]
        console.print("  " + " → ".join(shares) + " µs", style="dim", soft_wrap=True)
    if frame_faults := result.get("wire", {}).get("happened"):
        console.print(f"  on the wire: {_frame_faults(frame_faults)}", soft_wrap=True)
    console.print()


def _wall(trip: dict) -> str:
    """A round trip between boards, and what the wire alone would take."""
    said = f"round trip on the boards' own clock [bold]{trip['wall_us']:.1f} µs[/]"
    if "gateways_us" in trip:
        rest = trip["wall_us"] - trip["gateways_us"]
        said += f", {rest:.1f} without {trip['gateways_us']:.1f} in gateways; the wire alone would "
        said += f"take {trip['wire_alone_us']:.1f}"
    if "late_us" in trip:
        return said + f". Virtual time is real time, at most {trip['late_us']:.1f} µs behind"
    return said + ". Real time, in which the machines stand still for their RAM"


def _frame_faults(frame_faults: dict[str, dict[str, int]]) -> str:
    """client 2 lost, 1 delayed; server nothing; of a segment all that it counted."""
    said = []
    for who, counts in frame_faults.items():
        some = [f"{count} {what}" for what, count in counts.items() if count or who not in SIDES]
        said.append(f"{who} {', '.join(some) or 'nothing'}")
    return "; ".join(said)


def _pace(side: str, pace: dict) -> str:
    """How fast a board's machine is."""
    clocks, whole = pace["clocks_per_tick"], pace["whole_clocks_per_tick"]
    said = f"{clocks:.3f} clocks a tick on the path, {whole:.3f} in the whole run"
    if "ticks_per_second" not in pace:
        return f"{side}: {said} (a simulated board has no clock)"
    mhz, rate = pace["clock_khz"] / 1e3, pace["ticks_per_second"] / 1e6
    waits = ""
    if "waits_percent" in pace:
        waits = f"; of the clocks {pace['waits_percent']:.1f} % wait for the other board"
        waits += f", {pace['host_waits_percent']:.1f} % for this program to read the record"
    return f"{side}: [bold]{rate:.1f} M ticks/s[/]: {mhz:.1f} MHz ÷ {said}{waits}"


def _path(result: dict, theirs: dict[str, float], narrow: bool) -> Table:
    """Costs and caches of one path invocation. Without the paper's column if it has nothing."""
    table = Table("per path invocation", box=None, pad_edge=False)
    table.columns[0].overflow = "fold"
    if narrow:
        table.padding = (0, 0, 0, 1)
    paths = [result["steady"][side] for side in SIDES]
    cold = [result["cold"]["client"]] if "cold" in result else []
    titles = [*SIDES, *["cold client" for _ in cold], *(["paper, client"] if theirs else [])]
    for title in titles:
        table.add_column(title, justify="right", overflow="fold", min_width=8 if narrow else None)
    plain = {"instructions": 1, "ticks": 1, "time_us": 2, "cpi": 2, "icpi": 2, "mcpi": 2}
    names = {"time_us": "T_p, µs", "cpi": "CPI", "icpi": "iCPI", "mcpi": "mCPI"}
    for key, digits in plain.items():
        if all(key in path for path in paths):
            values = [p.get(key) for p in paths + cold]
            _row(table, names.get(key, key), values, theirs.get(key), digits)
    apart = not theirs and all("write_buffer" in path for path in paths + cold)
    for cache, name in CACHES.items():
        if apart and cache == "dcache_write_buffer":
            for label in _apart(paths[0]):
                _row(table, label, [_apart(path)[label] for path in paths + cold], None, 1)
            continue
        for kind in ("accesses", "misses", "replacement_misses", "victim_hits"):
            if all(kind in path.get(cache, {}) for path in paths):
                label = f"{name} {kind.replace('_', ' ')}"
                mark = "¹" if f"{cache}.{kind}" in theirs else ""
                values = [path[cache].get(kind) for path in paths + cold]
                _row(table, label + mark, values, theirs.get(f"{cache}.{kind}"), 1)
    for kind, label in FETCH.items():
        if all(kind in path.get("fetch", {}) for path in paths):
            value = theirs.get(f"fetch.{kind}")
            values = [path.get("fetch", {}).get(kind) for path in paths + cold]
            _row(table, label + ("¹" if value is not None else ""), values, value, 1)
    if any("." in key for key in theirs):
        once, means = ("the paper's counts", "ours")
        if cold:
            once, means = (f"{once} and cold client", "client and server")
        table.caption = f"¹ {once} are one invocation from cold caches; {means} are means"
        table.caption_justify = "left"
    return table


def _ranges(found: dict[str, int], is_the_papers: bool) -> str:
    """Table 3's rows, those of which the image has the functions."""
    said = [f"{words} {found[name]}" for name, words in RANGES.items() if name in found]
    table = ", as Table 3" if is_the_papers else ""
    return f"instructions, cold client{table}: " + ", ".join(said)


def _apart(path: dict) -> dict[str, float]:
    """D-cache and write buffer apart, by a row's name; the paper counts them together."""
    both, buffer = path["dcache_write_buffer"], path["write_buffer"]
    found = {
        "D-cache loads": both["accesses"] - buffer["accesses"],
        "D-cache load misses": both["misses"] - buffer["writes"],
    }
    for kind in ("replacement_misses", "victim_hits"):
        if kind in both:
            found[f"D-cache {kind.replace('_', ' ')}"] = both[kind]
    return found | {
        "write buffer stores": buffer["accesses"],
        "write buffer entries sent": buffer["writes"],
    }


def _stretches(found: dict[str, dict], narrow: bool) -> Table:
    """Costs of Table 3's stretches, in the steady state and cold; of both alone if ``narrow``."""
    table = Table("between these points", box=None, pad_edge=False)
    table.columns[0].no_wrap = True
    parts = []
    for name, words in {**({} if narrow else STRETCHES), "sum": "sum"}.items():
        for when, some in found.items():
            if name == "sum" or name in some:
                parts.append(stretches.both(some) if name == "sum" else some[name])
                table.add_column(f"{words} {when}", justify="right", overflow="fold", min_width=6)
    for key, digits in {"instructions": 0, "ticks": 0, "cpi": 2, "icpi": 2, "mcpi": 2}.items():
        name = key if digits == 0 else f"{key[:-3]}{key[-3:].upper()}"
        table.add_row(name, *(f"{part[key]:,.{digits}f}" for part in parts))
    for owner in _order(parts):
        table.add_row(owner, *(f"{part['owners'].get(owner, 0):,.0f}" for part in parts))
    return table


def _row(
    table: Table, label: str, values: list[float | None], theirs: float | None, digits: int
) -> None:
    texts = ["" if value is None else f"{value:,.{digits}f}" for value in values]
    if len(texts) < len(table.columns) - 1:
        texts.append("" if theirs is None else f"{theirs:,g}")
    table.add_row(label, *texts)


def _owners(result: dict, narrow: bool) -> Table:
    table = Table("who owns the ticks", box=None, pad_edge=False)
    table.columns[0].overflow = "fold"
    columns = {side: result["steady"][side] for side in SIDES}
    return owners(table, columns, "{:,.1f}".format, words=not narrow, shares=not narrow)


def owners(
    table: Table,
    paths: dict[str, dict],
    number: Callable[[float], str],
    words: bool = True,
    shares: bool = True,
) -> Table:
    """Every owner with its ``shares`` of each path, and the sum against the ticks; ``words``: what
    an owner means."""
    table.show_footer = True
    for name in paths:
        table.add_column(name, justify="right", no_wrap=not shares)
        if shares:
            table.add_column("%", justify="right", no_wrap=True)
    if words:
        table.add_column("")
    for owner in _order(list(paths.values())):
        cells = []
        for path in paths.values():
            ticks = path["owners"].get(owner, 0)
            cells += [number(ticks), f"{100 * ticks / path['ticks']:.1f}"][: 1 + shares]
        table.add_row(owner, *cells, *([f"[dim]{OWNERS.get(owner, '')}[/]"] if words else []))
    table.columns[0].footer = "sum of owners"
    for n, path in enumerate(paths.values()):
        total = sum(path["totals"]["owners"].values())  # whole ticks: no rounding hides a slip
        column = 1 + (1 + shares) * n
        table.columns[column].footer = number(total / path["invocations"])
        equal = "= ticks" if total == path["totals"]["ticks"] else "≠ TICKS"
        if shares:
            table.columns[column + 1].footer = equal
        else:
            table.columns[column].footer += f"\n{equal}"
    return table


def _order(paths: list[dict]) -> Iterator[str]:
    """Owners that own anything, in the hardware's order."""
    named = list(dict.fromkeys([*OWNERS, *(name for path in paths for name in path["owners"])]))
    return (name for name in named if any(path["owners"].get(name) for path in paths))
