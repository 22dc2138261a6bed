# SPDX-License-Identifier: BSD-2-Clause
"""Files and folders that appear whole.

A folder of the user's is made as ``NAME.incomplete``, which is locked meanwhile, and renamed to
``NAME`` at the end. What is kept in ``build/`` is written under a name of its own: another process
may be making the same."""

import contextlib
import fcntl
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

from mcpi.base.errors import UserError

SUFFIX = ".incomplete"
LEAST = 1 << 20  # bytes; a run of five round trips left 644 KB


def sibling(path: Path) -> Path:
    """A free name next to ``path`` that no other process, on no other machine, takes."""
    return path.with_name(f"{path.name}.{uuid.uuid4().hex}.new")


def write(path: Path, content: str | bytes, mode: int = 0o644) -> None:
    """A file that appears whole; several may write it at once, and the last one stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    stage = sibling(path)
    stage.write_bytes(content.encode() if isinstance(content, str) else content)
    stage.chmod(mode)
    stage.rename(path)


def check(place: Path, option: str = "--out", mark: str = "spec.json") -> None:
    """UserError unless ``place`` is free, empty, or a run's folder that may be made anew, which
    holds ``mark``; nor may it be what a run that did not end has left."""
    with refused(place, option):
        if place.name.endswith(SUFFIX):
            raise UserError(f"{option} {place}: a run that did not end left it; name another.")
        for path in (place, place.with_name(place.name + SUFFIX)):
            if path.exists() and not _ours(path, mark):
                raise UserError(
                    f"{option} {path}: is there already and is not a run's folder; name another."
                )


def _ours(path: Path, mark: str) -> bool:
    return path.is_dir() and (not any(path.iterdir()) or (path / mark).exists())


@contextlib.contextmanager
def refused(place: Path, option: str = "--out") -> Iterator[None]:
    """Raise an OSError as a UserError that names ``place`` and the system's reason."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{option} {place}: {error.strerror}; name another.") from None


@contextlib.contextmanager
def staged(
    place: Path, option: str = "--out", mark: str = "spec.json", least: int = LEAST
) -> Iterator[Path]:
    """A new folder to write to; at the end it takes the place of ``place``, which is untouched
    until then. After a failure it stays for a look, unless it is empty. UserError if it can't be
    made, or if less than ``least`` bytes are free there. ``mark``: as of ``check``."""
    check(place, option, mark)
    stage = place.with_name(place.name + SUFFIX)
    with refused(place, option):
        made = [path for path in stage.parents if not path.exists()]
        handle = _locked(stage, place, option)
        empty(stage)
        free = shutil.disk_usage(stage).free
    try:
        if free < least:
            raise UserError(
                f"{option} {place}: {free:,} bytes are free there, and this run needs {least:,}."
            )
        yield stage
        old = place.with_name(f"{place.name}.{os.getpid()}.old")
        if place.exists():
            place.rename(old)
        stage.rename(place)
        shutil.rmtree(old, ignore_errors=True)
    except BaseException:
        for path in (stage, *made):
            with contextlib.suppress(OSError):
                path.rmdir()
        raise
    finally:
        os.close(handle)


def empty(folder: Path) -> None:
    """Take away all that is in a folder, which stays: somebody may hold it."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _locked(stage: Path, place: Path, option: str) -> int:
    """The folder ``stage``, made if it is not there, open and locked until it is closed. UserError
    if another process has locked it; on file systems without locks there is none."""
    while True:
        stage.mkdir(parents=True, exist_ok=True)
        handle = os.open(stage, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise UserError(
                f"{option} {place}: another ./mcpi is writing it now. Wait until that one has "
                "ended, or name another."
            ) from None
        except OSError:
            return handle
        with contextlib.suppress(OSError):  # renamed meanwhile: it is a run's folder now
            if os.path.samestat(os.fstat(handle), stage.stat()):
                return handle
        os.close(handle)


def unfinished(results: Path) -> list[Path]:
    """Folders of runs that did not end, and that nobody is writing."""
    found = []
    for path in sorted(results.glob(f"*{SUFFIX}")):
        handle = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            found.append(path)
        except BlockingIOError:
            pass
        finally:
            os.close(handle)
    return found


@contextlib.contextmanager
def emptied(stage: Path) -> Iterator[None]:
    """Empty ``stage`` after a UserError: a slip that is found late leaves no folder."""
    try:
        yield
    except UserError:
        empty(stage)
        raise
