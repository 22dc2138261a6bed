# SPDX-License-Identifier: BSD-2-Clause
"""From the files of a run to numbers: events and counters in, parts of ``result.json`` out.

Ticks become microseconds by the machine's ticks_per_us. Whatever was not measured is left out.
"""

import csv
import itertools
import json
import statistics
from array import array
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mcpi.base.errors import RunError
from mcpi.machine.profile import Machine
from mcpi.results import files
from mcpi.spec.numbers import CLIENT, SERVER, SIDES

# firmware/platform/marker.h
START, END, HAND_OVER, NET_INTERRUPT, MEASURE_START, MEASURE_END = 1, 2, 3, 4, 5, 6
PAUSED = ["ticks", "instructions"]
VICTIMS = "victim_hits"


class Event(NamedTuple):
    tick: int
    node: int
    number: int


def events(path: Path) -> Iterator[Event]:
    """``events.csv`` of the simulator, in tick order."""
    last = 0
    with files.text(path) as stream:
        next(stream, None)
        for tick, node, number in csv.reader(stream):
            event = Event(int(tick), int(node), int(number))
            if event.tick < last:
                raise RunError(f"{path}: events are not in tick order")
            last = event.tick
            yield event


@dataclass(frozen=True)
class Window:
    """The events in ticks ``low`` to ``high``; each look reads the file anew, as it may be long."""

    path: Path
    low: int
    high: int

    def __iter__(self) -> Iterator[Event]:
        inside = itertools.dropwhile(lambda e: e.tick < self.low, events(self.path))
        return itertools.takewhile(lambda e: e.tick <= self.high, inside)


def measured(path: Path) -> Window:
    """The events of ``events.csv`` between the client's MEASURE_START and MEASURE_END."""
    marks: dict[int, list[int]] = {MEASURE_START: [], MEASURE_END: []}
    for e in events(path):
        if e.node == CLIENT and e.number in marks:
            marks[e.number].append(e.tick)
    begins, ends = marks.values()
    if len(begins) != 1 or len(ends) != 1:
        raise RunError(
            f"the client passed 'measurement starts' {len(begins)} times and "
            f"'measurement ends' {len(ends)} times; each must come once"
        )
    return Window(path, *begins, *ends)


def _trips(window: Iterable[Event]) -> Iterator[tuple[int, int, list[Event]]]:
    """Start and end tick of every round trip, and what either driver did in it."""
    start, end, wanted = 0, None, START
    inside: list[Event] = []
    for e in window:
        if end is not None and e.tick > end:
            yield start, end, inside
            start, end, inside = end, None, [one for one in inside if one.tick == end]
        if e.number in (HAND_OVER, NET_INTERRUPT):
            inside.append(e)
        elif (e.node, e.number) == (CLIENT, MEASURE_START):
            start = e.tick
        elif e.node == CLIENT and e.number in (START, END):
            if e.number != wanted:
                break
            end, wanted = (None, END) if e.number == START else (e.tick, START)
    else:
        if wanted == START:
            if end is not None:
                yield start, end, inside
            return
    raise RunError("round trips do not begin and end in turn; see events.csv")


def round_trips(window: Iterable[Event]) -> Iterator[tuple[int, int]]:
    """Start and end tick of every round trip.

    One ends where the reply has come up, and there the next begins: no tick lies between them, as
    in the paper's time for many round trips divided by their number.
    """
    return ((start, end) for start, end, _ in _trips(window))


def round_trip(samples: list[Iterable[Event]], wanted: int, ticks_per_us: int) -> dict:
    """Mean and standard deviation in µs; over round trips if there is one sample, else samples."""
    times = []
    for window in samples:
        trips = array("d", ((end - start) / ticks_per_us for start, end in round_trips(window)))
        if len(trips) != wanted:
            raise RunError(f"{len(trips)} round trips were measured, {wanted} were asked for")
        times.append(trips)
    means = [statistics.fmean(one) for one in times]
    spread = means if len(means) > 1 else times[0]
    result = {
        "mean_us": _rounded(statistics.fmean(means)),
        "sd_over": "samples" if len(means) > 1 else "round trips",
        "samples": len(samples),
        "round_trips": wanted,
        "ticks_per_us": ticks_per_us,
        "min_us": _rounded(min(min(one) for one in times)),
        "max_us": _rounded(max(max(one) for one in times)),
        "sample_means_us": [_rounded(mean) for mean in means],
    }
    if len(spread) > 1:
        result["sd_us"] = _rounded(statistics.stdev(spread))
    return result


