# SPDX-License-Identifier: BSD-2-Clause
"""Files that a page has in pieces: blocks whose first line has a language and a name (``c tag.c``).

    python -m verify.docgen.snippets PAGE FOLDER

writes them as the folder of a stack has them: a protocol's ``tag.c`` in ``tag/``, graphs and tables
in FOLDER itself.
"""

import re
import sys
from pathlib import Path

_PIECE = re.compile(r"^```(?:c|graph) (\S+)\n(.*?)^```", re.M | re.S)


def files(page: str) -> dict[str, str]:
    """The text of each file, its pieces in their order."""
    found: dict[str, str] = {}
    for name, text in _PIECE.findall(page):
        found[name] = found.get(name, "") + text
    return found


def write(page: Path, folder: Path) -> None:
    """Write the files of a page as the folder of a stack."""
    for name, text in files(page.read_text()).items():
        place = folder / Path(name).stem if name.endswith(".c") else folder
        place.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
