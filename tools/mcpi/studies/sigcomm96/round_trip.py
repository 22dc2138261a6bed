# SPDX-License-Identifier: BSD-2-Clause
"""The README's figure: where the ticks of a round trip's path go, for each version."""

from mcpi.papers.sigcomm96 import STACKS
from mcpi.studies.sigcomm96.plan import BASE, ORDER
from mcpi.study.measured import Measured

VERSIONS = ORDER[ORDER.index(BASE) :]
TITLE = "Ticks of the client's path in one round trip, by what owns them"


def drawing(study: Measured) -> str:
    """SVG: a bar for each version from the base on, the stacks side by side."""
    from mcpi.study import charts

    panels = {
        title: [
            charts.Bar(version.upper(), charts.by_cause(path["owners"]))
            for version in VERSIONS
            if (path := ((study.result(stack, version) or {}).get("steady") or {}).get("client"))
        ]
        for stack, title in STACKS.items()
    }
    return charts.chart(panels, "{:,.0f}", TITLE, columns=len(panels))
