# SPDX-License-Identifier: BSD-2-Clause
"""Values of options without pydantic, whose import and whose schemas take 45 ms of each start.

A word stays a word, and a default is what it is. typer looks at all else, as at a number, and words
all errors.
"""

from dataclasses import dataclass

from typer import core
from typer._coercion import RuntimeParam, TypeDescriptor, build_runtime_param

WORDS = (str, list[str])


@dataclass(frozen=True)
class Quick(RuntimeParam):
    """The value as it is, if that needs no look."""

    descriptor: TypeDescriptor

    def _coerce_value(self, value, param, ctx):
        plain = self.annotation in WORDS and self.parameter_info.parser is None
        words = value if isinstance(value, (list, tuple)) else [value]
        if plain and all(type(word) is str for word in words):
            return list(value) if self.annotation is not str else value
        if value == param.default and type(value) is self.annotation:
            return value
        return build_runtime_param(self.descriptor)._coerce_value(value, param, ctx)


def install() -> None:
    """Have typer do so; the release of typer is pinned."""
    core.build_runtime_param = lambda of: Quick(of.parameter_info, of.annotation, of)
