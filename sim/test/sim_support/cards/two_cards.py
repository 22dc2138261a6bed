# SPDX-License-Identifier: BSD-2-Clause
"""The same histories on the RTL's card and on the exact engine's: the first difference.

As a program: the RTL's library, the engine's, the chip, and kinds (exact_history.py), each with its
seeds behind it, 4 or 0-59. It says the first difference and fails."""

import ctypes
import sys
from collections.abc import Iterable
from ctypes import POINTER, c_int, c_uint8
from pathlib import Path

from lance_support import library as lance_library

from sim_support.cards import classifier_history, exact_history
from sim_support.cards.card_history import History


def engine(
    path: Path, c_lance: bool = False, pmad: bool = False, classifier: bool = False
) -> ctypes.CDLL:
    """The exact engine's library (liblance-exact.so), which makes cards of this kind."""
    library = lance_library.load(path)
    make = library.lance_exact_new
    make.restype = ctypes.c_void_p
    config, memory = POINTER(lance_library.Config), POINTER(c_uint8)
    make.argtypes = [config, memory, ctypes.c_size_t, c_int, c_int]
    library.lance_exact_classify.argtypes = [ctypes.c_void_p]

    def new(*arguments):
        chip = make(*arguments, c_lance, pmad)
        assert not classifier or not library.lance_exact_classify(chip)
        return chip

    library.lance_new = new
    return library


def compare(kind, rtl: ctypes.CDLL, engine: ctypes.CDLL, seeds: Iterable[int]) -> str:
    """The first difference in histories of a kind, with its seed; empty if there is none."""
    for seed in seeds:
        two = kind(rtl, seed), kind(engine, seed)
        found = difference(*two)
        for h in two:
            h.chip.close()
        if found:
            return f"{kind.__name__}, seed {seed}: {found}"
    return ""


def difference(rtl: History, engine: History) -> str:
    """The first; empty if there is none."""
    a, b = (sorted(h.log, key=lambda e: e[:2]) for h in (rtl, engine))
    for wanted, got in zip(a, b, strict=False):
        if wanted != got:
            return f"{got} instead of {wanted}"
    return "" if len(a) == len(b) else f"{len(b)} entries instead of {len(a)}"


def main(rtl: str, exact: str, chip: str, *words: str) -> str:
    card = engine(Path(exact), chip == "c-lance", classifier=chip == "classifier")
    libraries, kinds = (lance_library.load(Path(rtl)), card), vars(exact_history)
    kinds = kinds | {"classified": classifier_history.classified}
    kind, found = None, ""
    for word in words:
        if not word[0].isdigit():
            kind = kinds[word]
        elif not found:
            first, _, last = word.partition("-")
            found = compare(kind, *libraries, range(int(first), int(last or first) + 1))
    return found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) or 0)
