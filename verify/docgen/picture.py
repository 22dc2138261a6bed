# SPDX-License-Identifier: BSD-2-Clause
"""A picture of a page for docs/: ``python3 -m verify.docgen.picture PAGE PNG [FIRST [LAST]]``.

FIRST and LAST are selectors: from the top of the one element to the bottom of the other.
"""

import sys
from pathlib import Path

from verify.docgen.browser import Browser

WIDTH = 1000  # CSS pixels
DRAWN = "document.body.dataset.drawn"  # the page's script says so


def main(page: str, png: str, first: str = "body", last: str = "") -> None:
    with Browser() as browser:
        browser.open(Path(page), WIDTH)
        browser.wait(DRAWN)
        browser.picture(Path(png), first, last)


if __name__ == "__main__":
    main(*sys.argv[1:])
