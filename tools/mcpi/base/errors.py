# SPDX-License-Identifier: BSD-2-Clause
"""Errors that are for people: what was wrong, where, what to do."""

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """A user's slip (exit status 2): printed as it is, never with a stack trace."""


class RunError(Exception):
    """The run itself failed (exit status 1)."""


def nearest(given: str, there: Iterable[str]) -> str:
    """ " Did you mean X?", behind an error's sentence; empty if nothing is near. Capitals do not
    count."""
    names = {name.lower(): name for name in there}
    close = difflib.get_close_matches(given.lower(), names, n=1)
    return f" Did you mean {names[close[0]]}?" if close else ""
