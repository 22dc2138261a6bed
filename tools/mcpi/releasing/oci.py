# SPDX-License-Identifier: BSD-2-Clause
"""A root file system as an OCI image, without a daemon: an image layout (OCI image specification
1.1) in one tar, with one layer. ``podman load``, ``skopeo copy oci-archive:`` and their like read
it."""

import datetime
import fnmatch
import gzip
import hashlib
import io
import json
import os
import re
import stat
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.releasing.commit import SHORT, Commit, git

KIND = "application/vnd.oci.image."
MANIFEST, CONFIG = f"{KIND}manifest.v1+json", f"{KIND}config.v1+json"
LAYER = f"{KIND}layer.v1.tar+gzip"
ENVIRONMENT = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"]
ENVIRONMENT += ["LANG=C.UTF-8"]
HOME = "root/mcpi"  # of the checkout in a root of setup/bare-root
GIT = f"{HOME}/.git"
TOOLS = "root/.cache/mcpi"
#: What a computer adds to a root: its names, its ways to registries, its logs, and all that it has
#: built or run. Patterns; ``*`` is any text.
LEFT_OUT = ("etc/resolv.conf", "etc/hosts", "etc/hostname", "etc/pip.conf", "*/.m2/settings.xml")
LEFT_OUT += ("etc/apt/sources.list", "etc/apt/sources.list.d", "etc/apt/apt.conf.d")
LEFT_OUT += ("usr/local/share/ca-certificates", "etc/ssl/certs", "*/__pycache__")
LEFT_OUT += (GIT, f"{HOME}/build", f"{HOME}/results", "root/.cache/ccache")
LEFT_OUT += (f"{TOOLS}/*.lock", f"{TOOLS}/*/log", f"{TOOLS}/*/apt", f"{TOOLS}/*/certs/java")
LEFT_OUT += (f"{TOOLS}/*/done/certificates", f"{TOOLS}/*/_remote.repositories")
CONFIGURATION = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
STAMPS = f"{TOOLS}/*/ready-*"  # with times in them, which nothing reads
EMPTY = ("proc", "sys", "dev", "run", "tmp", "var/log", "var/tmp", "var/cache", "var/lib/apt/lists")
LEVEL = 6  # of gzip


def check(root: Path, commit: Commit) -> None:
    """UserError for a folder that is no root with a checkout of the commit."""
    if not (root / GIT).is_dir():
        raise UserError(
            f"--root {root}: {HOME} is no checkout there. setup/bare-root --keep DIR -- "
            "'./mcpi paper --quick' fills DIR/root."
        )
    there = git("rev-parse", "HEAD", at=root / HOME).strip()
    if there != commit.name:
        raise UserError(
            f"--root {root}: {HOME} has commit {there[:SHORT]}, and the release is of "
            f"{commit.name[:SHORT]}. Fill the root again with setup/bare-root --keep."
        )
    if changed := git("status", "--porcelain", at=root / HOME).splitlines():
        raise UserError(
            f"--root {root}: {HOME}/{changed[0][3:]} is not as the commit has it "
            f"({len(changed)} such files). Fill the root again with setup/bare-root --keep."
        )


def write(out: Path, root: Path, commit: Commit) -> None:
    """The image of ``root`` in the file ``out``."""
    layer = out.with_name(f"{out.name}.layer")
    try:
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=".making-") as place:
            repository(Path(place), root / HOME, commit)
            digest = _layer(layer, root, Path(place), commit.seconds)
        _archive(out, layer, digest, commit)
    finally:
        layer.unlink(missing_ok=True)


def repository(place: Path, checkout: Path, commit: Commit) -> None:
    """Write what is to be ``.git`` of the checkout into ``place``: the commit alone, without its
    past, in single objects. A clone has other branches, and packs that are not the same again."""
    for name in ("objects", "refs"):
        (place / name).mkdir()
    (place / "config").write_text(CONFIGURATION)
    (place / "HEAD").write_text(f"{commit.name}\n")
    (place / "shallow").write_text(f"{commit.name}\n")
    names = git("rev-list", "--objects", "--no-object-names", "--no-walk", commit.name, at=checkout)
    packed = _git(checkout / ".git", "pack-objects", "--quiet", "--stdout", given=names.encode())
    _git(place, "unpack-objects", "-q", given=packed)
    _git(place, "read-tree", "HEAD")


def _git(place: Path, *words: str, given: bytes = b"") -> bytes:
    """Bytes that git gives for bytes, in the repository ``place``."""
    words = ("git", f"--git-dir={place}", *words)
    return subprocess.run(words, input=given, capture_output=True, check=True).stdout


