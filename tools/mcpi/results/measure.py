# SPDX-License-Identifier: BSD-2-Clause
"""From the files of a run to numbers: events and counters in, parts of ``result.json`` out.

Ticks become microseconds by the machine's ticks_per_us. Whatever was not measured is left out.
"""

import csv
import itertools
import json
import statistics
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.machine.profile import Machine
from mcpi.spec.numbers import CLIENT, SERVER, SIDES

# firmware/platform/marker.h
START, END, HAND_OVER, NET_INTERRUPT, MEASURE_START, MEASURE_END = 1, 2, 3, 4, 5, 6
PAUSED = ["ticks", "instructions"]
VICTIMS = "victim_hits"


@dataclass(frozen=True)
class Event:
    tick: int
    node: int
    number: int


def events(path: Path) -> list[Event]:
    """``events.csv`` of the simulator, in tick order."""
    with path.open(newline="") as stream:
        rows = csv.DictReader(stream)
        found = [Event(int(r["tick"]), int(r["node"]), int(r["event"])) for r in rows]
    if any(a.tick > b.tick for a, b in itertools.pairwise(found)):
        raise RunError(f"{path}: events are not in tick order")
    return found


def measured(all_: list[Event]) -> list[Event]:
    """The events between the client's MEASURE_START and MEASURE_END."""
    marks = {n: [e.tick for e in all_ if (e.node, e.number) == (CLIENT, n)] for n in (5, 6)}
    if len(marks[MEASURE_START]) != 1 or len(marks[MEASURE_END]) != 1:
        raise RunError(
            f"the client passed 'measurement starts' {len(marks[MEASURE_START])} times and "
            f"'measurement ends' {len(marks[MEASURE_END])} times; each must come once"
        )
    low, high = marks[MEASURE_START][0], marks[MEASURE_END][0]
    return [e for e in all_ if low <= e.tick <= high]


