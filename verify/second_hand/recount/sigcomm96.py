# SPDX-License-Identifier: BSD-2-Clause
"""Tables of SIGCOMM'96 (docs/how-to/paper.md and docs/explanation/results.md)."""

import json
import statistics
from pathlib import Path

from verify.second_hand.recount import causes, claims, production, raw, sigcomm96_claims, time_line
from verify.second_hand.recount.raw import Row, Tables
from verify.second_hand.recount.run import UP, Placed, Run, deviation
from verify.second_hand.recount.steps import (
    PAPERS,
    PREFIXES,
    TITLES,
    gained,
    printed,
    printed_gains,
)

# Recipes whose copies keep the loads of call addresses are no versions of the paper's.
VERSIONS = {stack: (*own, "badkeep", "clokeep", "allkeep") for stack, own in PAPERS.items()}
SWITCHES = {  # docs/explanation/variants.md
    "XK_WORDS": "Change bytes and shorts to words in TCP state",
    "XK_REFRESH": "More efficiently refresh message after processing",
    "XK_USC": "Use USC in LANCE to avoid descriptor copying",
    "XK_MAPINL": "Inlined hash-table cache test",
    "XK_INLINE": "Various inlining",
    "XK_NODIV": "Avoid integer division",
    "XK_MISC": "Other minor changes",
}
PAPERS_CONTROLLERS = 210.0  # µs of both, 4.3
SHIFTS = ("load_use", "shift", "compare", "agen", "multiply")  # waits for an operand


class Study:
    """The runs of the study below a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.runs = {
            (stack, version): Run(root / f"{stack}-{version}")
            for stack, versions in VERSIONS.items()
            for version in versions
            if (root / f"{stack}-{version}").is_dir()
        }

    def other(self, name: str) -> Run | None:
        """A run of a link order, a layout or a switch."""
        place = self.root / name
        return Run(place) if place.is_dir() else None

    def orders(self, name: str) -> list[Run]:
        """A run's link orders."""
        return [Run(self.root / f"{name}-{order}") for order in orders_below(self.root, name)]

    def unfetched(self, stack: str, version: str, layout: str) -> Run | None:
        """A layout without the i-cache's prefetch."""
        return self.other(f"{stack}-{version}-{layout}-unfetched")


class InOrder(Study):
    """The runs of one link order."""

    def __init__(self, root: Path, order: str, usual: Study) -> None:
        self.root, self.order, self.runs = root, order, {}
        for (stack, version), run in usual.runs.items():
            if (place := root / f"{stack}-{version}-{order}").is_dir():
                self.runs[stack, version] = Placed(place, usual=run)

    def other(self, name: str) -> Run | None:
        return super().other(f"{name}-{self.order}")

    def unfetched(self, stack: str, version: str, layout: str) -> Run | None:
        layouts = "" if layout == "bipartite" else f"{layout}-"
        return super().other(f"{stack}-{version}-{layouts}{self.order}-unfetched")


def orders_below(root: Path, name: str = "*") -> list[str]:
    """Link orders that a run has, or any run."""
    found = {p.name.rpartition("-")[2] for p in root.glob(f"{name}-shuffle-*")}
    return [f"shuffle-{n}" for n in sorted(int(n) for n in found if n.isdigit())]


def tables(root: Path) -> Tables:
    study = Study(root)
    found = {"table1": table1(study), "table2": table2(study), "table3": table3(study)}
    found |= {"table4": table4(study), "table5": table5(study), "table6": table6(study)}
    found |= {"table7": table7(study), "table8": table8(study), "table9": table9(study)}
    found |= {"layout_noise": noise(study), "placements": placements(study), "guard": guard(study)}
    found |= {"round_trip_parts": parts(study), "cpi_owners": owners(study), "icpi": icpi(study)}
    found |= {"charged": charged(study)}
    found |= {"time_line": time_lines(study), "three_ways": three_ways(study)}
    found |= {"outside": outside(study), "recipes": recipes(study)}
    found |= {"kept": causes.kept(study), "lines": causes.lines(study)}
    found |= {"streams": causes.streams(study)}
    usual = production.Cells(root)
    found |= {"production": production.costs(usual), "production_owners": production.owners(usual)}
    orders = [
        (InOrder(root, order, study), production.Cells(root, order)) for order in orders_below(root)
    ]
    each = [sigcomm96_claims.of(*one) for one in orders]
    over = claims.Samples("link orders", each)
    found |= {"claims": claims.claims("sigcomm96", sigcomm96_claims.of(study, usual), over)}
    over = claims.Samples("link orders", [production.figures(cells) for _, cells in orders])
    return found | {"predictions": production.predictions(production.figures(usual), over)}


