# SPDX-License-Identifier: BSD-2-Clause
"""The instruction set as Verilog, made from the codes of machines/instructions.toml.

What an instruction means is read off its mnemonic and format, never off the core's own control
words: the decoder is proven equal to this, and the other proofs ask this what an instruction reads
and writes. Field values are named as the core's enumerations. Codes have one definition; a test
compares it with the sheet docs/sources/isa/alpha_ev4_int.csv and with binutils.
"""

import re

from mcpi.isa import table
from mcpi.isa.table import Instruction

CONDITIONS = {
    "lbc": "lowClear",
    "lbs": "lowSet",
    "eq": "equal",
    "ne": "notEqual",
    "lt": "less",
    "le": "lessEqual",
    "gt": "greater",
    "ge": "greaterEqual",
}
LOGICAL = {
    "and": ("and", False),
    "bic": ("and", True),
    "bis": ("or", False),
    "ornot": ("or", True),
    "xor": ("xor", False),
    "eqv": ("xor", True),
}
COMPARES = {
    "cmpbge": ("compareBytes", None),
    "cmpeq": ("compareEqual", None),
    "cmplt": ("compareLess", False),
    "cmple": ("compareLessEqual", False),
    "cmpult": ("compareLess", True),
    "cmpule": ("compareLessEqual", True),
}
SHIFTS = {
    "sll": "left",
    "srl": "rightLogical",
    "sra": "rightArithmetic",
    "zap": "zap",
    "zapnot": "zapNot",
    "ext": "extract",
    "ins": "insert",
    "msk": "mask",
}
# Decided whatever the instruction; every other field only where a row below gives it.
FLAGS = ("overflow", "unaligned", "locked", "palOnly")


def _address(name: str) -> dict:
    return {"kind": "alu", "alu": "add", "displaced": True, "readsB": True, "destination": "ra"}


def _memory(name: str) -> dict:
    load = "ld" in name
    row = {"kind": "load" if load else "store", "displaced": True, "readsB": True, "alu": "add"}
    row |= {"readsA": not load, "subtract": False}
    conditional = name.endswith("_c")
    row["destination"] = "ra" if load or conditional else "none"
    row["locked"] = conditional or name.endswith("_l")
    row["unaligned"] = name.endswith("_u")
    row["long"] = name[2] == "l"
    return row


def _branch(name: str) -> dict:
    always = name in ("br", "bsr")
    row = {"kind": "branch", "readsA": not always, "readsB": False}
    row["condition"] = "always" if always else CONDITIONS[name[1:]]
    row["destination"] = "ra" if always else "none"
    return row | ({"alu": "link"} if always else {})


def _operate(name: str) -> dict:
    row = {"readsA": True, "readsB": True, "destination": "rc", "displaced": False}
    plain = name.removesuffix("/v")
    row["overflow"] = plain != name
    if found := re.fullmatch(r"(s4|s8)?(add|sub)([lq])", plain):
        scale = {None: 0, "s4": 2, "s8": 3}[found[1]]
        sums = {"kind": "alu", "alu": "add", "scale": scale, "long": found[3] == "l"}
        return row | sums | {"subtract": found[2] == "sub"}
    if plain in COMPARES:
        op, unsigned = COMPARES[plain]
        row |= {"kind": "compare", "alu": op}
        if unsigned is None:
            return row
        return row | {"unsigned": unsigned, "subtract": True, "scale": 0}
    if plain in LOGICAL:
        op, invert = LOGICAL[plain]
        return row | {"kind": "alu", "alu": op, "invert": invert}
    if plain.startswith("cmov"):
        return row | {"kind": "cmov", "alu": "pass", "condition": CONDITIONS[plain[4:]]}
    if plain in ("amask", "implver"):
        return row | {"kind": "alu", "alu": "pass" if plain == "amask" else "zero"}
    if plain in ("mull", "mulq", "umulh"):
        return row | {"kind": "multiply", "long": plain == "mull", "high": plain == "umulh"}
    if plain in SHIFTS:
        return row | {"kind": "shift", "shift": SHIFTS[plain]}
    if found := re.fullmatch(r"(ext|ins|msk)([bwlq])([lh])", plain):
        return row | {"kind": "shift", "shift": SHIFTS[found[1]], "high": found[3] == "h"}
    # Any other has a function of the one-tick unit of its own, by its name.
    return row | {"kind": "alu", "alu": plain}


def _misc(name: str) -> dict:
    kinds = {"mb": "barrier", "wmb": "barrier", "rpcc": "cycles", "rc": "flag", "rs": "flag"}
    kind = kinds.get(name, "nop")
    row = {"kind": kind, "readsA": False, "readsB": False}
    return row | {"destination": "ra" if kind in ("cycles", "flag") else "none"}