def round_trips(window: list[Event]) -> list[tuple[int, int]]:
    """Start and end tick of every round trip.

    One ends where the reply has come up, and there the next begins: no tick lies between them, as
    in the paper's time for many round trips divided by their number.
    """
    marks = [e for e in window if e.node == CLIENT and e.number in (START, END)]
    if [e.number for e in marks] != [START, END] * (len(marks) // 2):
        raise RunError("round trips do not begin and end in turn; see events.csv")
    begin = [e.tick for e in window if (e.node, e.number) == (CLIENT, MEASURE_START)]
    return list(itertools.pairwise(begin + [e.tick for e in marks[1::2]]))


def round_trip(samples: list[list[Event]], wanted: int, ticks_per_us: int) -> dict:
    """Mean and standard deviation in µs; over round trips if there is one sample, else samples."""
    times = []
    for window in samples:
        trips = round_trips(window)
        if len(trips) != wanted:
            raise RunError(f"{len(trips)} round trips were measured, {wanted} were asked for")
        times.append([(end - start) / ticks_per_us for start, end in trips])
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


def exchanges(window: list[Event]) -> list[list[int]]:
    """The ticks that divide each round trip: start, hand-over of the request, the server's handler,
    hand-over of the reply, the client's handler, end. Empty unless each is one clean exchange.

    A handler begins with the first instruction of the network interrupt.
    """
    found = []
    for start, end in round_trips(window):
        inside = [
            e for e in window if start <= e.tick <= end and e.number in (HAND_OVER, NET_INTERRUPT)
        ]
        sent = [e.tick for e in inside if (e.node, e.number) == (CLIENT, HAND_OVER)]
        arrived = [e.tick for e in inside if (e.node, e.number) == (SERVER, NET_INTERRUPT)]
        answered = [e.tick for e in inside if (e.node, e.number) == (SERVER, HAND_OVER)]
        returned = [e.tick for e in inside if (e.node, e.number) == (CLIENT, NET_INTERRUPT)]
        # The transmit interrupt of either machine comes too: take the one that follows a frame.
        if len(sent) != 1 or len(answered) != 1:
            return []
        arrived = [t for t in arrived if sent[0] < t < answered[0]][:1]
        returned = [t for t in returned if t > answered[0]][-1:]
        chain = [start, *sent, *arrived, *answered, *returned, end]
        if len(chain) != 6 or chain != sorted(chain):
            return []
        found.append(chain)
    return found


def breakdown(window: list[Event], ticks_per_us: int) -> dict | None:
    """Means in µs of the five parts of a round trip; None unless each is one clean exchange."""
    chains = exchanges(window)
    if not chains:
        return None
    sums = [sum(c[n + 1] - c[n] for c in chains) for n in range(5)]
    names = ("client_send", "request_controller_and_wire", "server")
    names += ("reply_controller_and_wire", "client_receive")
    return {n: _rounded(s / len(chains) / ticks_per_us) for n, s in zip(names, sums)}


def counters(path: Path) -> list[dict[str, dict[str, int]]]:
    """Per node ``all`` and ``path``, by counter name."""
    return json.loads(path.read_text())["nodes"]


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
    owners = _owners(count)
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


def _owners(count: dict[str, int]) -> dict[str, int]:
    return {k.removeprefix("owner."): v for k, v in count.items() if k.startswith("owner.")}


def cores(all_: list[dict]) -> dict:
    """The windows besides the path's, core by core; {} if no machine has any."""
    if not any("windows" in node for node in all_):
        return {}
    return {side: [_windows(all_[n])] for side, n in SIDES.items()}


def _windows(node: dict[str, dict]) -> dict:
    whole = ("ticks", "instructions", "invocations")
    found = {
        name: {key: count[key] for key in whole} | {"owners": _owners(count)}
        for name, count in node.get("windows", {}).items()
    }
    sets = {name: _owners(count) for name, count in node.get("sets", {}).items()}
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


def pace(count: dict[str, dict[str, int]], clock_khz: int | None, waits: int | None = None) -> dict:
    """``Pace`` of a node from its counters by bank; ``clock_khz``: of a board's clock, if it has
    one; ``waits``: clocks in which it waited for the other board."""
    path, whole = (count[bank]["clocks"] / count[bank]["ticks"] for bank in ("path", "all"))
    found = {"clocks_per_tick": _rounded(path), "whole_clocks_per_tick": _rounded(whole)}
    if clock_khz:
        found |= {"clock_khz": clock_khz, "ticks_per_second": round(clock_khz * 1000 / path)}
    if waits is not None:
        found["waits_percent"] = _rounded(100 * waits / count["all"]["clocks"])
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


def times(
    samples: list[list[Event]],
    wanted: int,
    ticks_per_us: int,
    stamps: Path,
    observed: list[Event] | None = None,
) -> dict:
    """``round_trip``, ``wire_us`` and ``breakdown_us``. ``told``: the window that controllers and
    wire are timed in, if it is not the first sample's; ``stamps`` are those of its run."""
    observed = observed or samples[0]
    found = {"round_trip": round_trip(samples, wanted, ticks_per_us)}
    if waits := controller(observed, ticks_per_us):
        found["round_trip"] |= adjusted(found["round_trip"]["mean_us"], waits)
    if sent := wire(stamps, observed, ticks_per_us):
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


def controller(window: list[Event], ticks_per_us: int) -> dict | None:
    """Mean µs from the driver's hand-over to the first instruction of the next network interrupt.

    That is the transmit interrupt of the same frame, as the paper measured its 105 µs (4.3): the
    answer of the other machine is further away. None if a hand-over has none.
    """
    result = {}
    for side, node in SIDES.items():
        marks = [e for e in window if e.node == node and e.number in (HAND_OVER, NET_INTERRUPT)]
        pairs = [(a, b) for a, b in itertools.pairwise(marks) if a.number == HAND_OVER]
        if not pairs or any(b.number != NET_INTERRUPT for _, b in pairs):
            return None
        result[side] = _rounded(statistics.fmean(b.tick - a.tick for a, b in pairs) / ticks_per_us)
    return result


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


def wire(stamps: Path, window: list[Event], ticks_per_us: int) -> dict | None:
    """Mean µs from the first preamble bit at the sender to the last bit at the receiver.

    Of requests (client to server) and replies; None without stamps, or unless each frame of the
    measured time arrived.
    """
    if not stamps.is_file():
        return None
    with stamps.open(newline="") as stream:
        rows = [(int(r["tick"]), int(r["node"]), r["stamp"]) for r in csv.DictReader(stream)]
    low, high = window[0].tick, window[-1].tick
    result = {}
    for name, sender, receiver in (("request", CLIENT, SERVER), ("reply", SERVER, CLIENT)):
        sent = [t for t, n, s in rows if (n, s) == (sender, "tx_first_bit") and low <= t <= high]
        came = [t for t, n, s in rows if (n, s) == (receiver, "rx_last_bit") and low <= t <= high]
        if not sent or len(sent) != len(came):
            return None
        times = [b - a for a, b in zip(sent, came)]
        if min(times) < 0:  # one of them was under way when the measurement began
            return None
        result[name] = _rounded(statistics.fmean(times) / ticks_per_us)
    return result
