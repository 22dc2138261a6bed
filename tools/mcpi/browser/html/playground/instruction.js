// SPDX-License-Identifier: BSD-2-Clause
// Instructions as text, by the table of machine.json.
'use strict';

const REGISTERS = ('v0 t0 t1 t2 t3 t4 t5 t6 t7 s0 s1 s2 s3 s4 s5 fp a0 a1 a2 a3 a4 a5 ' +
  't8 t9 t10 t11 ra t12 at gp sp zero').split(' ');
const bits = (word, high, low) => (word >>> low) & ((1 << (high - low + 1)) - 1);
const signed = (value, width) => value >> (width - 1) ? value - (1 << width) : value;

function instructionText(word, pc, rows) {
  const opcode = bits(word, 31, 26);
  const row = rows.find(one => one.opcode === opcode && ('function' in one
    ? bits(word, one.high, one.low) === one.function : true));
  if (!row) return `.long 0x${word.toString(16)}`;
  const [a, b, c] = [bits(word, 25, 21), bits(word, 20, 16), bits(word, 4, 0)].map(n => REGISTERS[n]);
  if (opcode === 0) return `${row.name} ${bits(word, 25, 0)}`;
  if (opcode >= 0x30) {
    const target = pc + 4 + 4 * signed(bits(word, 20, 0), 21);
    return `${row.name} ${a},0x${target.toString(16)}`;
  }
  if (opcode === 0x1a) return `${['jmp', 'jsr', 'ret', 'jsr_coroutine'][bits(word, 15, 14)]} ${a},(${b})`;
  if (opcode >= 0x10 && opcode <= 0x13)
    return `${row.name} ${a},${bits(word, 12, 12) ? bits(word, 20, 13) : b},${c}`;
  if (opcode === 0x18) return row.name;
  return `${row.name} ${a},${signed(bits(word, 15, 0), 16)}(${b})`;
}

// The word at a physical address of an ELF file's segments; null where there is none.
function wordAt(bytes, pc) {
  const at = offsetOf(bytes, pc);
  return at === null ? null : new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
}

// Where a physical address lies in an ELF file; null if nowhere.
function offsetOf(bytes, pc) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const table = Number(view.getBigUint64(32, true)), count = view.getUint16(56, true);
  for (let n = 0; n < count; n++) {
    const head = table + n * 56;
    const start = Number(view.getBigUint64(head + 16, true) & PHYSICAL);
    const offset = Number(view.getBigUint64(head + 8, true));
    const size = Number(view.getBigUint64(head + 32, true));
    if (start <= pc && pc < start + size) return offset + pc - start;
  }
  return null;
}
