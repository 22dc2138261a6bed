# SPDX-License-Identifier: BSD-2-Clause
"""Source lines for people: ``file:line`` without the folders that say nothing, and its text."""

from pathlib import Path

from mcpi.base.repo import ROOT


def short(names: list[str]) -> dict[str, str]:
    """By ``file:line``: without folders where no other file of these names has that name. Names
    below the checkout stay."""
    files = {name.rpartition(":")[0] for name in names if _is_line(name)}
    last = [Path(file).name for file in files]

    def displayed(name: str) -> str:
        file, _, line = name.rpartition(":")
        lonely = last.count(Path(file).name) == 1
        return f"{Path(file).name}:{line}" if lonely and file.startswith("/") else name

    return {name: displayed(name) for name in names if _is_line(name)}


def texts(run: Path, names: list[str]) -> dict[str, str]:
    """The text of each of these lines, of files that have not changed since the run in ``run``."""
    found: dict[str, str] = {}
    ran = (run / "machine.json").stat().st_mtime
    kept: dict[str, list[str]] = {}
    for name in names:
        file, _, line = name.rpartition(":")
        if file not in kept:
            kept[file] = _lines(ROOT / file, ran)
        if 0 < int(line) <= len(kept[file]):
            found[name] = kept[file][int(line) - 1].strip()
    return found


def _is_line(name: str) -> bool:
    return name.rpartition(":")[2].isdecimal()


def _lines(file: Path, ran: float) -> list[str]:
    try:
        if file.stat().st_mtime > ran:
            return []
        return file.read_text(errors="replace").splitlines()
    except OSError:
        return []
