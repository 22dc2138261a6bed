# SPDX-License-Identifier: BSD-2-Clause
"""Debian's packages in a folder: fetched, checked, unpacked, recorded; and what is said when not.

apt is this machine's; the mirror is a folder. It is not signed, and only where a test says so is
that accepted.
"""

import functools
import http.server
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from setup_support.mirror import Mirror

from mcpi.base import environment
from mcpi.base.repo import ROOT

sys.path.insert(0, str(ROOT / "setup"))
import debian  # noqa: E402
import unpack  # noqa: E402
from runner import Failed, Runner, Step  # noqa: E402

ROW = "Packages main {} http://mirror.invalid/debian/"


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch) -> Mirror:
    made = Mirror(tmp_path / "mirror", debian.machine()[0])
    monkeypatch.setenv(debian.MIRROR, made.address)
    monkeypatch.setattr(debian, "TRUST", "trusted=yes")
    return made


@pytest.fixture
def served(mirror: Mirror, monkeypatch) -> Iterator[Mirror]:
    """The same by HTTP."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(mirror.folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv(debian.MIRROR, f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield mirror
    server.shutdown()


def bring(folder: Path, *packages: str, update: bool = True) -> Path:
    """Set-up's two steps, in a folder with a space in its name; returns the tree."""
    apt = debian.Apt(ROOT, folder / "my home/env/apt", folder / "my home/env/debian")
    apt.prepare()

    def fetch(where, command) -> None:
        apt.bring(command, list(packages), command.progress)

    plan = [Step("package list", lambda where, command: apt.update(command), 1)] if update else []
    plan.append(Step("compilers", fetch, 1, ("package list",) if update else ()))
    Runner(plan, folder / "my home/env").run(None)
    return apt.tree


def test_packages_and_what_they_depend_on(mirror: Mirror, tmp_path: Path) -> None:
    """Links from / stay in the tree, bin is a folder of usr, and the record has all."""
    mirror.add("library", {"lib/part.so": "library"}, {"usr/lib/part": "/lib/part.so"})
    path = mirror.add("tool", {"bin/tool": "#!/bin/sh\necho tool"}, depends="library")
    tree = bring(tmp_path, "tool")
    done = subprocess.run([tree / "usr/bin/tool"], capture_output=True, text=True, check=True)
    assert done.stdout == "tool\n" and (tree / "bin/tool").exists()
    assert (tree / "usr/lib/part").resolve() == tree / "usr/lib/part.so"
    rows = [row.split() for row in (tree / "packages.txt").read_text().splitlines()]
    assert [row[:3] for row in rows] == [[n, "1", mirror.architecture] for n in ("library", "tool")]
    unpack.check(path, rows[1][3])
    assert not list((tmp_path / "my home/env/apt/cache/archives").glob("*.deb"))


def test_a_program_and_a_library_that_names_folders(tmp_path: Path) -> None:
    """Both get the tree's; this environment's own were settled so."""
    tree = environment.tree()
    found = unpack.parts(tree / "usr/bin/ccache")
    assert unpack.INTERPRETER in found and unpack.names_folders(
        tree / "usr/bin/ccache", found[unpack.DYNAMIC]
    )
    library = next((tree / "usr/lib/x86_64-linux-gnu").glob("libc.so.6"))
    assert not unpack.names_folders(library, unpack.parts(library)[unpack.DYNAMIC])
    plain = tmp_path / "text"
    plain.write_text("x" * 100)
    assert unpack.parts(plain) == {}


def test_no_program_wants_a_library_of_the_host() -> None:
    """Check all unpacked files: the libraries that a program or library names are the tree's."""
    tree, wrong = environment.tree(), []
    for name in ("clang-14", "g++-12", "python3.11", "qemu-alpha", "tshark", "ccache", "openssl"):
        path = tree / "usr/bin" / name
        words = [tree / debian.PARTS[2], "--list", path]
        said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        wrong += [
            f"{name}: {row}"
            for row in re.findall(r"=> (/\S+|not found)", said)
            if str(tree) not in row
        ]
    assert not wrong


def test_what_is_there_is_not_fetched_again(mirror: Mirror, tmp_path: Path) -> None:
    """The next purpose: only what is new, though the packages of the first are gone."""
    old = mirror.add("library", {"lib/part": "library"})
    bring(tmp_path, "library")
    mirror.add("tool", {"bin/tool": ""}, depends="library")
    old.unlink()
    assert (bring(tmp_path, "tool") / "bin/tool").exists()


