# SPDX-License-Identifier: BSD-2-Clause
"""A study that measured exactly what the paper printed: every cell's ratio must be 1."""

import copy
import json
from pathlib import Path

from mcpi.papers import sigcomm96 as published
from mcpi.papers.sigcomm96 import PREFIX, STACKS
from mcpi.papers.tables import row
from mcpi.studies.sigcomm96.plan import CLONED, STUDIED, TECHNIQUES
from mcpi.studykit.measured import Measured

EXAMPLE = json.loads((Path(__file__).parent / "example_result.json").read_text())
SHUFFLED = ("shuffle-1", "shuffle-2", "shuffle-3")


def result(stack: str, variant: str) -> dict:
    """result.json with the paper's values of a version where Tables 2 to 9 take theirs from."""
    made = copy.deepcopy(EXAMPLE)
    made["provenance"] |= {"stack": stack, "variant": variant, "peer_variant": variant}
    name, p = variant.upper(), PREFIX[stack]
    path = made["steady"]["client"]
    if variant == "original":
        before = {
            r: float(row("sigcomm96/table2_original_vs_improved", metric=r)["original"])
            for r in ("Roundtrip latency", "Instructions executed", "Processing time", "CPI")
        }
        made["round_trip"]["mean_us"] = before["Roundtrip latency"]
        path |= {
            "instructions": before["Instructions executed"],
            "cpi": before["CPI"],
            "ticks": before["Processing time"],
        }
        return made
    theirs, trip = published.path(stack, variant), published.round_trip(stack, variant)
    adjusted = row("sigcomm96/table5_adjusted_latency", version=name)
    spread = row("sigcomm96/table7_processing_costs", version=name)[f"{p}_Tp_sd_us"]
    without = float(adjusted[f"{p}_Te_us"])
    made["round_trip"] |= trip | {"adjusted_us": without, "adjusted_paper_us": without}
    path |= {key: theirs[key] for key in ("instructions", "mcpi", "icpi")}
    path |= {"ticks": 15688.0, "cpi": 3.3}
    times = {"mean_us": theirs["time_us"], "sd_us": float(spread)}
    made["path_time"]["client"] |= times
    for key, value in theirs.items():
        cache, _, kind = key.partition(".")
        if kind:
            made["replay"]["client"][cache][kind] = value
    code = row("sigcomm96/table9_outlining_effectiveness", stack=STACKS[stack])
    side = "without" if variant in ("std", "bad") else "with"
    size = int(code[f"{side}_outlining_size_instr"])
    made["static"]["critical_path_instructions"] = size
    return made


def study() -> Measured:
    """All versions of both stacks, as printed."""
    saved = {
        key: float(
            row("sigcomm96/table1_instruction_savings", technique=name)["instructions_saved"]
        )
        for key, name in TECHNIQUES.items()
    }
    base = 4750
    provenance = {k: v for k, v in EXAMPLE["provenance"].items() if k not in ("images", "command")}
    return Measured(
        {
            "schema": 1,
            "provenance": provenance | {"reproduce": "./mcpi paper"},
            "extent": {"samples": {"tcp": 10, "rpc": 5}, "round_trips": 100, "shuffles": 50},
            "absent": {},
            "remarks": [],
            "results": {s: {v: result(s, v) for v in STUDIED[s]} for s in STACKS},
            "switches": {key: {"instructions": base + n} | trip() for key, n in saved.items()},
            "layouts": {s: {v: others(s, v) for v in CLONED} for s in STACKS},
            "guards": {s: few(s, "pin", 2.0) for s in STACKS},
            "evidence": {s: {v: seen(s, v) for v in STUDIED[s]} for s in STACKS},
            "orders": {s: {v: orders(s, v) for v in STUDIED[s]} for s in STACKS},
            "in_orders": {
                "layouts": {o: placed(o) for o in SHUFFLED},
                "switches": {o: {"XK_REFRESH": orders("tcp", "std")[o]} for o in SHUFFLED},
            },
            "maps": {s: maps(s) for s in STACKS},
        }
    )


def trip() -> dict:
    """A round trip that a technique does not change."""
    return {"mean_us": result("tcp", "std")["round_trip"]["mean_us"]}


