# SPDX-License-Identifier: BSD-2-Clause
"""``mcpi`` from Python: ``mcpi.run(variant="clo", icache_size="16KB").client.owners``.

Everything here computes and returns; nothing is printed. What the user has to change is a
``UserError``, a run that failed a ``RunError``. Tables are pandas objects; pandas is imported when
one is asked for. A name is imported when it is used, so that a start costs little.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpi.api.calls import exec, run, sweep  # noqa: A004
    from mcpi.api.causes import Causes, whatif
    from mcpi.api.compared import Compared, compare
    from mcpi.api.finished_program import ProgramRun, load
    from mcpi.api.finished_run import Run, Side
    from mcpi.api.single_run import perform
    from mcpi.api.sweeping.dataset import Dataset
    from mcpi.base.errors import RunError, UserError
    from mcpi.results.types import Result
    from mcpi.spec.node_spec import NodeImage, NodeSpec
    from mcpi.spec.program_spec import ProgramSpec
    from mcpi.spec.run_spec import RunSpec

__all__ = ["Compared", "Dataset", "ProgramRun", "Result", "Run", "RunError", "RunSpec", "Side"]
__all__ += [
    "NodeImage",
    "NodeSpec",
    "ProgramSpec",
    "UserError",
    "compare",
    "exec",
    "load",
    "perform",
    "run",
    "sweep",
]
__all__ += ["Causes", "whatif"]
_MODULES = {
    "api.calls": "exec run sweep",
    "api.causes": "Causes whatif",
    "api.compared": "Compared compare",
    "api.finished_program": "ProgramRun load",
    "api.finished_run": "Run Side",
    "api.single_run": "perform",
    "api.sweeping.dataset": "Dataset",
    "base.errors": "RunError UserError",
    "results.types": "Result",
    "spec.node_spec": "NodeImage NodeSpec",
    "spec.program_spec": "ProgramSpec",
    "spec.run_spec": "RunSpec",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(importlib.import_module(f"mcpi.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'mcpi.api' has no attribute {name!r}")
