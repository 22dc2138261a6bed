// SPDX-License-Identifier: BSD-2-Clause
// Functions and objects of an ELF file of 64 bits, little end first.
'use strict';

const PHYSICAL = (1n << 34n) - 1n; // of an address
const SYMBOLS = 2, OBJECT = 1, FUNCTION = 2, HEADER = 64, SYMBOL = 24;

// Each symbol: name, type, physical address, bytes.
function symbolsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at64 = where => Number(view.getBigUint64(where, true));
  const table = at64(40), sections = view.getUint16(60, true);
  const section = number => table + number * HEADER;
  const found = [];
  for (let number = 0; number < sections; number++) {
    const head = section(number);
    if (view.getUint32(head + 4, true) !== SYMBOLS) continue;
    const names = at64(section(view.getUint32(head + 40, true)) + 24);
    const first = at64(head + 24), end = first + at64(head + 32);
    for (let symbol = first; symbol < end; symbol += SYMBOL)
      found.push({
        name: textAt(bytes, names + view.getUint32(symbol, true)),
        type: view.getUint8(symbol + 4) & 15,
        start: Number(view.getBigUint64(symbol + 8, true) & PHYSICAL),
        size: at64(symbol + 16),
      });
  }
  return found;
}

// Each function with a size. What is outlined, from the label NAME.cold to the end of NAME, is a
// function of its own.
function functionsOf(bytes) {
  const whole = [], cold = new Map();
  for (const {name, type, start, size} of symbolsOf(bytes)) {
    const main = name.slice(0, -'.cold'.length);
    if (name.endsWith('.cold')) cold.set(main, [...cold.get(main) ?? [], start]);
    else if (type === FUNCTION && size) whole.push({name, start, size});
  }
  return whole.flatMap(one => parts(one, cold.get(one.name) ?? []));
}

const objectsOf = bytes => symbolsOf(bytes).filter(one => one.type === OBJECT && one.size);

function textAt(bytes, start) {
  return new TextDecoder().decode(bytes.subarray(start, bytes.indexOf(0, start)));
}

// A function, or its main line and what was moved to its end.
function parts({name, start, size}, cold) {
  const divide = cold.find(at => start < at && at < start + size);
  if (divide === undefined) return [{name, start, size}];
  return [{name, start, size: divide - start},
    {name: `${name}.cold`, start: divide, size: start + size - divide}];
}
