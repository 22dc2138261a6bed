# SPDX-License-Identifier: BSD-2-Clause
"""``python -m mcpi.firmware.usc FILE.usc [--out FILE.h]``: the header for one description."""

import argparse
import sys
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.firmware.usc import header


def main() -> int:
    parser = argparse.ArgumentParser(prog="usc", description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--out", type=Path, help="the header; without: standard output")
    given = parser.parse_args()
    try:
        text = header(given.source)
    except (UserError, OSError) as error:
        print(f"usc: {error}", file=sys.stderr)
        return 2
    if given.out:
        given.out.write_text(text)
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
