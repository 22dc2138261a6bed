// SPDX-License-Identifier: BSD-2-Clause
// Assembly to words, in the language of tools/mcpi/isa/assembler.py: instructions of user mode,
// labels, NAME = VALUE, .long, .quad, .align. An error begins with its line.
'use strict';

const NUMBERED = Object.fromEntries(REGISTERS.map((name, n) => [name, n]));
Object.assign(NUMBERED, {s6: 15, pv: 27}, Object.fromEntries(Array.from({length: 32}, (_, n) => [n, n])));
const MOST = {memory: 2, branch: 2, jump: 3, operate: 3, misc: 2};

// `isa`: {rows, short}, rows {name, match, format, cycles} and short forms by name. The words of the
// text at address `base`.
function assemble(text, base, isa) {
  const symbols = new Map(), pieces = [];
  const rows = new Map(isa.rows.map(row => [row.name, row]));
  let at = base;
  const put = (words, make) => {
    pieces.push({at, words, make});
    at += 4 * words;
  };
  const lines = text.replace(/\/\*.*?\*\//gs, found => found.replace(/[^\n]/g, ' ')).split('\n');
  const inLine = (number, what) => {
    try {
      return what();
    } catch (error) {
      throw new Error(`line ${number}: ${error.message}`);
    }
  };
  lines.forEach((whole, n) => inLine(n + 1, () => {
    for (const part of whole.split(/\/\/|(?:^|\s)#/)[0].split(';')) {
      let line = part.trim().replace(/\s+/g, ' ');
      for (let found; (found = /^([\w.$]+):\s*/.exec(line)); line = line.slice(found[0].length)) {
        if (symbols.has(found[1])) throw new Error(`two labels '${found[1]}'`);
        symbols.set(found[1], at);
      }
      if (!line) continue;
      const set = /^([A-Za-z_][\w.$]*) ?= ?(.*)$/.exec(line);
      if (set) {
        symbols.set(set[1], valueOfExpression(set[2], symbols));
        continue;
      }
      const [, name, rest] = /^(\S+) ?(.*)$/.exec(line);
      const operands = rest ? rest.split(',').map(one => one.trim()) : [];
      if (name === '.align') {
        const size = 2 ** valueOfExpression(operands[0], symbols);
        while (at % size) {
          const word = at % 8 ? isa.unop : isa.nop;
          put(1, () => [word]);
        }
      } else if (name === '.long' || name === '.quad') {
        const wide = name === '.quad' ? 2 : 1;
        if (at % (4 * wide)) throw new Error('a quadword wants .align 3 before it');
        put(wide * operands.length, () => operands.flatMap(one => {
          const value = BigInt(valueOfExpression(one, symbols));
          return Array.from({length: wide}, (_, i) => Number(BigInt.asUintN(32, value >> BigInt(32 * i))));
        }));
      } else if (name.startsWith('.')) {
        throw new Error(`no such directive '${name}'`);
      } else {
        const here = {at, symbols}, number = n + 1;
        put(1, () => inLine(number, () => [instructionWord(name, operands, here, rows, isa.short)]));
      }
    }
  }));
  return pieces.flatMap(piece => piece.make());
}

function valueOfExpression(text, symbols) {
  let sum = 0, sign = 1;
  const parts = (text ?? '').match(/[+-]|[^+\s-]+/g);
  if (!parts) throw new Error('an expression is missing');
  for (const part of parts) {
    if (part === '+') continue;
    if (part === '-') {
      sign = -sign;
      continue;
    }
    const value = /^(0x[0-9a-f]+|\d+)$/i.test(part) ? Number(part) : symbols.get(part);
    if (value === undefined) throw new Error(`'${part}' is no number and no label`);
    sum += sign * value;
    sign = 1;
  }
  return sum;
}

function registerOf(text) {
  const number = text?.startsWith('$') ? NUMBERED[text.slice(1)] : undefined;
  if (number === undefined) throw new Error(`'${text ?? ''}' is no register`);
  return number;
}

function fitting(name, value, bits, negative) {
  const low = negative ? -(2 ** (bits - 1)) : 0, high = 2 ** (negative ? bits - 1 : bits);
  if (!Number.isInteger(value) || value < low || value >= high)
    throw new Error(`${name} ${value} does not fit into ${bits} bits`);
  return value & (2 ** bits - 1);
}

function instructionWord(name, operands, here, rows, short) {
  if (name in short && (name !== 'ret' || !operands.length)) {
    const text = short[name].replace(/\{(\d)\}/g, (_, n) => operands[n] ?? '');
    const [, other, rest] = /^(\S+) ?(.*)$/.exec(text);
    return instructionWord(other, rest.split(',').map(one => one.trim()), here, rows, {});
  }
  const row = rows.get(name);
  if (!row) throw new Error(`'${name}' is no instruction of user mode`);
  if (operands.length > MOST[row.format]) throw new Error(`too many operands, ${operands.length}`);
  return (row.match | FORMATS[row.format](row, operands, here)) >>> 0;
}

const FORMATS = {
  memory(row, [ra, place], here) {
    const found = /^(.*?)(?:\((\$\w+)\))?$/.exec(place ?? '');
    const disp = found[1] ? valueOfExpression(found[1], here.symbols) : 0;
    const rb = found[2] ? registerOf(found[2]) : 31;
    return registerOf(ra) << 21 | rb << 16 | fitting('displacement', disp, 16, true);
  },
  branch(row, operands, here) {
    const ra = operands.length > 1 ? registerOf(operands[0]) : row.name === 'bsr' ? 26 : 31;
    const target = valueOfExpression(operands.at(-1), here.symbols);
    return ra << 21 | fitting('displacement', (target - here.at - 4) / 4, 21, true);
  },
  jump(row, [ra, rb, hint], here) {
    let disp = 0;
    if (hint) {
      disp = valueOfExpression(hint, here.symbols);
      const label = here.symbols.has(hint) && (row.name === 'jmp' || row.name === 'jsr');
      if (label) disp = (disp - here.at - 4) >> 2;
    }
    return registerOf(ra) << 21 | registerOf((rb ?? '').replace(/[()]/g, '')) << 16 | disp & 0x3fff;
  },
  operate(row, [ra, second, rc], here) {
    const fixed = registerOf(ra) << 21 | registerOf(rc);
    if (second?.startsWith('$')) return fixed | registerOf(second) << 16;
    const literal = fitting('literal', valueOfExpression(second, here.symbols), 8, false);
    return fixed | literal << 13 | 1 << 12;
  },
  misc(row, operands) {
    if (row.name.startsWith('fetch'))
      return registerOf((operands[0] ?? '').replace(/^0|[()]/g, '')) << 16;
    if (!operands.length) return 0;
    return registerOf(operands[0]) << 21 | (row.cycles ? 31 << 16 : 0);
  },
};
