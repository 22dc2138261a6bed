# SPDX-License-Identifier: BSD-2-Clause
"""Errors that are for people: what was wrong, where, what to do."""


class UserError(Exception):
    """A user's slip (exit status 2): printed as it is, never with a stack trace."""


class RunError(Exception):
    """The run itself failed (exit status 1)."""