def time_lines(study: Study) -> dict[tuple[str, ...], Row]:
    """Owners of each version's round trips, by leg."""
    return {
        (stack, version, leg): {k: n for k, n in owned.items() if n}
        for (stack, version), run in study.runs.items()
        for leg, owned in time_line.rows(run.samples).items()
        if owned
    }


COUNTED = "ticks instructions taken_branches icache.misses icache.replacement_misses".split()
COUNTED += "dcache.accesses dcache.misses write_buffer.accesses write_buffer.writes".split()
COUNTED += "bcache.accesses bcache.misses".split()


def three_ways(study: Study) -> dict[tuple[str, ...], Row]:
    """The path's counts by the run's counters, and by the oracles of its repetition on the RTL,
    if there is one."""
    rows = {}
    for (stack, version), run in study.runs.items():
        if not (path := run.place / "oracle.json").is_file():
            continue
        oracle = json.loads(path.read_text())[raw.CLIENT]
        ways = {
            "counters": run.path,
            "retire trace": {k: n["recounted"] for k, n in oracle.items() if "recounted" in n},
            "cache model": {k: n["predicted"] for k, n in oracle.items() if "predicted" in n},
        }
        for way, counts in ways.items():
            row = {name.replace(".", "_"): counts.get(name) for name in COUNTED}
            rows[TITLES[stack], version.upper(), way] = row
    return rows


def _each(study: Study, columns) -> dict[tuple[str, ...], Row]:
    """A row of each version."""
    return {
        (TITLES[stack], version.upper()): columns(stack, run)
        for (stack, version), run in study.runs.items()
    }


def _versions(study: Study, columns) -> dict[tuple[str, ...], Row]:
    """A row of each of the paper's versions; columns of both stacks stand side by side."""
    rows: dict[tuple[str, ...], Row] = {}
    for (stack, version), run in study.runs.items():
        if version in PAPERS["rpc"]:
            own = columns(stack, version.upper(), run).items()
            rows.setdefault((version.upper(),), {}).update({f"{stack}_{k}": v for k, v in own})
    return rows


def table1(study: Study) -> dict:
    std, original = study.runs["tcp", "std"].length, study.runs["tcp", "original"].length
    saved = {"Total": original - std}
    for switch, technique in SWITCHES.items():
        if without := study.other(f"tcp-std-{switch}"):
            saved[technique] = without.length - std
    name = "table1_instruction_savings"
    return {
        (what,): {
            "saved": n,
            "saved paper": printed(name, "instructions_saved", technique=what),
        }
        for what, n in saved.items()
    }


def table2(study: Study) -> dict:
    metrics = {
        ("Roundtrip latency", "µs"): lambda run: run.te,
        ("Instructions executed", ""): lambda run: run.length,
        ("Processing time", "ticks"): lambda run: run.each("ticks"),
        ("CPI", ""): lambda run: run.cpi,
    }
    both = {"original": "original", "improved": "std"}
    rows = {}
    for (metric, unit), get in metrics.items():
        row: Row = {column: get(study.runs["tcp", v]) for column, v in both.items()}
        for column in both:
            row[f"{column} paper"] = printed("table2_original_vs_improved", column, metric=metric)
        rows[metric, unit] = row
    return rows


def table3(study: Study) -> dict:
    std = study.runs["tcp", "std"]
    ours = {
        "instructions between IP input and TCP input": std.between(*UP["tcp"][:2]),
        "instructions between TCP input and socket input": std.between(*UP["tcp"][1:]),
    }
    theirs = production.table3(production.Cells(study.root))
    columns = {"i80386": "80386_CJRS89", "dec_unix": "alpha_dec_unix_v3_2c"}
    columns["xkernel"] = "alpha_improved_xkernel"
    name = "table3_tcpip_implementations"
    rows = {}
    for line in raw.printed(f"sigcomm96/{name}"):
        row: Row = {"xkernel": ours.get(line["row"]), "production": theirs.get(line["row"])}
        for column, printed_as in columns.items():
            row[f"{column} paper"] = printed(name, printed_as, row=line["row"])
        rows[line["row"],] = row
    return rows


def _slower(study: Study, stack: str, get, run: Run) -> float:
    """Per cent above ALL."""
    return 100 * get(run) / get(study.runs[stack, "all"]) - 100


def table4(study: Study) -> dict:
    name = "table4_roundtrip_latency"

    def columns(stack: str, version: str, run: Run) -> Row:
        p = PREFIXES[stack]
        return {
            "te_us": run.te,
            "te_us sd": deviation(run.sample_trips),
            "te_us paper": printed(name, f"{p}_Te_us", version=version),
            "te_us paper_sd": printed(name, f"{p}_Te_sd_us", version=version),
            "delta_pct": _slower(study, stack, lambda r: r.te, run),
            "delta_pct paper": printed(name, f"{p}_delta_pct", version=version),
        }

    return _versions(study, columns)


