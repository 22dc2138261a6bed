# SPDX-License-Identifier: BSD-2-Clause
"""Words of the tables, from tables.toml."""

from pathlib import Path

from mcpi.studies.osdi94.plan import Curve
from mcpi.studykit.words import Words

HERE = Path(__file__).parent
WORDS = Words(HERE / "tables.toml", {})


def labels(curve: Curve) -> tuple[str, str, str]:
    """Machine, side, what it has otherwise than the baseline."""
    about = WORDS.about["ways"]
    side = f"{curve.stack.upper()} {curve.side}" if curve.side else curve.stack
    return curve.machine, side, about[curve.way or "base"]