def exchanges(window: Iterable[Event]) -> Iterator[list[int] | None]:
    """The ticks that divide each round trip: start, hand-over of the request, the server's handler,
    hand-over of the reply, the client's handler, end. None for one that is no clean exchange.

    A handler begins with the first instruction of the network interrupt.
    """
    for start, end, inside in _trips(window):
        sent = [e.tick for e in inside if (e.node, e.number) == (CLIENT, HAND_OVER)]
        arrived = [e.tick for e in inside if (e.node, e.number) == (SERVER, NET_INTERRUPT)]
        answered = [e.tick for e in inside if (e.node, e.number) == (SERVER, HAND_OVER)]
        returned = [e.tick for e in inside if (e.node, e.number) == (CLIENT, NET_INTERRUPT)]
        # The transmit interrupt of either machine comes too: take the one that follows a frame.
        clean = len(sent) == len(answered) == 1
        if clean:
            arrived = [t for t in arrived if sent[0] < t < answered[0]][:1]
            returned = [t for t in returned if t > answered[0]][-1:]
        chain = [start, *sent, *arrived, *answered, *returned, end]
        yield chain if clean and len(chain) == 6 and chain == sorted(chain) else None


def breakdown(window: Iterable[Event], ticks_per_us: int) -> dict | None:
    """Means in µs of the five parts of a round trip; None unless each is one clean exchange."""
    names = ("client_send", "request_controller_and_wire", "server")
    names += ("reply_controller_and_wire", "client_receive")
    sums, count = dict.fromkeys(names, 0), 0
    for chain in exchanges(window):
        if not chain:
            return None
        count += 1
        for name, (start, end) in zip(names, itertools.pairwise(chain)):
            sums[name] += end - start
    return {n: _rounded(s / count / ticks_per_us) for n, s in sums.items()} if count else None


def counters(path: Path) -> list[dict[str, dict[str, int]]]:
    """Per node, or per core of the only node, ``all`` and ``path``, by counter name."""
    content = json.loads(path.read_text())
    return content["nodes"] if "nodes" in content else content["cores"]


