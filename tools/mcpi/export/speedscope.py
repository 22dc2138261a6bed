# SPDX-License-Identifier: BSD-2-Clause
"""A profile for speedscope, as its file-format-schema.json describes: sampled, a sample for each
stack, weighed by its ticks."""

import json

from mcpi.analysis import calls
from mcpi.analysis.profile import Profile

SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def text(profile: Profile, owner: str = "") -> str:
    """The file. Weights are ticks of all measured invocations, of one owner if it is given."""
    rows = list(calls.folded(calls.stacks(profile)[0], owner))
    names = sorted({name for stack, _ in rows for name in stack})
    number = {name: n for n, name in enumerate(names)}
    title = f"{profile.whose}, {owner or 'all'} ticks"
    weights = [ticks for _, ticks in rows]
    one = {
        "type": "sampled",
        "name": title,
        "unit": "none",
        "startValue": 0,
        "endValue": sum(weights),
        "samples": [[number[name] for name in stack] for stack, _ in rows],
        "weights": weights,
    }
    shared = {"frames": [{"name": name} for name in names]}
    document = {"$schema": SCHEMA, "name": title, "shared": shared, "profiles": [one]}
    return json.dumps(document, indent=1) + "\n"
