# SPDX-License-Identifier: BSD-2-Clause
"""Studies, a folder for each paper: its plan, tables, claims, page; ``study.py`` defines
``STUDY``."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mcpi.base.errors import UserError, nearest

if TYPE_CHECKING:
    from mcpi.studykit.definition import Study

DEFAULT = "sigcomm96"


def there() -> list[str]:
    """The studies there are."""
    folders = (Path(place) for place in __path__)
    return sorted(path.parent.name for one in folders for path in one.glob("*/study.py"))


def find(name: str = DEFAULT) -> "Study":
    """The study of that name; UserError for one that there is not."""
    if name not in there():
        raise UserError(
            f"no study '{name}'. There are: {', '.join(there())}.{nearest(name, there())}"
        )
    return importlib.import_module(f"{__name__}.{name}.study").STUDY


def alive(name: str) -> Callable:
    """The maker of a study's page that recomputes itself; UserError if it has none."""
    find(name)
    if not any((Path(place) / name / "alive.py").is_file() for place in __path__):
        raise UserError(f"--alive: {name} has no page that recomputes itself. Leave it out.")
    return importlib.import_module(f"{__name__}.{name}.alive").page


def called(name: str) -> str:
    """The name as ``./mcpi paper`` needs it: nothing for the usual study."""
    return "" if name == DEFAULT else name
