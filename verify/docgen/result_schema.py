# SPDX-License-Identifier: BSD-2-Clause
"""``docs/reference/result.schema.json``: the types of a record as JSON Schema, tested equal.

``./mcpi python -m verify.docgen.result_schema`` writes it.
"""

import json

from mcpi.base.repo import ROOT
from mcpi.results import record

PAGE = ROOT / "docs" / "reference" / "result.schema.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
ABOUT = (
    "result.json of a run of mCPI. Units are in the names; what is absent was not measured, and is "
    "never zero. Beyond this schema the owners of a path sum to its ticks."
)


def render() -> str:
    """The file's text."""
    head = {"$schema": DIALECT, "title": "mCPI result", "description": ABOUT}
    return json.dumps(head | record.schema(), indent=1) + "\n"


if __name__ == "__main__":
    PAGE.write_text(render())
