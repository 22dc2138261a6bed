# SPDX-License-Identifier: BSD-2-Clause
"""The files of a release, and how each is made."""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mcpi.base import staging
from mcpi.base.errors import RunError, UserError, nearest
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD, PYTHONPATH, ROOT
from mcpi.parts import drivers, lance, library
from mcpi.releasing import archive, oci, pages, sbom, wheel
from mcpi.releasing import commit as commits
from mcpi.releasing.commit import Commit

SUMS, README = "SHA256SUMS", "README.md"
RESULTS = ("docs/data", "docs/explanation/*.md", "papers")
LICENCES = ("LICENSE", "docs/reference/licences.md", "docs/data/licences")
PARTS = (("wishbone", "mii"), ("axi4", "rmii"))  # bus and PHY of the LANCE's archives
BUILT = "build.json"  # which has a bitstream's board, machine and Verilog


@dataclass(frozen=True)
class Artefact:
    """``make`` writes a file with the end ``end`` of its name, or returns why there is none.
    ``same``: each computer makes the same bytes. ``more``: words for the README beyond ``what``."""

    name: str
    end: str
    what: str
    make: Callable[[Path, Commit], str | None]
    same: bool = True
    more: Callable[[], str] = str


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
    """Words that the program of the site gets: its folder, and no port to serve it at."""
    return [str(place), ""]


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


def _bitstreams(out: Path, commit: Commit) -> str | None:
    """Each bitstream with its ``build.json``, without the folder of this computer that is there."""
    builds = board_builds()
    if not builds:
        return "`build/boards` has none; `./mcpi board build` makes them."
    with _made(out) as place:
        for bits, said in builds.items():
            there = place / bits.parent.name
            there.mkdir()
            shutil.copy(bits, there)
            text = json.dumps(said | {"bitstream": bits.name}, indent=1)
            (there / BUILT).write_text(f"{text}\n")
        _packed(out, place, commit)
    return None


def board_builds() -> dict[Path, dict]:
    """The bitstream of the last build for each board, machine and settings, and what its
    ``build.json`` says. A folder may have other bitstreams: of other seeds, or for a simulator."""
    last: dict[str, tuple[Path, dict]] = {}
    found = (BUILD / "boards").glob(f"*/{BUILT}")
    for path in sorted(found, key=lambda path: (path.stat().st_mtime, path)):
        said = json.loads(path.read_text())
        bits = path.parent / Path(said.get("bitstream", "none")).name
        if bits.is_file():
            last[json.dumps([said[key] for key in ("board", "machine", "settings")])] = bits, said
    return dict(sorted(last.values(), key=lambda one: one[0]))


def _of_verilog() -> str:
    """The digest of the Verilog of each bitstream, which its board tells too. To elaborate the
    commit's Verilog takes minutes, so a release does not compare them."""
    words = [
        f"{', '.join([said['board'], said['machine'], *map('='.join, said['settings'].items())])}: "
        f"RTL {said['rtl_digest']}"
        for said in board_builds().values()
    ]
    return "; ".join(["; built earlier, maybe of another commit", *words])


def _sbom(out: Path, commit: Commit) -> None:
    out.write_text(sbom.text(commit))


def _verification(out: Path, commit: Commit) -> None:
    out.write_text(pages.verification(commit))


def _image(out: Path, commit: Commit, root: Path | None) -> str | None:
    if root is None:
        return "no `--root` was given, which `setup/bare-root --keep` fills."
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
    Artefact(
        "bitstreams",
        "-bitstreams.tar.gz",
        "for `./mcpi board load BOARD --bitstream FILE`",
        _bitstreams,
        False,
        _of_verilog,
    ),
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
            if why := one.make(stage / name, commit):
                missing[one.name] = why
                continue
            files[name] = one.what + one.more()
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
