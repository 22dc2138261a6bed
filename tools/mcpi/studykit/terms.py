# SPDX-License-Identifier: BSD-2-Clause
"""Terms of docs/reference/glossary.md in the text of a page: each says what it means where the
pointer rests, and at the end of the page."""

import re
from functools import cache

from markupsafe import Markup, escape

from mcpi.base.repo import ROOT

GLOSSARY = ROOT / "docs" / "reference" / "glossary.md"
SECTIONS = ("Measurement", "Variants", "Time and memory")
# Words that a study has in other senses too.
PLAIN = {"window", "way", "block", "skip", "switch", "clock", "phase", "bank", "order", "fill"}
_ENTRY = re.compile(r"^- \*\*([^*]+)\*\*: (.+(?:\n  .+)*)", re.M)


@cache
def glossary() -> dict[str, str]:
    """Meanings by term, those of SECTIONS that have one sense."""
    parts = re.split(r"^## (.+)\n", GLOSSARY.read_text(), flags=re.M)[1:]
    found = {}
    for section, text in zip(parts[::2], parts[1::2]):
        for names, meaning in _ENTRY.findall(text) if section in SECTIONS else ():
            plain = re.sub(r" *\(\[[^]]+\]\([^)]+\)\)|[`*]", "", " ".join(meaning.split()))
            found |= dict.fromkeys(names.split(", "), plain)
    return {name: said for name, said in found.items() if len(name) > 1 and name not in PLAIN}


@cache
def _wanted() -> re.Pattern[str]:
    """Any term; one in small letters may begin a sentence or have an s."""
    found = []
    for name in sorted(glossary(), key=len, reverse=True):
        first = f"[{name[0]}{name[0].upper()}]" if name.islower() else re.escape(name[0])
        found.append(first + re.escape(name[1:]) + ("(?:e?s)?" if name.islower() else ""))
    return re.compile(rf"(?<![\w./-])({'|'.join(found)})(?![\w-])")


def _entry(word: str) -> str:
    """The glossary's own spelling of a word that was found."""
    spelt = (word, word.lower(), word.lower().removesuffix("s"), word.lower().removesuffix("es"))
    return next(one for one in spelt if one in glossary())


class Terms:
    """``used``: the terms that a page has had so far."""

    def __init__(self) -> None:
        self.used: set[str] = set()

    def __call__(self, text: str, seen: set[str] | None = None) -> Markup:
        """The text as HTML, with a meaning at each term that is not in ``seen`` yet."""
        seen = set() if seen is None else seen

        def mark(match: re.Match) -> str:
            word, name = match[0], _entry(match[0])
            self.used.add(name)
            if name in seen:
                return word
            seen.add(name)
            return f'<abbr title="{escape(glossary()[name])}">{word}</abbr>'

        return Markup(_wanted().sub(mark, str(escape(text))))

    @staticmethod
    def new() -> set[str]:
        """The ``seen`` of a part of a page in which nothing was explained yet."""
        return set()

    def listed(self) -> list[tuple[str, str]]:
        """The terms of the page and their meanings, in the order of the alphabet."""
        return [(name, glossary()[name]) for name in sorted(self.used, key=str.lower)]