def _pal_reserved(name: str) -> dict:
    row = {"palOnly": True}
    if name in ("hw_ld", "hw_st"):
        return _memory(name.replace("hw_", "") + "q") | row | {"long": None}
    kind = {"hw_mfpr": "palRead", "hw_mtpr": "palWrite", "hw_rei": "palReturn"}[name]
    row |= {"kind": kind, "readsA": False, "readsB": kind == "palWrite"}
    return row | {"destination": "ra" if kind == "palRead" else "none"}


def meaning(entry: Instruction) -> dict:
    """Field: value, for one row of the table; None: bit 12 of the word says 'quadword'."""
    name = entry.name
    if name in ("lda", "ldah"):
        row = _address(name)
    elif entry.format == "memory":
        row = _memory(name)
    elif entry.format == "branch":
        row = _branch(name)
    elif entry.format == "jump":
        row = {"kind": "jump", "readsB": True, "readsA": False, "alu": "link"}
        row["destination"] = "ra"
    elif entry.format == "operate":
        row = _operate(name)
    elif entry.format == "misc":
        row = _misc(name)
    elif entry.format == "call":
        row = {"kind": "callPal", "readsA": False, "readsB": False, "destination": "none"}
    else:
        row = _pal_reserved(name)
    return dict.fromkeys(FLAGS, False) | row


def verilog() -> str:
    """Module ``isa_spec``: for every value of every field, whether this word calls for it."""
    wants: dict[tuple[str, object], list[str]] = {}
    legal = []
    for entry in table.rows():
        # CALL_PAL is one instruction to the decoder; its functions are checked where it issues.
        call = entry.format == "call"
        mask, match = (0xFC000000, 0) if call else (entry.mask, entry.match)
        hit = f"(word & 32'h{mask:08X}) == 32'h{match:08X}"
        if hit in legal:
            continue
        legal.append(hit)
        for field, value in meaning(entry).items():
            if value is None:
                wants.setdefault((field, True), []).append(f"({hit}) && !word[12]")
                wants.setdefault((field, False), []).append(f"({hit}) && word[12]")
            else:
                wants.setdefault((field, value), []).append(hit)
    lines = ["// Made by isa_spec.py.", "module isa_spec (", "  input [31:0] word,"]
    names = ["legal", "floating", *(_wire(f, v) for f, v in wants)]
    lines += [",\n".join(f"  output {name}" for name in names), ");"]
    lines.append(_assign("legal", legal))
    lines.append(
        _assign("floating", [f"word[31:26] == 6'h{op:02x}" for op in table.opcodes("floating")])
    )
    lines += [_assign(_wire(f, v), hits) for (f, v), hits in wants.items()]
    return "\n".join([*lines, "endmodule", ""])


def includes() -> dict[str, str]:
    """Files that the proofs include, by name."""
    return {"spec.svh": wires(), "checks.svh": checks(), "isa_spec.sv": verilog()}


def _wire(field: str, value: object) -> str:
    return f"{field}_{str(value).lower() if isinstance(value, bool) else value}"


def _assign(name: str, hits: list[str]) -> str:
    return f"  assign {name} =\n    " + " ||\n    ".join(f"({h})" for h in hits) + ";"


def wires() -> str:
    """spec.svh: an instance of ``isa_spec`` on ``word`` and its wires."""
    names = re.findall(r"output (\w+)", verilog())
    ports = ", ".join(f".{name}({name})" for name in ["word", *names])
    return f"  wire {', '.join(names)};\n  isa_spec spec ({ports});\n"


def checks() -> str:
    """For decoder.sv: one assertion for every wire of ``isa_spec`` but the verdicts."""
    lines, seen = [], set()
    for entry in table.rows():
        for field, value in meaning(entry).items():
            for v in (True, False) if value is None else (value,):
                if (field, v) in seen:
                    continue
                seen.add((field, v))
                lines.append(f"  assert (!{_wire(field, v)} || {_equal(field, v)});")
    return "\n".join(lines) + "\n"


ENUMS = {
    "kind": "Kind",
    "alu": "AluOp",
    "condition": "Condition",
    "shift": "ShiftOp",
    "destination": "Destination",
}


def _equal(field: str, value: object) -> str:
    if field in ENUMS:
        return f"control_{field} == `{ENUMS[field]}_{value}"
    if isinstance(value, bool):
        return f"control_{field} == 1'b{int(value)}"
    return f"control_{field} == {value}"
