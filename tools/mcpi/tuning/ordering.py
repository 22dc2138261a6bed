# SPDX-License-Identifier: BSD-2-Clause
"""Call order, classes and data of a path, from a trace: the tables that a recipe which clones
names (``path_order``)."""

from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.engines import trace
from mcpi.firmware import images, path_inline, protocol_graph, recipes
from mcpi.firmware.clone import path_order, recipe
from mcpi.firmware.clone.program import Program
from mcpi.firmware.elf import ACTIONS
from mcpi.firmware.regions import Image
from mcpi.machine import profile as machines
from mcpi.spec.run_spec import RunSpec


def place(variant: str, stack: str, role: str = "client") -> Path:
    """Where the order of a variant's path stands."""
    inlined = images.inlines(recipes.recipe(variant), stack)
    path = path_inline.specification(stack, role).stem if inlined else None
    return recipe.orders({"order": variant}, path or protocol_graph.name_of(stack))


def make(
    variant: str, stack: str, machine: str, server: bool = False, bar: Bar | None = None
) -> tuple[Path, Path]:
    """The order and the data of a path, from a trace of a variant that does not clone."""
    if "clone" in recipes.recipe(variant):
        raise UserError(f"--variant {variant}: it clones; trace the variant that it is made from.")
    folder = trace.traced(stack, variant, machine, {}, server, bar)
    program = Program(folder / "image.elf")
    alike = path_order.usual(folder / "trace.csv", 3)
    base = place(variant, stack, "server" if server else "client")
    caches = machines.load(machine).parameters
    rows = path_order.order(program, alike[-1], caches["icache.size"])
    path_order.write(base, path_order.FIELDS, rows)
    steps = [step for one in alike for step in one]
    data = base.with_suffix(".data.csv")
    path_order.write(
        data, path_order.DATA_FIELDS, path_order.data(program, steps, caches["cache.block"])
    )
    return base, data


def of_own_graph(spec: RunSpec, bar: Bar) -> None:
    """Make the path's order for a user's own graph, for each variant of the run that clones.
    UserError if no protocol of the graph says what an invocation of the path is."""
    if protocol_graph.is_own(spec.stack):
        tables = [recipes.recipe(variant).get("clone") for variant in (spec.variant, spec.peer)]
        for order in sorted({table["order"] for table in tables if table}):
            _of_own_graph(spec, order, bar)


def _of_own_graph(spec: RunSpec, order: str, bar: Bar) -> None:
    plain = images.plan(spec.check(), order, spec.stack)
    image = images.build(plain).image
    if not any(ACTIONS[marker.action] == "invocation" for marker in Image(image).markers):
        raise UserError(
            f"{spec.stack}: none of its protocols marks an invocation of the path, so nothing says "
            "what is counted. One must, with MARK(MARK_INVOCATION, WINDOW_PATH) where a message "
            "has come up (firmware/platform/marker.h)."
        )
    make(order, spec.stack, spec.machine, bar=bar)
