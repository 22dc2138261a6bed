# SPDX-License-Identifier: BSD-2-Clause
"""Digests of what a published table comes from, and the pages that are stale.

A page's provenance has a digest of each part. ``machines``, ``plan``, ``code`` and ``firmware`` are
of files, so ``./mcpi doctor`` compares them in seconds. ``images`` is of the bytes that images
load. If firmware's files differ, only the images can say if the page is stale: a long test builds
them.
"""

import ast
import dataclasses
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from mcpi.base.repo import FIRMWARE, ROOT
from mcpi.batch.plan import Experiment, Wanted
from mcpi.firmware import digests as loaded
from mcpi.studykit import markdown
from mcpi.studykit.definition import Study

IMAGES, SOURCES = "images", "firmware"
# Modules of studykit that no table depends on.
UNREAD = ("charts.py", "command.py", "figures.py", "freshness.py", "page.py", "panels.py")
UNREAD += ("terms.py", "verification.py")
MAKERS = ROOT / "tools" / "mcpi" / "firmware"  # of images, from firmware's files
C_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.S)
RECOMPUTES = "alive.py"  # of a study's folder: a page beside the tables
LENGTH = 12
LATER = ("path",)  # fields of a spec that are younger than pages, and empty in their plans


def of(study: Study, experiments: list[Experiment] | None = None) -> dict[str, str]:
    """The digests of a study's parts but its images, as the checkout is now. ``experiments``: all
    of the full study, if they are known."""
    if experiments is None:
        experiments = study.plan(Wanted(), study.full)
    folder = Path(sys.modules[study.plan.__module__].__file__).parent
    code = [path for path in _files(folder, "*") if path.name != RECOMPUTES]
    code += _files(ROOT / "papers", "*.csv")
    code += [path for path in _files(Path(__file__).parent, "*.py") if path.name not in UNREAD]
    machines = {e.machine.digest for e in _by_machine(experiments)}
    return {
        "machines": _short(sorted(machines)),
        "plan": _short(json.dumps(_planned(e), sort_keys=True) for e in experiments),
        "code": _short(_said(code)),
        SOURCES: _short(_said([*_files(FIRMWARE, "*"), *_files(MAKERS, "*.py")])),
    }


def images(experiments: list[Experiment], root: Path) -> str:
    """The digest of the images in the folders of all experiments below ``root``. Other link orders
    are of the same objects, so they are left out."""
    usual = [e for e in experiments if not e.shuffle]
    files = (path for e in usual for path in sorted((root / e.name).glob("*.elf")))
    return _short(sorted({loaded.digest(path) for path in files}))


def pages(study: Study) -> list[Path]:
    """The study's pages with a provenance."""
    mark = f"<!-- {markdown.PROVENANCE} -->"
    return [page for page in study.pages if mark in page.read_text()]


def stale(study: Study, now: dict[str, str]) -> Iterator[tuple[Path, list[str]]]:
    """Each page whose digests are not those of ``now``, with the parts that differ. A page without
    digests has all."""
    for page in pages(study):
        then = markdown.digests(page)
        if parts := [part for part, digest in now.items() if then.get(part) != digest]:
            yield page, parts


def words(study: Study, name: str) -> list[str]:
    """A line for each stale page of a study, as ``./mcpi doctor`` has them. ``name``: the study's,
    empty for the one that ``./mcpi paper`` alone means."""
    said = []
    for page, parts in stale(study, of(study)):
        where = page.relative_to(ROOT) if page.is_relative_to(ROOT) else page
        if not markdown.digests(page):
            said.append(f"{where} is stale: it has no digests")
        elif parts == [SOURCES]:
            said.append(
                f"{where} may be stale: firmware's files differ; ./mcpi test --all -k stale"
            )
        else:
            said.append(f"{where} is stale: {', '.join(parts)}")
    typed = " ".join(filter(None, ["./mcpi paper", name, "--update-docs"]))
    return [f"{one}. To fill it: {typed}" for one in said]


def _by_machine(experiments: Iterable[Experiment]) -> list[Experiment]:
    """An experiment of each machine and settings."""
    found = {(e.spec.machine, str(sorted(e.spec.settings.items()))): e for e in experiments}
    return list(found.values())


def _planned(e: Experiment) -> list:
    """An experiment without what differs between checkouts."""
    fields = {k: v for k, v in dataclasses.asdict(e.spec).items() if v or k not in LATER}
    spec = {k: _relative(v) for k, v in fields.items()}
    return [e.name, spec, [dataclasses.asdict(job) for job in e.jobs], e.part]


def _relative(value: object) -> object:
    return value.replace(str(ROOT), "") if isinstance(value, str) else value


def _files(folder: Path, pattern: str) -> list[Path]:
    """The files below a folder that count: no tests, no pages, nothing that was made."""
    found = sorted(path for path in folder.rglob(pattern) if path.is_file())
    left_out = ("test", "__pycache__")
    return [
        path
        for path in found
        if not any(part in left_out for part in path.relative_to(folder).parts)
        and path.suffix not in (".md", ".html", ".js")
        and path.name != "text_numbers.csv"
    ]


def _said(files: Iterable[Path]) -> Iterator[str]:
    """The name of each file and what it says: comments, docstrings and spaces do not count."""
    for path in files:
        yield f"{path.relative_to(ROOT)}\n{content(path)}"


def content(path: Path) -> str:
    """The text of a file, without comments and docstrings if it is Python, C or assembly."""
    text = path.read_text()
    match path.suffix:
        case ".py":
            return ast.dump(_undocumented(ast.parse(text)))
        case ".c" | ".h" | ".S":
            bare = C_COMMENT.sub(lambda m: m[0] if m[0].startswith('"') else " ", text)
            return "\n".join(" ".join(row.split()) for row in bare.splitlines() if row.strip())
    return text


def _undocumented(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            value = body[0].value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                node.body = body[1:]
    return tree


def _short(texts: Iterable[str]) -> str:
    whole = hashlib.sha256()
    for text in texts:
        whole.update(text.encode() + b"\0")
    return whole.hexdigest()[:LENGTH]