def _adjusted(run: Run) -> float:
    return run.te - sum(run.controllers)


def table5(study: Study) -> dict:
    name = "table5_adjusted_latency"

    def columns(stack: str, version: str, run: Run) -> Row:
        p = PREFIXES[stack]
        theirs = printed(name, f"{p}_Te_us", version=version)
        return {
            "te_us": _adjusted(run),
            "te_us paper": theirs,
            "delta_pct": _slower(study, stack, _adjusted, run),
            "delta_pct paper": printed(name, f"{p}_delta_pct", version=version),
            "controller_us": sum(run.controllers) / 2,
            "controller_us paper": PAPERS_CONTROLLERS / 2,
            "te_less_210_us": run.te - PAPERS_CONTROLLERS,
            "te_less_210_us paper": theirs,
        }

    return _versions(study, columns)


THEIR_CACHES = {"icache": "icache", "dcache_write_buffer": "dcache_wb", "bcache": "bcache"}


def table6(study: Study) -> dict:
    rows = {}
    for (stack, version), run in study.runs.items():
        if version not in PAPERS["rpc"]:
            continue
        key = {"stack": TITLES[stack], "version": version.upper()}
        for way, caches in (("replay", run.replayed), ("in situ", run.in_situ)):
            row: Row = {}
            for cache, kinds in caches.items():
                for kind, n in kinds.items():
                    row[f"{cache}_{kind}"] = n
                    if way == "replay":
                        column = f"{THEIR_CACHES[cache]}_{kind}"
                        theirs = printed("table6_cache_performance", column, **key)
                        row[f"{cache}_{kind} paper"] = theirs
            rows[key["stack"], key["version"], way] = row
    return rows


def table7(study: Study) -> dict:
    name = "table7_processing_costs"

    def columns(stack: str, version: str, run: Run) -> Row:
        p = PREFIXES[stack]
        row: Row = {"tp_us": run.tp, "tp_us sd": deviation(run.sample_paths)}
        row |= {"length": run.length, "mcpi": run.mcpi, "icpi": run.icpi}
        theirs = {"tp_us paper": "Tp_us", "tp_us paper_sd": "Tp_sd_us", "length paper": "length"}
        theirs |= {"mcpi paper": "mCPI", "icpi paper": "iCPI"}
        return row | {k: printed(name, f"{p}_{c}", version=version) for k, c in theirs.items()}

    return _versions(study, columns)


STEPS = {
    "tcp": ("bad clo", "std out", "out clo", "out pin", "pin all"),
    "rpc": ("bad clo", "std out", "out clo", "out pin", "pin all"),
}


def table8(study: Study) -> dict:
    rows: dict[tuple[str, ...], Row] = {}
    for stack, steps in STEPS.items():
        for step in steps:
            own = gained(study, stack, step) | printed_gains(stack, step)
            row = rows.setdefault((" → ".join(step.upper().split()),), {})
            row |= {f"{stack}_{k}": v for k, v in own.items()}
    return rows


def table9(study: Study) -> dict:
    rows = {}
    for stack, title in TITLES.items():
        row: Row = {}
        for side, version in {"without": "std", "with": "out"}.items():
            run = study.runs[stack, version]
            row |= {f"{side}_unused_pct": run.unused, f"{side}_size": run.size}
            theirs = {"unused_pct": "icache_unused_pct", "size": "size_instr"}
            for key, column in theirs.items():
                row[f"{side}_{key} paper"] = printed(
                    "table9_outlining_effectiveness", f"{side}_outlining_{column}", stack=title
                )
        rows[title,] = row
    return rows


def noise(study: Study) -> dict:
    def columns(stack: str, run: Run) -> Row:
        version = run.place.name.partition("-")[2]
        orders = study.orders(f"{stack}-{version}")
        row: Row = {"te_us": run.te, "tp_us": run.tp, "mcpi": run.mcpi}
        spread = {
            "te_us": [order.te for order in orders],
            "tp_us": [order.tp for order in orders],
            "mcpi": [order.cpi - run.icpi for order in orders],
        }
        for name, values in spread.items() if orders else ():
            row |= {f"{name}_median": statistics.median(values)}
            row |= {f"{name}_min": min(values), f"{name}_max": max(values)}
        return row

    return _each(study, columns)


def _first(run: Run, icpi: float) -> Row:
    """Figures of a first sample; ``icpi``: of the same code in the usual order."""
    return {
        "te_us": run.sample_trips[0],
        "tp_us": run.sample_paths[0],
        "mcpi": run.cpi - icpi,
        "i_misses": run.each("icache.misses"),
        "b_misses": run.each("bcache.misses"),
    }


