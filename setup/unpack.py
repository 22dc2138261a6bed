# SPDX-License-Identifier: BSD-2-Clause
"""Unpacks packages of Debian into a tree that lies anywhere: no root, no dpkg.

``unpack.py LIST ARCHIVES TREE``: LIST is JSON, file name and SHA-256 of each package. Links that
begin at / lead into the tree, and programs find the C library and all others there. When all are
unpacked, the record has them: ``var/lib/dpkg/status`` for apt, ``packages.txt`` (name, version,
architecture, SHA-256) for people.
"""

import gzip
import hashlib
import io
import json
import lzma
import os
import re
import struct
import subprocess
import sys
import tarfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from debian import machine

# Folders that nobody reads there.
LEFT_OUT = re.compile(
    r"(usr/share/(doc|man|locale|info|lintian|bug|i18n/locales)|etc/init\.d)/"
    r"|usr/bin/([\w-]*lto-dump|gp-)"
)
MERGED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")  # links to the folders in usr/
OF_HOST = ("/proc/", "/dev/", "/run/", "/tmp/")
RECORD = "packages.txt"
OPEN = {"xz": lzma.open, "gz": lambda part: gzip.GzipFile(fileobj=part), "tar": lambda part: part}
PROGRAM_HEADER, DYNAMIC, INTERPRETER = 56, 2, 3
RPATH, RUNPATH = 15, 29  # entries of the dynamic section


class Part:
    """A part of a file, as a file."""

    def __init__(self, file, size: int):
        self.file, self.left = file, size

    def read(self, size: int = -1) -> bytes:
        data = self.file.read(self.left if size < 0 else min(size, self.left))
        self.left -= len(data)
        return data


def member(path: Path, name: str):
    """``control.tar`` or ``data.tar`` of a package, open for reading from begin to end."""
    file = open(path, "rb")
    if file.read(8) != b"!<arch>\n":
        raise ValueError(f"{path} is no package of Debian")
    while head := file.read(60):
        size = int(head[48:58])
        if head.startswith(name.encode()):
            packed = Part(file, size)
            kind = head[:16].decode().strip().rstrip("/").rpartition(".")[2]
            if kind not in OPEN:
                raise ValueError(f"{path}: {name} is packed as {kind}, which is not known here")
            stream = OPEN[kind](packed)
            return tarfile.open(fileobj=stream, mode="r|")
        file.seek(size + size % 2, io.SEEK_CUR)
    raise ValueError(f"{path} has no {name}")


def control(path: Path) -> str:
    """The package's own words: its name, version, dependencies."""
    with member(path, "control.tar") as tar:
        for one in tar:
            if one.name.lstrip("./") == "control":
                return tar.extractfile(one).read().decode()
    raise ValueError(f"{path} does not say what it is")


def place_of(name: str) -> str:
    """Where a file of a package lies in the tree: bin, lib and their like are folders of usr."""
    name = os.path.normpath(name).lstrip("/")
    return f"usr/{name}" if name.split("/")[0] in MERGED else name


def unpack(path: Path, tree: Path) -> list[str]:
    """Unpack one package; returns its programs and shared libraries."""
    programs = []
    with member(path, "data.tar") as tar:
        for one in tar:
            name = place_of(one.name)
            if LEFT_OUT.match(f"{name}/") or name in (".", *MERGED):
                continue
            target = tree / name
            if one.isdir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            if not (one.isreg() or one.issym() or one.islnk()):
                continue  # devices
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            if one.issym():
                target.symlink_to(_within(one.linkname, name))
            elif one.islnk():
                os.link(tree / place_of(one.linkname), target)
            else:
                _write(target, tar.extractfile(one))
                target.chmod(0o644 | one.mode & 0o111)
                if one.mode & 0o111 or ".so" in target.name:
                    programs.append(name)
    return programs


