# SPDX-License-Identifier: BSD-2-Clause
"""Tables of a profile that people expect of a simulator: CPI and misses by code, misses by class,
the instruction mix, and who displaces whom.

Each is made from a run's recording (docs/how-to/profile.md). Counts are sums over all invocations.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mcpi.analysis.attribution import Cost
from mcpi.analysis.profile import BY, FUNCTION, Profile
from mcpi.analysis.recording import CACHES, CLASSES, Miss, Recording
from mcpi.base.errors import RunError, UserError, nearest
from mcpi.isa import table as instructions
from mcpi.spec.run_jobs import IDEAL

Value = str | int | float | None
KILO = 1000
SUM = "sum"
CPI, MISSES, MIX = "cpi", "misses", "mix"


@dataclass(frozen=True)
class Column:
    """``key`` of a row, its head for people, digits after the point; ``mean``: a count, which a
    table shows for one invocation."""

    key: str
    head: str
    digits: int = 1
    mean: bool = True


@dataclass(frozen=True)
class Report:
    """``names``: the keys of a row that say what it is of. The last rows may be sums."""

    title: str
    names: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: list[dict[str, Value]]
    sums: list[dict[str, Value]]


def ratio(part: float, whole: float, times: float = 1) -> float | None:
    """The quotient; None without a whole."""
    return round(times * part / whole, 6) if whole else None


def _counts(cost: Cost) -> dict[str, int]:
    return {
        "instructions": cost.ticks["issue"],
        "ticks": cost.total,
        "icache_misses": cost.events["icache.misses"],
        "loads": cost.events["dcache.accesses"],
        "load_misses": cost.events["dcache.misses"],
    }


def cpi(profile: Profile, by: str = FUNCTION) -> Report:
    """CPI, iCPI, mCPI and misses of each row; a program whose pages are mapped has no iCPI."""
    twin = None
    if (profile.folder / IDEAL).is_dir():
        twin = Profile(profile.folder, profile.side, IDEAL, profile.opens)
    ideal = {row.name: row.cost for row in twin.rows(by)} if twin else {}
    rows = [{by: row.name} | _cpi(row.cost, ideal.get(row.name)) for row in profile.rows(by)]
    sums = [{by: SUM} | _cpi(profile.sum, twin and twin.sum)]
    columns = (
        Column("instructions", "instr."),
        Column("ticks", "ticks"),
        *(Column(key, head, 2, False) for key, head in _CPI.items()),
        Column("icache_misses", "I-miss"),
        Column("icache_mpki", "I-MPKI", 1, False),
        Column("loads", "loads"),
        Column("load_misses", "missed"),
        Column("load_miss_percent", "%", 1, False),
        Column("load_mpki", "MPKI", 1, False),
    )
    return Report(f"CPI by {by}", (by,), columns, rows, sums)


_CPI = {"cpi": "CPI", "icpi": "iCPI", "mcpi": "mCPI"}


def _cpi(real: Cost, ideal: Cost | None) -> dict[str, Value]:
    counts = _counts(real)
    issued = counts["instructions"]
    whole = ratio(counts["ticks"], issued)
    ours = ratio(ideal.total, ideal.ticks["issue"]) if ideal else None
    memory = None if whole is None or ours is None else round(whole - ours, 6)
    return counts | {
        "cpi": whole,
        "icpi": ours,
        "mcpi": memory,
        "icache_mpki": ratio(counts["icache_misses"], issued, KILO),
        "load_miss_percent": ratio(counts["load_misses"], counts["loads"], 100),
        "load_mpki": ratio(counts["load_misses"], issued, KILO),
    }


def misses(profile: Profile, by: str = FUNCTION) -> Report:
    """Misses of each cache by class (Hill) and by the code that misses."""
    recording = Recording(profile)
    found: dict[tuple[str, str], Counter] = {}
    sums: dict[str, Counter] = {}
    for miss in recording.misses:
        if not miss.class_:
            continue
        name = recording.code(miss) if miss.pc is None else profile.name(miss.pc, by)
        for count in (
            found.setdefault((miss.cache, name), Counter()),
            sums.setdefault(miss.cache, Counter()),
        ):
            count.update({miss.class_: 1, "misses": 1, "displaced": int(miss.evicted is not None)})
    keys = ("misses", *CLASSES, "displaced")

    def row(cache: str, name: str, count: Counter) -> dict[str, Value]:
        return {"cache": cache, by: name} | {key: count[key] for key in keys}

    rows = [row(*key, count) for key, count in found.items()]
    rows.sort(key=lambda one: (CACHES.index(one["cache"]), -one["misses"], one[by]))
    whole = [row(cache, SUM, sums[cache]) for cache in CACHES if cache in sums]
    columns = tuple(Column(key, key) for key in keys)
    return Report(f"misses by {by}", ("cache", by), columns, rows, whole)


CLASS, OPCODE = OF_MIX = ("class", "opcode")
#: Groups of machines/instructions.toml by the class that people count.
OF_GROUP = {
    "load_locked": "load",
    "store_conditional": "store",
    "conditional_branch": "branch",
    "address": "add",
    "read_internal": "internal",
    "write_internal": "internal",
    "return": "internal",
}
ELSE = "no instruction"  # a wait before an instruction that was never issued


def mix(profile: Profile, by: str = CLASS) -> Report:
    """Instructions and ticks by class of instruction or by opcode."""
    found: dict[str, Cost] = {}
    for pc, cost in profile.costs.items():
        found.setdefault(_kind(profile.word(pc), by), Cost()).add(cost)
    whole = profile.sum.ticks["issue"]

    def row(name: str, cost: Cost) -> dict[str, Value]:
        issued = cost.ticks["issue"]
        share, each = ratio(issued, whole, 100), ratio(cost.total, issued)
        return {by: name, "instructions": issued, "percent": share} | {
            "ticks": cost.total,
            "cpi": each,
        }

    rows = [row(name, cost) for name, cost in found.items()]
    rows.sort(key=lambda one: (-one["ticks"], one[by]))
    columns = (
        Column("instructions", "instr."),
        Column("percent", "%", 1, False),
        Column("ticks", "ticks"),
        Column("cpi", "CPI", 2, False),
    )
    return Report(f"instruction mix by {by}", (by,), columns, rows, [row(SUM, profile.sum)])


def _kind(word: int | None, by: str) -> str:
    if word is None:
        return ELSE
    found = instructions.find(word)
    if found is None:
        raise RunError(f"{word:#010x} was issued, and machines/instructions.toml has no such.")
    return found.name if by == OPCODE else OF_GROUP.get(found.group, found.group)


def evictions(profile: Profile, function: str) -> Report:
    """Blocks that ``function`` displaces, and blocks of it that others displace, by cache."""
    recording = Recording(profile)
    pairs: Counter = Counter()
    names: set[str] = set()
    for miss in recording.misses:
        if miss.evicted is None:
            continue
        by, out = recording.code(miss), recording.name(miss.evicted)
        names |= {by, out}
        if function in (by, out):
            pairs[miss.cache, by, recording.name(miss.address), out] += 1
    if not pairs:
        profile.places.function(function)
        raise UserError(
            f"--evicts {function}: it displaces no block, and none of it is displaced."
            f"{nearest(function, names)}"
        )
    ordered = sorted(pairs.items(), key=lambda one: (CACHES.index(one[0][0]), -one[1], one[0]))
    keys = ("cache", "by", "brings", "displaces")
    rows = [dict(zip(keys, key)) | {"blocks": count} for key, count in ordered]
    return Report(
        f"who displaces {function}, and whom", keys, (Column("blocks", "blocks"),), rows, []
    )


def stream(profile: Profile) -> Report:
    """Each miss, in order, with what it is of."""
    recording = Recording(profile)
    keys = ("tick", "cache", "kind", "class", "pc", "function", "line", "address", "data")
    keys += ("evicted", "evicted_data")
    rows = [dict(zip(keys, _described(recording, miss))) for miss in recording.misses]
    return Report("each miss", keys, (), rows, [])


def _described(recording: Recording, miss: Miss) -> Iterator[Value]:
    place = None if miss.pc is None else recording.profile.place(miss.pc)
    out = miss.evicted
    yield from (miss.tick, miss.cache, miss.kind, miss.class_, miss.pc)
    yield from (recording.code(miss), place.source if place else "")
    yield from (miss.address, recording.name(miss.address))
    yield from (out, "" if out is None else recording.name(out))


#: Each report that is made of all code, and the values of its ``by``, the first one the usual.
REPORTS: dict[str, tuple[Callable[[Profile, str], Report], tuple[str, ...]]] = {
    CPI: (cpi, BY),
    MISSES: (misses, BY),
    MIX: (mix, OF_MIX),
}
STREAM = "stream"
#: Those that read which blocks are missed, or the run with ideal memory.
OF_RECORDING = (CPI, MISSES, STREAM)


def maker(kind: str, by: str = "") -> Callable[[Profile], Report]:
    """Maker of the report of this name. UserError if there is none, or no such ``by``."""
    if kind == STREAM and not by:
        return stream
    if kind not in REPORTS:
        there = ", ".join([*REPORTS, STREAM])
        raise UserError(f"report {kind!r}, by={by!r}: there are {there}; {STREAM} has no by.")
    make, there = REPORTS[kind]
    if by and by not in there:
        raise UserError(f"report {kind!r}, by={by!r}: by is one of {', '.join(there)}.")
    return lambda profile: make(profile, by or there[0])