def path(
    count: dict[str, int],
    ideal: dict[str, int] | None,
    ticks_per_us: int,
    block_bytes: int = 32,
) -> dict:
    """PATH of docs/architecture.md 9 from the counters of a window (and of its ideal-memory twin).

    ``block_bytes``: an I-cache block.

    Raises RunError unless the owners sum to the ticks and `issue` equals the instructions.
    """
    owners = by_owner(count)
    ticks, instructions = count["ticks"], count["instructions"]
    if sum(owners.values()) != ticks:
        raise RunError(f"the owners sum to {sum(owners.values())}, but {ticks} ticks passed")
    if owners.get("issue") != instructions:
        raise RunError(
            f"{owners.get('issue')} issue ticks, but {instructions} instructions retired"
        )
    times = count["invocations"]
    if not times or not instructions:
        raise RunError("the path was never invoked in the measured time: are its markers there?")

    def mean(*names: str) -> float:
        return sum(count[name] for name in names) / times

    cpi = ticks / instructions
    result = {
        "invocations": times,
        "instructions": mean("instructions"),
        "ticks": mean("ticks"),
        "time_us": _rounded(ticks / times / ticks_per_us),
        "cpi": _rounded(cpi),
        "owners": {name: value / times for name, value in owners.items()},
        "totals": {"ticks": ticks, "instructions": instructions, "owners": owners},
        "icache": _cache(count, times, "icache", ["replacement_misses", "stream_hits", VICTIMS]),
        # sources/ev4.md 4.3: accesses are loads and stores; a merged store is a hit.
        "dcache_write_buffer": {
            "accesses": mean("dcache.accesses", "write_buffer.accesses"),
            "misses": mean("dcache.misses", "write_buffer.writes"),
        },
        "write_buffer": {k: mean(f"write_buffer.{k}") for k in ("accesses", "merges", "writes")},
    }
    if "bcache.accesses" in count:
        more = ["replacement_misses", "victims", "fetches", "prefetches", "loads", "writes", "dma"]
        result["bcache"] = _cache(count, times, "bcache", more)
    if "dcache.replacement_misses" in count:
        # Loads alone: a block that the write buffer sends is none of the D-cache's.
        replaced = mean("dcache.replacement_misses")
        result["dcache_write_buffer"]["replacement_misses"] = replaced
    if f"dcache.{VICTIMS}" in count:
        result["dcache_write_buffer"][VICTIMS] = mean(f"dcache.{VICTIMS}")
    for part, names in {"bus": ["core_ticks", "dma_ticks"], "paused": PAUSED}.items():
        if f"{part}.{names[0]}" in count:
            result[part] = {name: mean(f"{part}.{name}") for name in names}
    if count.get("fetch.blocks"):
        result["fetch"] = _fetch(count, times, block_bytes // 4)
    for name in ("taken_branches", "mispredicts", "pal_ticks"):
        if name in count:
            result[name] = mean(name)
    if ideal:
        icpi = ideal["ticks"] / ideal["instructions"]
        result |= {"icpi": _rounded(icpi), "mcpi": _rounded(cpi - icpi)}
    return result


def by_owner(count: dict[str, int]) -> dict[str, int]:
    return {k.removeprefix("owner."): v for k, v in count.items() if k.startswith("owner.")}


def cores(all_: list[dict]) -> dict:
    """The windows besides the path's, core by core; {} if no machine has any."""
    if not any("windows" in node for node in all_):
        return {}
    return {side: [_windows(all_[n])] for side, n in SIDES.items()}


def _windows(node: dict[str, dict]) -> dict:
    whole = ("ticks", "instructions", "invocations")
    found = {
        name: {key: count[key] for key in whole} | {"owners": by_owner(count)}
        for name, count in node.get("windows", {}).items()
    }
    sets = {name: by_owner(count) for name, count in node.get("sets", {}).items()}
    return found | ({"sets": sets} if sets else {})


def steady(real: list[dict], ideal: list[dict], machine: Machine) -> dict:
    """Both nodes' paths; ``real``, ``ideal``: counters by node and bank."""
    per_us, block = (machine.parameters[key] for key in ("clock.ticks_per_us", "cache.block"))
    return {
        side: path(real[n]["path"], ideal[n]["path"], per_us, block) for side, n in SIDES.items()
    }


def _fetch(count: dict[str, int], times: int, block_words: int) -> dict:
    """Distinct blocks and words over all invocations, and the share of slots not used."""

    def unused(words: int, blocks: int) -> float:
        return _rounded(100 * (1 - words / (block_words * blocks)))

    words, blocks = count["fetch.words"], count["fetch.blocks"]
    found = {
        "blocks": blocks,
        "words": words,
        "outside": count["fetch.outside"] / times,
        "unused_percent": unused(words, blocks),
    }
    # Words of lines that were filled while the window was closed count too. Where they are more
    # than its own fills have, there is no share.
    fills, filled = count["icache.misses"], count["fetch.fill_words"]
    if fills and filled <= block_words * fills:
        found["unused_per_fill_percent"] = unused(filled, fills)
    return found


def nodes(all_: list[dict]) -> dict:
    """Everything each machine did in the measured time, and the governor's share."""
    kept = {}
    for side, number in SIDES.items():
        count = all_[number]["all"]
        kept[side] = {"ticks": count["ticks"]}
        wanted = {"idle": "owner.idle", "clocks": "clocks", "withheld": "withheld"}
        kept[side] |= {name: count[key] for name, key in wanted.items() if key in count}
    return kept


PREAMBLE = 15  # nibbles before the delimiter


def wall(boards: list[dict], clocks: int, round_trips: int, mbps: int) -> dict:
    """``wall_us`` of a round trip, what of it gateways take, and what a wire alone would.

    ``boards``: as in boards.json, the client's first; ``clocks``: its own, of all round trips.
    A frame is in the sender's gateway until it is whole, in the receiver's from its delimiter to
    the preamble that is made anew (docs/reference/phy.md).
    """
    nibble_us = 4 / mbps
    found = {"wall_us": _rounded(clocks * 1000 / boards[0]["clock_khz"] / round_trips)}
    counts = [board["gateway"] for board in boards]
    waits = [
        (count["send_waiting"] + count["receive_waiting"]) * 1000 / board["clock_khz"] / round_trips
        for board, count in zip(boards, counts, strict=True)
    ]
    if all(waits):
        found["gateways_us"] = _rounded(sum(waits) + len(waits) * PREAMBLE * nibble_us)
        nibbles = sum(count["sent_nibbles"] for count in counts)
        found["wire_alone_us"] = _rounded(nibbles * nibble_us / round_trips)
    late = [board["late_us"] for board in boards if "late_us" in board]
    return found | ({"late_us": max(late)} if late else {})


def pace(
    count: dict[str, dict[str, int]],
    clock_khz: int | None,
    waits: int | None = None,
    host_waits: int = 0,
) -> dict:
    """``Pace`` of a node from its counters by bank; ``clock_khz``: of a board's clock, if it has
    one; ``waits``: clocks in which it waited for the other board, and ``host_waits`` for the host
    to read its record."""
    path, whole = (count[bank]["clocks"] / count[bank]["ticks"] for bank in ("path", "all"))
    found = {"clocks_per_tick": _rounded(path), "whole_clocks_per_tick": _rounded(whole)}
    if clock_khz:
        found |= {"clock_khz": clock_khz, "ticks_per_second": round(clock_khz * 1000 / path)}
    if waits is not None:
        clocks = count["all"]["clocks"]
        found["waits_percent"] = _rounded(100 * waits / clocks)
        found["host_waits_percent"] = _rounded(100 * host_waits / clocks)
    return found


def _cache(count: dict[str, int], times: int, name: str, more: list[str]) -> dict:
    wanted = ["accesses", "misses", *more]
    there = [key for key in wanted if f"{name}.{key}" in count]
    return {key: count[f"{name}.{key}"] / times for key in there}


def _rounded(value: float) -> float:
    """Six decimals: enough for a tick in 100,000 round trips, the same text everywhere."""
    return round(value, 6)


def path_times(samples: list[list[dict]]) -> dict[int, list[float]]:
    """Ticks of one path invocation on each node, the mean of each sample; {} for one sample."""
    if len(samples) < 2:
        return {}
    return {
        node: [
            count[node]["path"]["ticks"] / count[node]["path"]["invocations"] for count in samples
        ]
        for node in SIDES.values()
    }


def times(samples: list[Window], wanted: int, ticks_per_us: int, stamps: Path) -> dict:
    """``round_trip``, ``wire_us`` and ``breakdown_us``; ``stamps`` are the first sample's."""
    found = {"round_trip": round_trip(samples, wanted, ticks_per_us)}
    if waits := controller(samples[0], ticks_per_us):
        found["round_trip"] |= adjusted(found["round_trip"]["mean_us"], waits)
    if sent := wire(stamps, samples[0], ticks_per_us):
        found["wire_us"] = sent
    if parts := breakdown(samples[0], ticks_per_us):
        found["breakdown_us"] = parts
    return found


def spread(ticks: list[float], ticks_per_us: int) -> dict:
    """Mean and standard deviation over samples, µs."""
    times = [t / ticks_per_us for t in ticks]
    return {
        "mean_us": _rounded(statistics.fmean(times)),
        "sd_us": _rounded(statistics.stdev(times)),
        "sample_means_us": [_rounded(t) for t in times],
    }


def controller(window: Iterable[Event], ticks_per_us: int) -> dict | None:
    """Mean µs from the driver's hand-over to the first instruction of the next network interrupt.

    That is the transmit interrupt of the same frame, as the paper measured its 105 µs (4.3): the
    answer of the other machine is further away. None if a hand-over has none.
    """
    handed: dict[int, int | None] = dict.fromkeys(SIDES.values())
    sums, counts = Counter(), Counter()
    for e in window:
        if e.number not in (HAND_OVER, NET_INTERRUPT):
            continue
        if (before := handed[e.node]) is not None:
            if e.number == HAND_OVER:
                return None
            sums[e.node] += e.tick - before
            counts[e.node] += 1
        handed[e.node] = e.tick if e.number == HAND_OVER else None
    if not all(counts[node] for node in SIDES.values()):
        return None
    return {
        side: _rounded(sums[node] / counts[node] / ticks_per_us) for side, node in SIDES.items()
    }


PAPERS_CONTROLLER_US = 105.0  # each way: SIGCOMM'96 4.3


def adjusted(mean_us: float, controller_us: dict) -> dict:
    """Table 5: a round trip without the two controllers, by our measurement and by the paper's; not
    by the paper's where a faster wire and controller take less than theirs alone."""
    both, theirs = sum(controller_us.values()), 2 * PAPERS_CONTROLLER_US
    found = {
        "controller_us": _rounded(both / len(controller_us)),
        "adjusted_us": _rounded(mean_us - both),
    }
    return found | ({"adjusted_paper_us": _rounded(mean_us - theirs)} if mean_us >= theirs else {})


def wire(stamps: Path, window: Window, ticks_per_us: int) -> dict | None:
    """Mean µs from the first preamble bit at the sender to the last bit at the receiver.

    Of requests (client to server) and replies; None without stamps, or unless each frame of the
    measured time arrived.
    """
    if not stamps.is_file():
        return None
    under_way: dict[int, deque[int]] = {node: deque() for node in SIDES.values()}  # by sender
    sums, counts = Counter(), Counter()
    for tick, node, stamp in stamped(stamps):
        if tick < window.low or tick > window.high:
            continue
        if stamp == "tx_first_bit":
            under_way[node].append(tick)
        elif stamp == "rx_last_bit":
            sender = CLIENT + SERVER - node
            if not under_way[sender]:  # it was under way when the measurement began
                return None
            sums[sender] += tick - under_way[sender].popleft()
            counts[sender] += 1
    names = {"request": CLIENT, "reply": SERVER}
    if any(under_way.values()) or not all(counts[sender] for sender in names.values()):
        return None
    return {name: _rounded(sums[n] / counts[n] / ticks_per_us) for name, n in names.items()}


def stamped(path: Path) -> Iterator[tuple[int, int, str]]:
    """Tick, node and name of each stamp of ``stamps.csv``."""
    with files.text(path) as stream:
        next(stream, None)
        for tick, node, stamp in csv.reader(stream):
            yield int(tick), int(node), stamp
