# SPDX-License-Identifier: BSD-2-Clause
"""The trace of one cold path invocation: its replay, its code, and what lies between functions."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.base.errors import RunError
from mcpi.firmware.elf import PHYSICAL
from mcpi.machine.profile import Machine

COLD = ".cold"
WORD = 4  # bytes of an instruction
# Table 3: instructions between the entries of two functions of the way up, in each stack.
RANGES = {
    "ip_input_to_tcp_input": (("ip_demux", "tcp_demux"), ("ipintr", "tcp_input")),
    "tcp_input_to_socket_input": (("tcp_demux", "clientStreamDemux"), ("tcp_input", "sowakeup")),
}
# And of a function itself, without those that it calls.
ITSELF = {"in_ipintr": "ipintr", "in_tcp_input": "tcp_input"}


@dataclass(frozen=True)
class Function:
    """Physical address of its first instruction; size in bytes."""

    name: str
    start: int
    size: int


def result(folder: Path, image: Path, machine: Machine) -> dict:
    """``replay``, ``static`` and ``ranges`` of result.json; {} if the run has left no trace."""
    if not (folder / "replay.json").is_file():
        return {}
    pcs = program_counters(folder / "cold_trace.csv")
    code, known = _of_image(pcs, machine), functions(image)
    found = {
        "replay": {"client": replay(folder / "replay.json", code, machine)},
        "static": {"critical_path_instructions": static_size(code, known)},
    }
    if between := ranges(code, known):
        found["ranges"] = between
    return found


def ranges(code: list[int], known: list[Function]) -> dict[str, int]:
    """Table 3's rows, those of which the image has the functions. PALcode is left out."""
    found = {
        name: n
        for name, pairs in RANGES.items()
        for ends in pairs
        if (n := distance(code, known, *ends)) is not None
    }
    for name, function in ITSELF.items():
        parts = [f for f in known if f.name.removesuffix(COLD) == function]
        if own := sum(f.start <= pc < f.start + f.size for f in parts for pc in code):
            found[name] = own
    return found


def counts(folder: Path, machine: Machine) -> dict:
    """``replay`` alone, {} if the run has left no trace."""
    if not (folder / "replay.json").is_file():
        return {}
    code = _of_image(program_counters(folder / "cold_trace.csv"), machine)
    return {"client": replay(folder / "replay.json", code, machine)}


def _of_image(pcs: list[int], machine: Machine) -> list[int]:
    """Addresses without PALcode's."""
    own = machine.memory_map["ram"]["image"]
    return [pc for pc in pcs if own["base"] <= pc < own["base"] + own["size"]]


def program_counters(path: Path) -> list[int]:
    """Physical addresses in the order of issue."""
    with path.open(newline="") as stream:
        return [int(row["pc"], 16) for row in csv.DictReader(stream)]


def functions(image: Path) -> list[Function]:
    """All functions of an ELF file that have a size; what is outlined (variants.md) as one of
    its own, from ``<function>.cold`` to the end.
    """
    found, cold = [], {}
    with image.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        for s in table.iter_symbols() if table else ():
            start, size = s["st_value"] & PHYSICAL, s["st_size"]
            if s.name.endswith(COLD):
                cold[s.name.removesuffix(COLD), start] = s.name
            elif s["st_info"]["type"] == "STT_FUNC" and size:
                found.append(Function(s.name, start, size))
    return [part for function in found for part in _parts(function, cold)]


def _parts(f: Function, cold: dict[tuple[str, int], str]) -> list[Function]:
    """A function, or its main line and what was moved to its end."""
    end = f.start + f.size
    for (name, start), title in cold.items():
        if name == f.name and f.start < start < end:
            return [Function(name, f.start, start - f.start), Function(title, start, end - start)]
    return [f]


def replay(path: Path, code: list[int], machine: Machine) -> dict:
    """Table 6's and Table 9's counts. ``code``: addresses issued from, PALcode left out."""
    count = json.loads(path.read_text())
    get = count.get
    if count["instructions"] != get("icache.accesses"):
        raise RunError(
            f"{path}: {count['instructions']} instructions, but {get('icache.accesses')}"
        )
    block = machine.parameters["cache.block"]
    words, blocks = len(set(code)), len({pc // block for pc in code})

    def cache(name: str) -> dict:
        kinds = ("accesses", "misses", "replacement_misses")
        return {kind: get(f"{name}.{kind}", 0) for kind in kinds}

    data = cache("dcache")
    data["accesses"] += get("write_buffer.accesses", 0)
    data["misses"] += get("write_buffer.writes", 0)
    return {
        "instructions": count["instructions"],
        "icache": cache("icache") | {"stream_hits": get("icache.stream_hits", 0)},
        "dcache_write_buffer": data,
        "bcache": cache("bcache") | {"prefetches": get("bcache.prefetches", 0)},
        "fetch": {
            "blocks": blocks,
            "words": words,
            "unused_percent": round(100 * (1 - words * WORD / (blocks * block)), 6),
        },
    }


def static_size(code: list[int], known: list[Function]) -> int:
    """Instructions of every function, main line or outlined part, that was entered (Table 9)."""
    touched = set(code)
    used = {f for f in known if any(a in touched for a in range(f.start, f.start + f.size, WORD))}
    return sum(size for _, size in {(f.start, f.size) for f in used}) // WORD


def distance(pcs: list[int], known: list[Function], first: str, second: str) -> int | None:
    """Instructions from the entry of one function to the next entry of another."""
    entry = {f.name: f.start for f in known}
    try:
        begin = pcs.index(entry[first])
        return pcs.index(entry[second], begin) - begin
    except (KeyError, ValueError):
        return None