def test_a_list_that_is_not_signed(mirror: Mirror, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv(debian.MIRROR, mirror.address)
    mirror.add("tool", {"bin/tool": ""})
    with pytest.raises(Failed, match="(?s)package list: failed.*is not signed"):
        bring(tmp_path, "tool")
    assert not (tmp_path / "my home/env/debian/usr").exists()


def test_a_version_that_is_pinned_and_gone(mirror: Mirror, tmp_path: Path) -> None:
    mirror.add("tool", {"bin/tool": ""})
    with pytest.raises(Failed, match="Version '2' for 'tool' was not found"):
        bring(tmp_path, "tool=2")


def test_another_file_than_the_list_names(served: Mirror, tmp_path: Path) -> None:
    """apt refuses it; when the mirror is mended, the next start goes on."""
    path = served.add("tool", {"bin/tool": ""})
    data = path.read_bytes()
    path.write_bytes(data[:-9] + b"X" + data[-8:])
    with pytest.raises(Failed, match=f"(?s)compilers: failed.*{path.name}.*Hash Sum mismatch"):
        bring(tmp_path, "tool")
    path.write_bytes(data)
    assert (bring(tmp_path, "tool") / "bin/tool").exists()


def test_a_file_that_was_damaged_here(mirror: Mirror, tmp_path: Path) -> None:
    """It goes, and the text says which and what to do."""
    path = mirror.add("tool", {"bin/tool": ""})
    path.write_bytes(path.read_bytes() + b"X")
    with pytest.raises(
        ValueError, match="(?s)tool_1_.*is not what Debian's signed list names.*anew"
    ):
        unpack.check(path, "0" * 64)
    assert not path.exists()


@pytest.mark.parametrize("variable", ["", "http_proxy"])
def test_no_network_or_a_proxy_that_is_none(mirror, tmp_path, monkeypatch, variable: str) -> None:
    """Nobody listens there."""
    monkeypatch.setenv(debian.MIRROR, "http://127.0.0.1:9/debian")
    if variable:
        monkeypatch.setenv(debian.MIRROR, "http://mirror.invalid/debian")
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with pytest.raises(Failed, match="(?s)package list: failed.*The network is the cause.*proxy"):
        bring(tmp_path, "tool")


def test_a_full_disk(mirror: Mirror, tmp_path: Path, monkeypatch) -> None:
    """A limit on the size of a file stands for it. The file is named; nothing is recorded, so that
    the next start unpacks anew."""
    mirror.add("tool", {"bin/tool": "x" * 200_000, "bin/other": ""})
    limited = tmp_path / "python"
    limited.write_text(f'#!/bin/sh\nulimit -f 100\nexec "{sys.executable}" "$@"\n')
    limited.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setattr(debian.sys, "executable", str(limited))
        with pytest.raises(Failed) as failed:
            bring(tmp_path, "tool")
    assert "compilers: failed" in str(failed.value)
    assert "usr/bin/tool: File too large" in str(failed.value)
    assert "make room in" in str(failed.value) and "MCPI_HOME" in str(failed.value)
    assert (bring(tmp_path, "tool", update=False) / "bin/other").exists()


def test_the_mirror_of_the_hosts_apt(tmp_path: Path, monkeypatch) -> None:
    """Whatever release of Debian it names; not the one of security updates, not another system."""
    rows = [ROW.format("trixie-security"), ROW.format("trixie").replace("http:", "https:")]
    said = tmp_path / "apt-get"
    said.write_text("#!/bin/sh\necho '{}'\n".format("\n".join(rows)))
    said.chmod(0o755)
    monkeypatch.delenv(debian.MIRROR, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert debian.mirror() == "https://mirror.invalid/debian"
    said.write_text("#!/bin/sh\necho '{}'\n".format(ROW.format("noble")))
    with pytest.raises(debian.Refused, match=f"no mirror of Debian.*\n.*{debian.MIRROR}="):
        debian.mirror()
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setenv(debian.MIRROR, "http://mirror.invalid/debian")
    with pytest.raises(debian.Refused, match="apt-get is missing.*\n.*container"):
        debian.mirror()


def test_a_machine_for_which_there_is_no_compiler(monkeypatch) -> None:
    monkeypatch.setattr(debian.platform, "machine", lambda: "aarch64")
    with pytest.raises(debian.Refused, match="aarch64.*x86_64 only"):
        debian.machine()


def test_no_address_of_a_mirror_is_in_the_tree() -> None:
    texts = "".join(path.read_text() for path in sorted((ROOT / "setup").glob("*.py")))
    named = set(re.findall(r"https?://([\w.-]+)", texts))
    assert named == {"maven.apache.org"}, "of which a part is the name of a file's format"