def _archive(out: Path, layer: Path, digest: str, commit: Commit) -> None:
    """The tar: configuration, manifest and index around the layer. ``digest``: of its tar."""
    made = _time(commit.seconds)
    config = {
        "created": made,
        "architecture": "amd64",
        "os": "linux",
        "config": {"Env": ENVIRONMENT, "Cmd": ["./mcpi", "--help"], "WorkingDir": f"/{HOME}"},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        "history": [{"created": made, "created_by": "mcpi release"}],
    }
    blobs = {"config": _json(config)}
    with layer.open("rb") as stream:
        packed = hashlib.file_digest(stream, "sha256").hexdigest()
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": _of(CONFIG, blobs["config"]),
        "layers": [described(LAYER, packed, layer.stat().st_size)],
        "annotations": {
            "org.opencontainers.image.revision": commit.name,
            "org.opencontainers.image.version": commit.version,
        },
    }
    blobs["manifest"] = _json(manifest)
    named = {"org.opencontainers.image.ref.name": commit.version}
    index = {
        "schemaVersion": 2,
        "mediaType": f"{KIND}index.v1+json",
        "manifests": [_of(MANIFEST, blobs["manifest"]) | {"annotations": named}],
    }
    files: dict[str, bytes | Path] = {f"blobs/sha256/{sha(data)}": data for data in blobs.values()}
    files |= {"oci-layout": _json({"imageLayoutVersion": "1.0.0"}), "index.json": _json(index)}
    files |= {f"blobs/sha256/{packed}": layer}
    with tarfile.open(out, "w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in sorted(files.items()):
            info = tarfile.TarInfo(name)
            info.mtime = commit.seconds
            with data.open("rb") if isinstance(data, Path) else io.BytesIO(data) as stream:
                info.size = stream.seek(0, io.SEEK_END)
                stream.seek(0)
                tar.addfile(info, stream)


def described(kind: str, digest: str, size: int) -> dict[str, object]:
    """A descriptor: kind, digest and length of a blob."""
    return {"mediaType": kind, "digest": f"sha256:{digest}", "size": size}


def _of(kind: str, data: bytes) -> dict[str, object]:
    return described(kind, sha(data), len(data))


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def kept(root: Path) -> Iterator[str]:
    """Names of all that the image has, folders before what is in them."""
    left_out = re.compile("|".join(map(fnmatch.translate, LEFT_OUT)) if LEFT_OUT else "(?!)")
    for folder, folders, files in os.walk(root):
        folders.sort()
        at = Path(folder).relative_to(root)
        names = [str(at / name) for name in sorted([*folders, *files])]
        stay = {name for name in names if not left_out.fullmatch(name)}
        yield from (name for name in names if name in stay)
        folders[:] = [f for f in folders if str(at / f) in stay - {*EMPTY}]
        folders[:] = [f for f in folders if not (Path(folder) / f).is_symlink()]


def _layer(out: Path, root: Path, repository: Path, seconds: int) -> str:
    """Write the layer, a tar.gz, with ``repository`` as the checkout's; the digest of the tar."""
    with out.open("wb") as packed, gzip.GzipFile("", "wb", LEVEL, packed, seconds) as stream:
        counted = _Counted(stream)
        with tarfile.open(fileobj=counted, mode="w|", format=tarfile.PAX_FORMAT) as tar:
            first: dict[tuple[int, int], str] = {}
            for name in kept(root):
                _add(tar, root / name, name, seconds, first)
            for path in [repository, *sorted(repository.rglob("*"))]:
                name = str(Path(GIT) / path.relative_to(repository))
                _add(tar, path, name, seconds, first)
    return counted.sum.hexdigest()


def _add(tar: tarfile.TarFile, path: Path, name: str, seconds: int, first: dict) -> None:
    """An entry; a second name of a file is a link to the first. Sockets and devices are left
    out."""
    found = path.lstat()
    info = tarfile.TarInfo(name)
    info.mode, info.uid, info.gid = stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid
    info.mtime = seconds
    if stat.S_ISLNK(found.st_mode):
        info.type, info.linkname = tarfile.SYMTYPE, str(path.readlink())
    elif stat.S_ISDIR(found.st_mode):
        info.type = tarfile.DIRTYPE
    elif not stat.S_ISREG(found.st_mode):
        return
    elif found.st_nlink > 1 and first.setdefault((found.st_dev, found.st_ino), name) != name:
        info.type, info.linkname = tarfile.LNKTYPE, first[found.st_dev, found.st_ino]
    else:
        info.size = 0 if fnmatch.fnmatch(name, STAMPS) else found.st_size
        with path.open("rb") as data:
            tar.addfile(info, data)
        return
    tar.addfile(info)


class _Counted:
    """A stream that digests what is written to it."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self.stream, self.sum = stream, hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.sum.update(data)
        return self.stream.write(data)


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def _time(seconds: int) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
