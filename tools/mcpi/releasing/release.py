# SPDX-License-Identifier: BSD-2-Clause
"""The files of a release, and how each is made."""

import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from mcpi.base import staging
from mcpi.base.errors import RunError, UserError, nearest
from mcpi.base.progress import Bar
from mcpi.base.repo import PYTHONPATH, ROOT
from mcpi.parts import drivers, lance, library
from mcpi.releasing import archive, bitstreams, oci, pages, sbom, wheel
from mcpi.releasing import commit as commits
from mcpi.releasing.commit import Commit

SUMS, README = bitstreams.SUMS, "README.md"
RESULTS = ("docs/data", "docs/explanation/*.md", "papers")
LICENCES = ("LICENSE", "docs/reference/licences.md", "docs/data/licences")
PARTS = (("wishbone", "mii"), ("axi4", "rmii"))  # bus and PHY of the LANCE's archives


@dataclass(frozen=True)
class Made:
    """``has``: words for the README on what is in the artefact; ``missing``: what is not, and
    why."""

    has: str = ""
    missing: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Artefact:
    """``make`` writes a file with the end ``end`` of its name, or says why there is none.
    ``same``: each computer makes the same bytes."""

    name: str
    end: str
    what: str
    make: Callable[[Path, Commit], Made | None]
    same: bool = True


def _source(out: Path, commit: Commit) -> None:
    _of_commit(out, commit, ())


def _of_commit(out: Path, commit: Commit, patterns: Sequence[str]) -> None:
    """An archive of files of the commit."""
    files = {name: ROOT / name for name in commits.files(*patterns)}
    links = sorted(name for name, path in files.items() if path.is_symlink())
    if links:
        raise RunError(f"{links[0]}: a link, and an archive of a release has files alone.")
    archive.write(out, out.name.removesuffix(".tar.gz"), files, commit.seconds)


def _results(out: Path, commit: Commit) -> None:
    _of_commit(out, commit, RESULTS)


def _licences(out: Path, commit: Commit) -> None:
    _of_commit(out, commit, LICENCES)


def _site(out: Path, commit: Commit) -> None:
    with _made(out) as place:
        words = [sys.executable, "-m", "verify.docgen.site", *site_words(place / "site")]
        env = os.environ | {"PYTHONPATH": PYTHONPATH}
        done = subprocess.run(words, env=env, capture_output=True, text=True)
        if done.returncode:
            raise RunError(f"the site: {done.stderr.strip()}")
        _packed(out, place / "site", commit)


def site_words(place: Path) -> list[str]:
    """Words that the program of the site gets: its folder, no port to serve it at, and that the
    playground is in it."""
    return [str(place), "", "playground"]


@contextlib.contextmanager
def _made(out: Path) -> Iterator[Path]:
    """An empty folder, which goes with what is made in it."""
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".making-") as place:
        yield Path(place)


def _packed(out: Path, place: Path, commit: Commit) -> None:
    top = out.name.removesuffix(".tar.gz")
    archive.write(out, top, archive.folder(place), commit.seconds)


def _lance(out: Path, commit: Commit) -> None:
    with _made(out) as place:
        for bus, phy in PARTS:
            lance.write(lance.Wanted(bus, phy), place / f"{bus}-{phy}")
        _packed(out, place, commit)


def _library(out: Path, commit: Commit) -> None:
    with _made(out) as place:
        library.write(place / "library")
        _packed(out, place / "library", commit)


def _drivers(out: Path, commit: Commit) -> None:
    with _made(out) as place:
        drivers.write(place / "drivers")
        _packed(out, place / "drivers", commit)


def _bitstreams(out: Path, commit: Commit) -> Made:
    with _made(out) as place:
        return Made(*bitstreams.write(out, place, commit))


def _sbom(out: Path, commit: Commit) -> None:
    out.write_text(sbom.text(commit))


def _verification(out: Path, commit: Commit) -> None:
    out.write_text(pages.verification(commit))


def _image(out: Path, commit: Commit, root: Path | None) -> Made | None:
    if root is None:
        why = "no `--root` was given, which `setup/bare-root --keep` fills."
        return Made(missing={IMAGE: why})
    oci.write(out, root, commit)
    return None


ARTEFACTS = (
    Artefact("source", "-source.tar.gz", "all files of the commit", _source),
    Artefact("wheel", f"-{wheel.TAG}.whl", "`mcpi.exec` of ELF files", wheel.write, False),
    Artefact("site", "-site.tar.gz", "all pages as a site; open `index.html`", _site),
    Artefact("results", "-results.tar.gz", "published results of all studies", _results),
    Artefact("lance", "-lance.tar.gz", "LANCE-IP: Verilog, core files, data sheets", _lance),
    Artefact("library", "-liblance.tar.gz", "the LANCE as C libraries, x86-64", _library, False),
    Artefact("drivers", "-cocotb.tar.gz", "drivers for cocotb, with Verilog", _drivers),
    Artefact("bitstreams", bitstreams.END, "for `./mcpi board load --release`", _bitstreams, False),
    Artefact("verification", "-verification.md", "tests, proofs, planted mistakes", _verification),
    Artefact("licences", "-licences.tar.gz", "licences of mCPI and of others", _licences),
    Artefact("sbom", ".cdx.json", "the software of others, as CycloneDX 1.6", _sbom),
)
IMAGE = "image"
NAMES = (*(one.name for one in ARTEFACTS), IMAGE)


def write(
    out: Path, only: Sequence[str] = (), root: Path | None = None, bar: Bar | None = None
) -> list[Path]:
    """Write a release into ``out``; ``only``: the artefacts of these names; ``root``: a root file
    system for the image. UserError before anything is made if the checkout is not its commit."""
    for name in only:
        if name not in NAMES:
            raise UserError(f"--only {name}: there are {', '.join(NAMES)}.{nearest(name, NAMES)}")
    if root and only and IMAGE not in only:
        raise UserError(f"--root {root}: only the image has it. Add --only {IMAGE}.")
    staging.check(out, mark=SUMS)
    commit = commits.read()
    if root:
        oci.check(root, commit)
    image = Artefact(
        IMAGE, "-image.tar", "an image of a container (OCI)", partial(_image, root=root), False
    )
    every = [*ARTEFACTS, image]
    wanted = [one for one in every if one.name in (only or NAMES)]
    with staging.staged(out, mark=SUMS) as stage:
        files, missing, moving = {}, {}, []
        for number, one in enumerate(wanted, 1):
            if bar:
                bar.say(f"{number} of {len(wanted)}: {one.name}")
            name = commit.stem + one.end
            made = one.make(stage / name, commit) or Made()
            missing |= made.missing
            if (stage / name).is_file():
                files[name] = f"{one.what}{'; ' * bool(made.has)}{made.has}"
                moving += [] if one.same else [name]
        left = {one.name: "left out by --only." for one in every if one not in wanted}
        text = pages.readme(commit, files, missing | left, moving)
        (stage / README).write_text(text)
        (stage / SUMS).write_text("".join(_sums(stage)))
        names = sorted(path.name for path in stage.iterdir())
    return [out / name for name in names]


def _sums(place: Path) -> Iterator[str]:
    """Lines as of sha256sum, for all files but their own."""
    for path in sorted(place.iterdir()):
        if path.is_file() and path.name != SUMS:
            yield f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
