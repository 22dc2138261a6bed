# SPDX-License-Identifier: BSD-2-Clause
"""The image of a release, made of a real root (``--all``; wants root): it runs the quick study
without a network, and another root gives the same bytes."""

import json
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from mcpi.base.repo import ROOT
from mcpi.releasing import commit, oci
from mcpi.releasing.commit import Commit

pytestmark = pytest.mark.long
COMMAND = "./mcpi paper --quick"
#: A root whose processes have no network and see no process of this computer.
ALONE = """mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
exec chroot "$1" env -i {environment} sh -c "cd /{home} && cat /proc/net/dev && {command}" """


def filled(place: Path) -> Path:
    """A new root, in which the command has run."""
    done = subprocess.run(
        [ROOT / "setup" / "bare-root", "--keep", place, "--", COMMAND],
        capture_output=True,
        text=True,
    )
    if done.returncode == 125:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr[-4000:]
    return place / "root"


def image(out: Path, root: Path) -> Path:
    name, seconds = commit.git("log", "-1", "--format=%H %ct").split()
    of = Commit("1.2.3", name, int(seconds), "2023-11-14")
    oci.check(root, of)
    oci.write(out, root, of)
    return out


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    if os.getuid():
        pytest.skip("wants root")
    return filled(tmp_path_factory.mktemp("first"))


@pytest.fixture(scope="module")
def made(root: Path, tmp_path_factory) -> Path:
    return image(tmp_path_factory.mktemp("image") / "image.tar", root)


def unpacked(file: Path, place: Path) -> Path:
    """The layer of an image, as a container has it."""
    with tarfile.open(file) as tar:

        def blob(of: dict) -> str:
            return f"blobs/sha256/{of['digest'].removeprefix('sha256:')}"

        index = json.load(tar.extractfile("index.json"))
        manifest = json.load(tar.extractfile(blob(index["manifests"][0])))
        tar.extract(blob(manifest["layers"][0]), place)
    (place / "root").mkdir()
    layer = place / blob(manifest["layers"][0])
    subprocess.run(["tar", "-xzf", layer, "-C", place / "root"], check=True)
    layer.unlink()
    return place / "root"


def test_it_runs_the_quick_study_without_a_network(root: Path, made: Path, tmp_path: Path) -> None:
    """The tables are those of the root that it was made of."""
    there = unpacked(made, tmp_path)
    how = {"environment": " ".join(oci.ENVIRONMENT), "home": oci.HOME, "command": COMMAND}
    words = ["unshare", "--mount", "--propagation", "private", "--pid", "--net", "--fork"]
    words += ["--kill-child", "sh", "-c", ALONE.format(**how), "sh", there]
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr[-4000:]
    devices = [line.split(":")[0].strip() for line in done.stdout.splitlines() if ":" in line]
    assert "lo" in devices and "eth0" not in devices
    tables = [path / oci.HOME / "results" / "paper-quick" for path in (root, there)]
    names = [path.name for path in sorted(tables[0].glob("*.csv"))]
    assert names
    for name in names:
        assert (tables[1] / name).read_bytes() == (tables[0] / name).read_bytes(), name


def test_another_root_gives_the_same_bytes(made: Path, tmp_path: Path) -> None:
    """On the same day: Debian's packages are those of the day."""
    other = image(tmp_path / "image.tar", filled(tmp_path / "second"))
    assert other.read_bytes() == made.read_bytes()
