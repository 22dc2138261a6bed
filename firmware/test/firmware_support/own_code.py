# SPDX-License-Identifier: BSD-2-Clause
"""Where an image has its code: that of a connection's own, and that of the boot cloner."""

import json

from mcpi.firmware.clone import template
from mcpi.firmware.clone.program import Program
from mcpi.firmware.images import Plan


def entries(plan: Plan) -> tuple[list[int], int]:
    """Where the functions of the first slot begin, and the bytes of a slot."""
    image = Program(plan.image)
    at, base = image.symbols[template.SYMBOL], image.symbols["_start"]
    words = [image.word(at + 4 * n) for n in range(8)]
    return [base + words[2] + 4 * word for word in words[6:8]], words[3]


def where(plan: Plan, name: str) -> int:
    """Where the boot cloner puts a function."""
    copies = json.loads(plan.image.with_suffix(".json").read_text())["copies"]
    return next(c["target"] for c in copies if c["function"] == name)
