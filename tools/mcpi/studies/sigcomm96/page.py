# SPDX-License-Identifier: BSD-2-Clause
"""The study's page: its answer first, then figures, the paper's tables and ours."""

from mcpi.base.progress import counted
from mcpi.papers.sigcomm96 import STACKS
from mcpi.studies.sigcomm96.figures import figures
from mcpi.studies.sigcomm96.plan import BASE, BEST, ORDER
from mcpi.studykit import page as common
from mcpi.studykit.cell import Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import tp

WAITS = ("i_demand", "i_stream", "refill_restart")  # owners: the processor has no instruction
TITLE = "Techniques to improve protocol latency, measured again"


def page(study: Measured, tables: list[Table]) -> str:
    """The whole page; what the study was not asked for is not in it."""
    tables = [drawn for table in tables if (drawn := table.drawn()).rows]
    claimed = [t for t in tables if t.key == "claims"]
    papers = [t for t in tables if t.key.startswith("table")]
    ours = [t for t in tables if t not in claimed + papers]
    return common.page(
        TITLE,
        study,
        [("", claimed), ("The paper's tables", papers), ("Beside the paper", ours)],
        stacks=STACKS,
        answers=answers(study),
        lead=_lead(study),
        figures=figures(study),
    )


def answers(study: Measured) -> list[str]:
    """For each stack what the best version gains on the base, and what of it was waiting for
    instructions; nothing where either was not measured."""
    said = []
    for stack, title in STACKS.items():
        base, best = (study.result(stack, variant) for variant in (BASE, BEST))
        if not base or not best:
            continue
        before, after = tp(base), tp(best)
        paths = [result["steady"]["client"] for result in (base, best)]
        saved = paths[0]["ticks"] - paths[1]["ticks"]
        waits = [sum(path["owners"].get(name, 0) for name in WAITS) for path in paths]
        share = ""
        if saved > 0:
            share = f", {100 * (waits[0] - waits[1]) / saved:.0f} % of it instruction waits"
        said.append(
            f"{title}: {BEST.upper()} takes {after:.1f} µs on the client's path, {BASE.upper()} "
            f"{before:.1f} µs: {100 * (1 - after / before):.0f} % less"
            f"{share}."
        )
    return said


def _lead(study: Measured) -> str:
    extent, there = study.record["extent"], study.record["results"]
    samples = ", ".join(f"{STACKS[s]} {n}" for s, n in extent["samples"].items() if there.get(s))
    versions = [v.upper() for v in ORDER if any(v in stack for stack in there.values())]
    return (
        "The study of Mosberger, Peterson, Bridges and O'Malley (SIGCOMM '96): every figure here "
        "comes from two simulated machines whose every tick has an owner. Versions: "
        f"{', '.join(versions)}. Samples: {samples}; "
        f"{counted(extent['round_trips'], 'round trip')} each. Bold: ours. Then the paper's, then "
        f"ours ÷ the paper's. {common.fitted(study)}"
    )