def placements(study: Study) -> dict:
    rows = {}
    for stack, title in TITLES.items():
        for version in ("clo", "all"):
            usual = study.runs[stack, version]
            layouts = {"bipartite": usual}
            for layout in ("linear", "micro"):
                if other := study.other(f"{stack}-{version}-{layout}"):
                    layouts[layout] = other
            for layout, run in layouts.items():
                rows[title, version.upper(), layout] = _first(run, usual.icpi)
    return rows


def guard(study: Study) -> dict:
    rows = {}
    for stack, title in TITLES.items():
        off, on = study.runs[stack, "pin"], study.other(f"{stack}-pin-guard")
        found = {"off": off, "in software": on}
        own = {
            name: {
                "instructions": run.length,
                "te_us": run.sample_trips[0],
                "tp_us": run.sample_paths[0],
            }
            for name, run in found.items()
            if run
        }
        if on:
            own["costs"] = {k: own["in software"][k] - own["off"][k] for k in own["off"]}
        rows |= {(title, name): row for name, row in own.items()}
    return rows


def parts(study: Study) -> dict:
    return _each(study, lambda _, run: run.parts)


def owners(study: Study) -> dict:
    """Ticks of an instruction by owner; columns of owners that no version has are left out."""

    def columns(_: str, run: Run) -> Row:
        ticks = {k.removeprefix("owner."): n for k, n in run.path.items() if k.startswith("owner.")}
        return {owner: n / run.path["instructions"] for owner, n in ticks.items()}

    rows = _each(study, columns)
    seen = {owner for row in rows.values() for owner, n in row.items() if n}
    return {key: {k: v for k, v in row.items() if k in seen} for key, row in rows.items()}


def icpi(study: Study) -> dict:
    def columns(_: str, run: Run) -> Row:
        n, times = run.ideal, run.ideal["invocations"]
        operands = sum(n[f"owner.{owner}"] for owner in SHIFTS)
        rest = n["ticks"] - n["instructions"] - n["owner.taken_bubble"] - operands
        return {
            "instructions": n["instructions"] / times,
            "taken": n["taken_branches"] / times,
            "taken_bubble": n["owner.taken_bubble"] / times,
            "operands": operands / times,
            "rest": rest / times,
            "ticks": n["ticks"] / times,
            "icpi": run.icpi,
        }

    return _each(study, columns)


MEMORY = ("i_demand", "i_stream", "refill_restart", "d_miss", "memory_port", "write_buffer_full")


def charged(study: Study) -> dict:
    def columns(_: str, run: Run) -> Row:
        def memory(count: dict[str, int]) -> float:
            ticks = sum(count[f"owner.{owner}"] for owner in (*MEMORY, "barrier"))
            return ticks / count["invocations"]

        own = memory(run.path) - memory(run.ideal)
        saved = run.each("ticks") - run.ideal["ticks"] / run.ideal["invocations"]
        return {"charged": own, "saved": saved, "apart": 100 * (own - saved) / saved}

    return _each(study, columns)


def outside(study: Study) -> dict:
    def columns(_: str, run: Run) -> Row:
        (hidden, reply), (busy, misses) = run.hidden, run.outside
        row = {"tp_us": run.sample_paths[0], "hidden_us": hidden, "reply_us": reply}
        return row | {"busy_us": busy, "i_misses": misses}

    return _each(study, columns)


def recipes(study: Study) -> dict:
    def columns(stack: str, run: Run) -> Row:
        version = run.place.name.partition("-")[2].upper()
        p = PREFIXES[stack]
        side = "without" if version in ("BAD", "STD") else "with"
        row: Row = {
            "instructions": run.length,
            "taken": run.each("taken_branches"),
            "unused_pct": run.unused,
            "icpi": run.icpi,
            "mcpi": run.mcpi,
            "i_misses": run.each("icache.misses"),
            "b_misses": run.each("bcache.misses"),
            "tp_us": run.tp,
            "te_us": run.te,
        }
        if version.lower() not in PAPERS["rpc"]:
            return row
        costs = {"instructions": "length", "icpi": "iCPI", "mcpi": "mCPI", "tp_us": "Tp_us"}
        for key, column in costs.items():
            row[f"{key} paper"] = printed(
                "table7_processing_costs", f"{p}_{column}", version=version
            )
        row["te_us paper"] = printed("table4_roundtrip_latency", f"{p}_Te_us", version=version)
        row["unused_pct paper"] = printed(
            "table9_outlining_effectiveness",
            f"{side}_outlining_icache_unused_pct",
            stack=TITLES[stack],
        )
        return row

    return _each(study, columns)
