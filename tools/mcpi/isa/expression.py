# SPDX-License-Identifier: BSD-2-Clause
"""Expressions of assembly, with the precedence of the GNU assembler: ``* / % << >>`` before
``| & ^``, and these before ``+ -``."""

import re
from collections.abc import Callable, Mapping

_TOKEN = re.compile(
    r"\s*(0[xX][0-9a-fA-F]+|\d+[bf](?![\w])|\d+|[A-Za-z_.$][\w.$]*|<<|>>|[-+*/%&|^~()])"
)
_LEVELS: tuple[dict[str, Callable[[int, int], int]], ...] = (
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"|": lambda a, b: a | b, "&": lambda a, b: a & b, "^": lambda a, b: a ^ b},
    {
        "*": lambda a, b: a * b,
        "/": lambda a, b: int(a / b),
        "%": lambda a, b: a - int(a / b) * b,
        "<<": lambda a, b: a << b,
        ">>": lambda a, b: a >> b,
    },
)


class Expression:
    """A text; ``value`` computes it. ``symbols`` are the names in it."""

    def __init__(self, text: str) -> None:
        self.text, at, self.tokens = text.strip(), 0, []
        while at < len(self.text):
            if not (found := _TOKEN.match(self.text, at)):
                raise ValueError(f"'{text}' is no expression")
            self.tokens.append(found[1])
            at = found.end()
        self.symbols = [t for t in self.tokens if re.match(r"[A-Za-z_.$]|\d+[bf]$", t)]

    def value(self, symbols: Mapping[str, int]) -> int:
        """ValueError if it is none, or a symbol is unknown."""
        self.left = list(self.tokens)
        result = self._level(0, symbols)
        if self.left:
            raise ValueError(f"'{self.text}' is no expression")
        return result

    def _level(self, level: int, symbols: Mapping[str, int]) -> int:
        if level == len(_LEVELS):
            return self._atom(symbols)
        value = self._level(level + 1, symbols)
        while self.left and self.left[0] in _LEVELS[level]:
            operation = _LEVELS[level][self.left.pop(0)]
            value = operation(value, self._level(level + 1, symbols))
        return value

    def _atom(self, symbols: Mapping[str, int]) -> int:
        token = self.left.pop(0) if self.left else ""
        if token in ("-", "+", "~"):
            value = self._atom(symbols)
            return {"-": -value, "+": value, "~": ~value}[token]
        if token == "(":
            value = self._level(0, symbols)
            if not self.left or self.left.pop(0) != ")":
                raise ValueError(f"'{self.text}' lacks a ')'")
            return value
        if re.fullmatch(r"0[xX].*|\d+", token):
            octal = len(token) > 1 and token.isdigit() and token[0] == "0"
            return int(token, 8 if octal else 0)
        if token not in symbols:
            said = f"there is no label '{token}'" if token else "it ends too early"
            raise ValueError(f"'{self.text}': {said}")
        return symbols[token]
