# SPDX-License-Identifier: BSD-2-Clause
"""Seconds from nothing to README's first table, in new roots of Debian 12; wants root.

PYTHONPATH=tools:. python3 bench/first_table.py [roots]
"""

import sys

import from_nothing

from mcpi.base.repo import ROOT
from verify.docgen import transcript

if __name__ == "__main__":
    command = next(iter(transcript.commands((ROOT / "README.md").read_text())))
    from_nothing.show(command, int(sys.argv[1]) if len(sys.argv) > 1 else 3)
