# SPDX-License-Identifier: BSD-2-Clause
"""The package behind ``./mcpi``, and mCPI from Python: ``mcpi.run(variant="clo").client.t_p_us``.

The names of ``mcpi.api`` are names of ``mcpi``, imported when they are used: a start costs little.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpi.api import (
        Compared,
        Dataset,
        ProgramRun,
        Run,
        RunError,
        UserError,
        compare,
        load,
        run,
        sweep,
    )

__all__ = ["Compared", "Dataset", "ProgramRun", "Run", "RunError", "UserError"]
__all__ += ["compare", "load", "run", "sweep"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from mcpi import api

        return getattr(api, name)
    raise AttributeError(f"module 'mcpi' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