def few(stack: str, variant: str, more: float) -> dict:
    """A single run, so many µs slower than the version's own."""
    whole = result(stack, variant)
    path = whole["steady"]["client"]
    means = whole["round_trip"].get("sample_means_us") or [whole["round_trip"]["mean_us"]]
    return {
        "mean_us": means[0] + more,
        "time_us": path["time_us"] + more,
        "cpi": path["icpi"] + path["mcpi"],
        "instructions": path["instructions"],
        "i_misses": 100.0,
        "b_misses": 0.0,
        "owners": {owner: 1.01 * ticks for owner, ticks in path["owners"].items()},
        "breakdown_us": {part: us + more for part, us in whole["breakdown_us"].items()},
        "wire_us": whole["wire_us"],
        "replay": whole["replay"],
    }


def maps(stack: str) -> dict:
    """Cache maps of each version, and ticks by function."""
    versions = [v for v in STUDIED[stack] if v != "original"]
    return {"colours": {}, "library": [], "variants": [one_map(stack, v) for v in versions]}


def one_map(stack: str, variant: str) -> dict:
    """The later the version, the more each function takes; the last function takes the most."""
    names, at = ("ip_demux", "tcp_demux_of_a_long_name", "memcpy"), STUDIED[stack].index(variant)
    owners = result(stack, variant)["steady"]["client"]["owners"]
    functions = {
        name: {o: (n + 1 + at / 10) * t / 7 for o, t in owners.items()}
        for n, name in enumerate(names)
    }
    longer = {name: {o: 1.2 * t for o, t in ticks.items()} for name, ticks in functions.items()}
    spans = [(0, 50.0 * n, 40.0, "code", name, f"{name} 100000") for n, name in enumerate(names)]
    rows = ["100000", "102000"]
    code = {"sets": 256, "rows": rows, "spans": spans, "misses": [(3, 2.0), (60, 1.0)]}
    clash = (1, 7.0, 1.0, "clash", "memcpy", "set 7: memcpy and data")
    both = {**code, "spans": [*spans, (1, 3.0, 9.0, "code", "data", "data"), clash], "misses": []}
    return {
        "variant": variant,
        "layout": "link order",
        "instructions": 3000,
        "blocks": 400,
        "i_misses": 300.0,
        "b_misses": 1.0,
        "meet": [["ip_demux", "memcpy", 3.0]],
        "meet_b": [],
        "code": code,
        "both": both,
        "functions": functions,
        "function_orders": [functions, longer],
    }


def others(stack: str, variant: str) -> dict:
    """Micro-positioning "somewhat worse than a bipartite layout" (3.2)."""
    micro = few(stack, variant, 1.0) | {"replay": packed(stack, variant)}
    return {"linear": few(stack, variant, 3.0), "micro": micro}


def packed(stack: str, variant: str) -> dict:
    """A replay with a tenth of the replacement misses, and 4.5 new cold ones."""
    replay = copy.deepcopy(result(stack, variant)["replay"])
    cache = replay["client"]["icache"]
    cold = cache["misses"] - cache["replacement_misses"] + 4.5
    cache["replacement_misses"] /= 10
    cache["misses"] = cold + cache["replacement_misses"]
    return replay


def orders(stack: str, variant: str) -> dict:
    whole = result(stack, variant)
    tp, te = whole["path_time"]["client"]["mean_us"], whole["round_trip"]["mean_us"]
    return {
        order: few(stack, variant, float(n)) | {"time_us": tp + n / 10, "mean_us": te + n / 10}
        for n, order in enumerate(SHUFFLED, 1)
    }


def placed(order: str) -> dict:
    """The copies micro-positioned, in a link order."""

    def micro(stack: str, variant: str) -> dict:
        own = orders(stack, variant)[order]
        return {"micro": own | {"mean_us": own["mean_us"] + 1, "replay": packed(stack, variant)}}

    return {s: {v: micro(s, v) for v in CLONED} for s in STACKS}


def seen(stack: str, variant: str) -> dict:
    """OUT saves iCPI by taken branches alone (4.4.1)."""
    instructions = 4000
    icpi = result(stack, variant)["steady"]["client"]["icpi"]
    if variant == "original":
        icpi = 1.7
    rest = 400.0
    ideal = {"issue": instructions, "load_use": rest, "io": 0.0}
    ideal["taken_bubble"] = round((icpi - 1) * instructions - rest, 6)
    counters = {"hardware": 5, "recounted": 5, "predicted": 5}
    return {
        "ideal": ideal,
        "taken": ideal["taken_bubble"] / 6,
        "outside": {"busy_us": 20.0, "i_misses": 80.0},
        "hidden_us": 3.0,
        "reply_us": 12.0,
        "oracle": {"icache.misses": counters, "ticks": {"hardware": 9, "recounted": 9}},
    }
