# SPDX-License-Identifier: BSD-2-Clause
"""Tables of places: shuffled link orders, layouts of the clones, the classifier of PIN."""

from mcpi.papers.sigcomm96 import STACKS
from mcpi.studies.sigcomm96.plan import CLONED, INLINED, LAYOUTS, PLACES
from mcpi.studies.sigcomm96.tables.common import cell, each, filled, made
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import Get, client, te, tp

SPREADS = {"te_us": ("mean_us", te), "tp_us": ("time_us", tp), "mcpi": ("mcpi", client("mcpi"))}
NO_ORDERS = (
    "No link orders were measured here; ./mcpi paper --shuffles 30 goes on from what is there."
)


def noise(study: Measured) -> Table:
    """Layout noise: every version under shuffled link orders, beside the single figure."""

    def cells(stack: str, variant: str) -> dict[str, Cell]:
        found = {}
        for key, (name, get) in SPREADS.items():
            found[key] = cell(study, stack, variant, get)
            for kind in ("median", "min", "max"):
                found[f"{key}_{kind}"] = cell(study, stack, variant, _spread(name, kind))
        return found

    layouts = study.record["extent"]["shuffles"]
    notes = () if layouts else (NO_ORDERS,)
    return made("layout_noise", each(cells), notes=notes, layouts=layouts)


def _spread(name: str, kind: str) -> Get:
    return lambda result: result.get("layout_noise", {}).get(name, {}).get(kind)


OWN = "bipartite"


def figures(study: Measured, stack: str, variant: str, layout: str) -> dict | None:
    """Figures of the first sample with this layout; None if it was not measured."""
    result = study.result(stack, variant)
    if result is None or "mean_us" not in result["round_trip"]:
        return None  # boards have no times of events
    path = result["steady"]["client"]
    if layout == OWN:
        means = result["round_trip"].get("sample_means_us") or [result["round_trip"]["mean_us"]]
        return {
            "te_us": means[0],
            "tp_us": path["time_us"],
            "mcpi": path["mcpi"],
            "i_misses": path["icache"]["misses"],
            "b_misses": path.get("bcache", {}).get("misses", 0.0),
        }
    one = study.of(PLACES, stack, variant, layout)
    if one is None:
        return None
    return {
        "te_us": one["mean_us"],
        "tp_us": one["time_us"],
        "mcpi": one["cpi"] - path["icpi"],
        "i_misses": one["i_misses"],
        "b_misses": one["b_misses"],
    }


def placements(study: Measured) -> Table:
    """The same copies in other places: bipartite beside linear and micro-positioned (3.2)."""
    rows = []
    for stack, title in STACKS.items():
        for variant in CLONED:
            for layout in (OWN, *LAYOUTS):
                found = figures(study, stack, variant, layout)
                cells = filled("placements", found, f"{variant.upper()} {layout}: not measured")
                rows.append(Row((title, variant.upper(), layout), cells))
    return made("placements", rows)


GUARD = {"instructions": "instructions", "te_us": "mean_us", "tp_us": "time_us"}


def guard(study: Measured) -> Table:
    """PIN with its classifier: the cost of asking of every frame if the path takes it (3.3)."""
    rows = []
    for stack, title in STACKS.items():
        plain = figures(study, stack, INLINED, OWN)
        if plain:
            path = study.result(stack, INLINED)["steady"]["client"]
            plain["instructions"] = path["instructions"]
        one = study.of("guards", stack)
        guarded = one and {k: one[name] for k, name in GUARD.items()}
        both = plain and guarded and {k: guarded[k] - plain[k] for k in guarded}
        for name, found in (("off", plain), ("in software", guarded), ("costs", both)):
            rows.append(Row((title, name), filled("guard", found, "not measured")))
    return made("guard", rows)