def _write(target: Path, source) -> None:
    """OSError names the file, also where the disk is full."""
    try:
        with open(target, "wb") as out:
            while data := source.read(1 << 20):
                out.write(data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from None


def _within(link: str, name: str) -> str:
    """A link as it must be in the tree: one from / becomes one from where it lies."""
    if not link.startswith("/") or link.startswith(OF_HOST):
        return link
    return os.path.relpath("/" + place_of(link), "/" + os.path.dirname(name))


def parts(path: Path) -> dict[int, tuple[int, int]]:
    """Place and size of each part of an ELF file of 64 bits by its kind; nothing of other files."""
    with open(path, "rb") as file:
        head = file.read(64)
        if len(head) < 64 or head[:5] != b"\x7fELF\x02":
            return {}
        (at,), (count,) = struct.unpack_from("<Q", head, 32), struct.unpack_from("<H", head, 56)
        file.seek(at)
        table = file.read(PROGRAM_HEADER * count)
    rows = [struct.unpack_from("<IIQQQQ", table, n * PROGRAM_HEADER) for n in range(count)]
    return {kind: (place, size) for kind, _, place, _, _, size in rows}


def names_folders(path: Path, dynamic: tuple[int, int]) -> bool:
    """True for a library that names folders of its own, which then count alone."""
    with open(path, "rb") as file:
        file.seek(dynamic[0])
        data = file.read(dynamic[1])
    return any(tag in (RPATH, RUNPATH) for tag, _ in struct.iter_unpack("<qQ", data))


def settle(programs: list[str], tree: Path) -> None:
    """Have each program start by the tree's loader, with the tree's libraries before all others.

    A library without folders of its own is loaded as the program that wants it says. patchelf is a
    program of the tree itself, which the loader starts as long as it is not settled.
    """
    _, folder, loader = machine()
    libraries = tree / "usr/lib" / folder
    patch = [tree / loader, "--library-path", libraries, tree / "usr/bin/patchelf"]
    for name in programs:
        path = tree / name
        found = {} if path.name == "patchelf" or path.is_symlink() else parts(path)
        if ".so" in path.name:
            if DYNAMIC not in found or not names_folders(path, found[DYNAMIC]):
                continue
            options = []
        elif INTERPRETER in found:
            options = ["--set-interpreter", tree / loader]
        else:
            continue
        own = _run(*patch, "--print-rpath", path).strip().split(":")
        own = [str(tree / place_of(p)) if p.startswith("/") else p for p in own if p]
        paths = ":".join((*own, str(libraries)))
        _run(*patch, *options, "--force-rpath", "--set-rpath", paths, path)


def _run(*words: object) -> str:
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def record(files: list[dict], archives: Path, tree: Path) -> None:
    """Note what is unpacked now; each file is complete, old or new."""
    status, rows = tree / "var/lib/dpkg/status", tree / RECORD
    said, lines = status.read_text(), rows.read_text() if rows.exists() else ""
    for one in files:
        text = control(archives / one["file"])
        fields = dict(re.findall(r"^(Package|Version|Architecture): (.*)", text, re.M))
        name, version, kind = (fields[key] for key in ("Package", "Version", "Architecture"))
        said += f"{text.rstrip()}\nStatus: install ok installed\n\n"
        lines += f"{name} {version} {kind} {one['sha256']}\n"
    lines = "".join(sorted(lines.splitlines(keepends=True)))
    for path, content in ((rows, lines), (status, said)):
        stage = path.with_name(f"{path.name}.new")
        stage.write_text(content)
        stage.rename(path)


def check(path: Path, sha256: str) -> None:
    """Delete the file, and raise ValueError, if it is not the one that the signed list names."""
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if sha256 and found != sha256:
        path.unlink()
        raise ValueError(
            f"{path.name} is not what Debian's signed list names: SHA-256 {found}, wanted {sha256}."
            "\nIt is deleted; the next start fetches it anew. If it happens again, the mirror is"
            " damaged: choose another by MCPI_DEBIAN_MIRROR."
        )


def _one(path: Path, sha256: str, tree: Path) -> list[str]:
    check(path, sha256)
    return unpack(path, tree)


def main(todo: Path, archives: Path, tree: Path) -> None:
    files = json.loads(todo.read_text())
    (tree / "usr").mkdir(parents=True, exist_ok=True)
    for name in MERGED:
        (tree / "usr" / name).mkdir(exist_ok=True)
        if not (tree / name).is_symlink():
            (tree / name).symlink_to(f"usr/{name}")
    files.sort(key=lambda one: -one["bytes"])  # a long one that begins last would run alone
    with ProcessPoolExecutor() as pool:
        work = [pool.submit(_one, archives / f["file"], f["sha256"], tree) for f in files]
        programs = [name for one in work for name in one.result()]
    print(f"{len(files)} packages unpacked, {len(programs)} programs", flush=True)
    settle(programs, tree)
    record(files, archives, tree)


if __name__ == "__main__":
    try:
        main(*map(Path, sys.argv[1:]))
    except (OSError, ValueError, lzma.LZMAError, tarfile.TarError) as error:
        text = error.strerror if isinstance(error, OSError) else error
        named = getattr(error, "filename", None)
        sys.exit(f"{named}: {text}" if named else str(text or error))
