# SPDX-License-Identifier: BSD-2-Clause
"""The site: staged, built by Sphinx, checked."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import ROOT
from verify.docgen.site import links, made, reference, staging

CONFIGURATION = ROOT / "site"
_BUILDER = ("-m", "sphinx", "--builder", "html", "--fail-on-warning", "--keep-going", "--quiet")


def check() -> None:
    """UserError if a link of a page leads nowhere; the error names page and line of each."""
    pages, _ = links.closure(staging.README)
    if found := links.errors(pages):
        raise UserError("\n".join((*found, "Nothing was built: correct the links.")))


def build(place: Path, playground: str = "") -> None:
    """Make the site in the folder ``place``, which is empty but for the page ``playground``."""
    with tempfile.TemporaryDirectory(prefix="mcpi-docs-") as folder:
        sources, doctrees = Path(folder, "sources"), Path(folder, "doctrees")
        pages = reference.pages()
        for name, text in pages.items():
            path = sources / "generated" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        staging.stage(sources, [name.rpartition(".")[0] for name in pages], playground)
        words = ["--conf-dir", CONFIGURATION, "--doctree-dir", doctrees, sources, place]
        # Sets of strings have another order in each process without it.
        given = os.environ | {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "0"}
        done = subprocess.run(
            [sys.executable, *_BUILDER, *map(str, words)], env=given, capture_output=True, text=True
        )
    if done.returncode:
        said = (done.stderr or done.stdout).replace(f"{sources}/", "")
        raise RunError(f"Sphinx stopped:\n{said.strip()}")
    for name in (".buildinfo", "objects.inv"):
        (place / name).unlink(missing_ok=True)
    if found := made.errors(place):
        raise RunError("\n".join(found))
