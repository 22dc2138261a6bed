# SPDX-License-Identifier: BSD-2-Clause
"""The package behind ``./mcpi``, and mCPI from Python: ``mcpi.run(variant="clo").client.t_p_us``.

The names of ``mcpi.api`` are names of ``mcpi``, imported when they are used: a start costs little.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if not (Path(__file__).parents[2] / "machines" / "parameters.toml").is_file():
    raise ImportError(
        "mcpi is installed without its checkout, whose machines and firmware it needs. Type: "
        'pip install -e "CHECKOUT[analysis]" in the place of this install, or ./mcpi python.'
    )
if TYPE_CHECKING:
    from mcpi.api import (
        Causes,
        Compared,
        Dataset,
        ProgramRun,
        Run,
        RunError,
        UserError,
        compare,
        exec,  # noqa: A004
        load,
        run,
        sweep,
        whatif,
    )

__all__ = ["Causes", "Compared", "Dataset", "ProgramRun", "Run", "RunError", "UserError"]
__all__ += ["compare", "exec", "load", "run", "sweep", "whatif"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from mcpi import api

        return getattr(api, name)
    raise AttributeError(f"module 'mcpi' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
