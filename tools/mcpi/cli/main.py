# SPDX-License-Identifier: BSD-2-Clause
"""The command line of ``./mcpi``. Exit status: 0 done, 1 the run failed, 2 wrong usage, 130 ^C."""

import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import typer

from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import BUILD, ROOT
from mcpi.cli import coercion, options
from mcpi.cli.commands import app

INTERRUPTED = 130


def main() -> None:
    """Run the command that the words of the command line name."""

    def command() -> int:
        words = options.filled(sys.argv[1:])
        coercion.install()
        return app(words, prog_name="./mcpi", standalone_mode=False)

    ended(command)


def ended(command: Callable[[], int | None]) -> None:
    """Run ``command`` and exit with its status; every error that is for people ends here, without
    a stack trace."""
    # Also when started in the background, where shells have ^C ignored; and a plain kill is as ^C.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):  # a terminal without µ and → shows a question mark
        stream.reconfigure(errors="replace")
    try:
        status = command()
        sys.stdout.flush()
    except UserError as error:
        status = _complain(error, 2)
    except RunError as error:
        status = _complain(error, 1)
    except typer.TyperException as error:
        error.show()
        status = error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except BrokenPipeError:
        _end_as_others_do()
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # rich makes this of it
            _end_as_others_do()
        raise
    except OSError as error:
        status = _complain(_of_system(error), 1)
    if status == INTERRUPTED:  # typer turns some ^C into this status by itself
        _complain("interrupted; what was built is kept, the next start goes on.", status)
    sys.exit(status or 0)


def _end_as_others_do() -> None:
    """The reader of a pipe has gone: by the signal, without a word."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGPIPE)


def _of_system(error: OSError) -> str:
    """Words for an error of the system, and the cure where it is known."""
    what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        what += ". Free some space; what is complete is kept, the next start goes on."
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        if Path(str(error.filename or "")).is_relative_to(BUILD):
            what += (
                f". mCPI keeps what it builds in {BUILD.name}/ of the checkout {ROOT}, which must "
                "be writable. Clone or copy it to a place of your own."
            )
    return what


def _complain(what: object, status: int) -> int:
    print(f"mcpi: {what}", file=sys.stderr)
    return status
