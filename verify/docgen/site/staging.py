# SPDX-License-Identifier: BSD-2-Clause
"""Sources of the site in a folder: the pages as they are in the checkout, a page for each other
file to which a link leads, the first page, and the lists of pages by reader.

A staged page has the lines of the page in the checkout, so an error names the same line.
"""

import csv
import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from mcpi.base.blocks import table
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from verify.docgen.site import links

README, INDEX = ROOT / "README.md", ROOT / "docs" / "README.md"
FIRST = ROOT / "site" / "index.md"
IMAGES = (".svg", ".png")
LANGUAGES = {".py": "python", ".c": "c", ".toml": "toml", ".json": "json"}
MORE = "More"  # pages that the index does not name
GENERATED = "Look up, generated"
# Sphinx makes no page of the playground, and would take a link in Markdown for a mistake.
THERE = (
    '<a href="{}"><strong>Run programs and both stacks in this browser</strong></a>, tick by tick, '
    "on machines that you change. Nothing is installed or loaded."
)
ELSEWHERE = (
    "`./mcpi watch` makes [a page that runs programs and both stacks](docs/how-to/watch.md) in a "
    "browser."
)
_READER = re.compile(r"^\*\*(.+)\*\*$")
_LINK = re.compile(r"(!?)(\[[^\]]*\])\(([^)\s#]+)(#[^)\s]*)?\)")


def readers(index: Path = INDEX) -> dict[str, list[Path]]:
    """The pages that the index names, each under the reader who finds it there first."""
    found: dict[str, list[Path]] = {}
    seen: set[Path] = set()
    starts = {n: m[1] for n, line in links.prose(index.read_text()) if (m := _READER.match(line))}
    for link in links.of(index):
        names = [name for line, name in starts.items() if line < link.line]
        if names and link.file and link.file.suffix == ".md" and link.file not in seen:
            seen.add(link.file)
            found.setdefault(names[-1], []).append(link.file)
    return found


def first_page(readme: str, template: str, playground: str = "") -> str:
    """The first page: the template, with parts of README, and a link to ``playground``."""
    fence = re.search(r"^```\n.*?^```\n\n(?:[^\n]+\n)+", readme, re.M | re.S)
    parts = {
        "sentence": re.search(r"^# .*\n+((?:[^\n]+\n)+)", readme),
        "figure": re.search(r"^(!\[[^\]]+\]\([^)]+\))\n", readme, re.M),
        "commands": fence,
        "paper": re.search(r"^(The paper is (?:[^\n]+\n)+)", readme, re.M),
        "pages": re.search(r"^\| you want to \|[^\n]*\n(?:\|[^\n]*\n)+", readme, re.M),
    }
    for name, found in parts.items():
        if not found:
            raise UserError(f"README.md: the first page of the site finds no {name} there.")
        template = template.replace(f"{{{name}}}", found[found.re.groups].strip())
    return template.replace("{playground}", THERE.format(playground) if playground else ELSEWHERE)


def stage(place: Path, generated: Iterable[str], playground: str = "") -> None:
    """Write the sources of the site into ``place``. ``generated``: names of the pages, below
    ``generated/``, that other modules write; ``playground``: the name of that page, if it is
    there."""
    pages, others = links.closure(README)
    for page in pages:
        _write(place, page, rewritten(page))
    for other in others:
        if other.suffix not in IMAGES:
            _write(place, other.with_name(f"{other.name}.md"), as_page(other))
    for image in _images(pages):
        _copy(image, place)
    chosen = readers()
    named = {page for group in chosen.values() for page in group}
    chosen[MORE] = [page for page in pages if page not in named]
    lists = [
        (name, [str(p.relative_to(ROOT))[:-3] for p in group]) for name, group in chosen.items()
    ]
    at = [name for name, _ in lists].index("Look up") + 1
    lists.insert(at, (GENERATED, [f"generated/{name}" for name in generated]))
    trees = "\n".join(_tree(name, group) for name, group in lists)
    first = first_page(README.read_text(), FIRST.read_text(), playground)
    (place / "index.md").write_text(f"{_relinked(first, README)}\n{trees}")


def rewritten(page: Path) -> str:
    """The page, whose links to files that are no pages lead to pages that show the files."""
    text = page.read_text().split("\n")
    for number, line in links.prose(page.read_text()):
        text[number - 1] = _relinked(line, page)
    return "\n".join(text)


def _relinked(text: str, page: Path) -> str:
    def replace(link: re.Match) -> str:
        image, words, path, anchor = link.groups()
        if image or "://" in path:
            return link[0]
        file = (page.parent / path).resolve()
        if file.suffix == ".md" or not file.exists() or file.suffix in IMAGES:
            return link[0]
        return f"{words}({path.rstrip('/')}.md{anchor or ''})"

    return _LINK.sub(replace, text)


def _tree(name: str, pages: Iterable[str]) -> str:
    lines = "\n".join(pages)
    return f"```{{toctree}}\n:hidden:\n:caption: {name}\n\n{lines}\n```\n"


def as_page(file: Path) -> str:
    """A page that shows a file of the checkout, or lists the files of a folder."""
    title = f"# {file.relative_to(ROOT)}\n\n"
    if file.is_dir():
        files = (one for one in sorted(file.rglob("*")) if one.is_file())
        return title + "".join(f"- `{one.relative_to(file)}`\n" for one in files)
    text = file.read_text()
    if file.suffix == ".csv":
        return title + _table(text)
    if file.suffix == ".ipynb":
        return title + "\n\n".join(map(_cell, json.loads(text)["cells"]))
    return title + _fenced(text, LANGUAGES.get(file.suffix, ""))


def _table(text: str) -> str:
    """A file of comments and comma-separated values, as paragraphs and a table."""
    lines = text.splitlines()
    comments = [line.lstrip("# ") for line in lines if line.startswith("#")]
    head, *rows = csv.reader(line for line in lines if not line.startswith("#"))
    said = " ".join(escaped(line) for line in comments if not line.startswith("SPDX"))
    body = ([escaped(cell) for cell in row] for row in rows)
    return f"{said}\n\n{table(map(escaped, head), body)}\n"


def _cell(cell: dict) -> str:
    source = "".join(cell["source"])
    return source if cell["cell_type"] == "markdown" else _fenced(source, "python")


def _fenced(text: str, language: str) -> str:
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"


def escaped(text: str) -> str:
    """Text as Markdown shows it in the cell of a table."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text.replace("\n", " ").strip())


def _images(pages: Iterable[Path]) -> set[Path]:
    found = {link.file for page in pages for link in links.of(page)}
    return {file for file in found if file and file.suffix in IMAGES and file.exists()}


def _write(place: Path, page: Path, text: str) -> None:
    path = place / page.relative_to(ROOT)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _copy(file: Path, place: Path) -> None:
    path = place / file.relative_to(ROOT)
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, path)
