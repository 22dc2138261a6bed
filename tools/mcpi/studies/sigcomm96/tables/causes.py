# SPDX-License-Identifier: BSD-2-Clause
"""Tables of causes: parts of a round trip, owners of ticks, all recipes, three ways to count."""

from mcpi.papers.sigcomm96 import STACKS, path, round_trip
from mcpi.results.summary import OWNERS
from mcpi.studies.sigcomm96.plan import STUDIED
from mcpi.studies.sigcomm96.tables.common import (
    WORDS,
    cell,
    each,
    filled,
    look,
    made,
    unused,
    with_published,
)
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import Get, client, te, tp


def _part(name: str) -> Get:
    return lambda result: result["breakdown_us"][name]


def _wire(way: str) -> Get:
    return lambda result: result["wire_us"][way]


def _controller(way: str) -> Get:
    name = f"{way}_controller_and_wire"
    return lambda result: result["breakdown_us"][name] - result["wire_us"][way]


PARTS = {
    "client_send_us": _part("client_send"),
    "request_controller_us": _controller("request"),
    "request_wire_us": _wire("request"),
    "server_us": _part("server"),
    "reply_controller_us": _controller("reply"),
    "reply_wire_us": _wire("reply"),
    "client_receive_us": _part("client_receive"),
}


def breakdown(study: Measured) -> Table:
    """Where a round trip's time goes: client, controllers, wire, server."""
    return made(
        "round_trip_parts",
        each(lambda stack, v: {k: cell(study, stack, v, get) for k, get in PARTS.items()}),
    )


def owners(study: Measured) -> Table:
    """The CPI of every version by owner: who had each tick of the path."""

    def cells(stack: str, variant: str) -> dict[str, Cell]:
        ticks, why = look(study, stack, variant, per_instruction)
        found = {owner: Cell(value) for owner, value in (ticks or {}).items()}
        return found or {"issue": Cell(None, why=why)}

    rows = each(cells)
    seen = {owner for row in rows for owner, one in row.cells.items() if one.ours}
    columns = tuple(Column(o, o, 3) for o in OWNERS if o in seen or o == "issue")
    return made("cpi_owners", rows, columns)


def per_instruction(result: dict) -> dict[str, float]:
    path = result["steady"]["client"]
    return {owner: ticks / path["instructions"] for owner, ticks in path["owners"].items()}


OPERANDS = ("load_use", "shift", "compare", "agen", "multiply")


def icpi(study: Measured) -> Table:
    """Where iCPI comes from: the ticks of an invocation under ideal memory, by owner."""
    return made("icpi", each(lambda stack, v: _ideal(study.of("evidence", stack, v))))


def _ideal(found: dict | None) -> dict[str, Cell]:
    if not found or not found.get("ideal"):
        return filled("icpi", None, "not measured")
    owners = found["ideal"]
    values = {
        "instructions": owners["issue"],
        "taken": found["taken"],
        "taken_bubble": owners.get("taken_bubble", 0.0),
        "operands": sum(owners.get(name, 0.0) for name in OPERANDS),
        "ticks": sum(owners.values()),
        "icpi": sum(owners.values()) / owners["issue"],
    }
    values["rest"] = values["ticks"] - sum(
        values[k] for k in ("instructions", "taken_bubble", "operands")
    )
    return filled("icpi", values, "")


# Owners of ticks that ideal memory does not have.
MEMORY = ("i_demand", "i_stream", "refill_restart", "d_miss", "memory_port", "write_buffer_full")
MEMORY += ("barrier",)


def charged(study: Measured) -> Table:
    """Ticks that memory's owners are charged with, and those that ideal memory takes away."""
    return made("charged", each(lambda stack, v: _charged(study, stack, v)))


def _charged(study: Measured, stack: str, variant: str) -> dict[str, Cell]:
    found, result = study.of("evidence", stack, variant), study.result(stack, variant)
    if not found or not found.get("ideal") or not result:
        return filled("charged", None, "not measured")
    ideal, real = found["ideal"], result["steady"]["client"]
    own = sum(real["owners"].get(name, 0) - ideal.get(name, 0) for name in MEMORY)
    saved = real["ticks"] - sum(ideal.values())
    values = {"charged": own, "saved": saved, "apart": 100 * (own / saved - 1)}
    return filled("charged", values, "")


def _outside(study: Measured, stack: str, variant: str) -> dict[str, float] | None:
    found = study.of("evidence", stack, variant)
    result = study.result(stack, variant)
    if not found or not result or "hidden_us" not in found:
        return None
    tp = result["steady"]["client"]["time_us"]
    after = {key: found[key] for key in ("hidden_us", "reply_us")}
    return {"tp_us": tp, **after, **found["outside"]}


def outside(study: Measured) -> Table:
    """Cost of a round trip for the client outside the path, and the part of the path that nobody
    waits for."""
    rows = each(lambda stack, v: filled("outside", _outside(study, stack, v), "not measured"))
    return made("outside", rows)


# How our figure is got; which of the paper's stands beside it.
RECIPES = {
    "instructions": (client("instructions"), "instructions"),
    "taken": (client("taken_branches"), ""),
    "unused_pct": (unused, "fetch.unused_percent"),
    "icpi": (client("icpi"), "icpi"),
    "mcpi": (client("mcpi"), "mcpi"),
    "i_misses": (client("icache", "misses"), ""),
    "b_misses": (client("bcache", "misses"), ""),
    "tp_us": (tp, "time_us"),
    "te_us": (te, "mean_us"),
}


def recipes(study: Measured) -> Table:
    """Results of every recipe, a line for each: variants.md, cloning.md."""

    def cells(stack: str, variant: str) -> dict[str, Cell]:
        theirs = path(stack, variant) | round_trip(stack, variant)
        return {
            key: with_published(study, stack, variant, get, theirs.get(name))
            for key, (get, name) in RECIPES.items()
        }

    return made("recipes", each(cells))


WAYS = {"hardware": "counters", "recounted": "retire trace", "predicted": "cache model"}
CACHE_PARTS = ("icache", "dcache", "write_buffer", "bcache")


def three_ways(study: Measured) -> Table:
    """Three measurements of one image: hardware counters, retire trace, memory model. One set of
    numbers."""
    counters = {c.key: _counter(c.key) for c in WORDS.columns("three_ways")}
    rows = []
    for stack, title in STACKS.items():
        for variant in STUDIED[stack]:
            found = study.of("evidence", stack, variant, "oracle")
            for way, name in WAYS.items():
                cells = {key: _of_way(found, counter, way) for key, counter in counters.items()}
                rows.append(Row((title, variant.upper(), name), cells))
    return made("three_ways", rows)


def _counter(key: str) -> str:
    """The counter of a column: icache.misses of icache_misses."""
    part = next((p for p in CACHE_PARTS if key.startswith(f"{p}_")), None)
    return key.replace(f"{part}_", f"{part}.") if part else key


def _of_way(found: dict | None, counter: str, way: str) -> Cell:
    if not found:
        return Cell(None, why="not measured")
    value = found.get(counter, {}).get(way)
    return Cell(value, why="" if value is not None else "this way does not know it")
