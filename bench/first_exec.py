# SPDX-License-Identifier: BSD-2-Clause
"""Seconds from nothing to the ticks of a program of one's own, in new roots of Debian 12; wants
root.

PYTHONPATH=tools python3 bench/first_exec.py [roots]
"""

import sys

import from_nothing

if __name__ == "__main__":
    roots = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    from_nothing.show("./mcpi exec examples/conflict.c", roots)
