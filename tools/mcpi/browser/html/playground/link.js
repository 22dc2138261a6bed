// SPDX-License-Identifier: BSD-2-Clause
// The address keeps every choice: #a=KEY&a.PARAMETER=VALUE&b=KEY&at=N. Only what differs from the
// usual machine stands in it.
'use strict';

function stateOf(fragment) {
  const found = {sides: {}, at: 0};
  for (const [key, value] of new URLSearchParams(fragment.replace(/^#/, ''))) {
    const [side, ...rest] = key.split('.');
    if (key === 'at') found.at = Math.max(0, parseInt(value, 10) || 0);
    else if (side !== 'a' && side !== 'b') continue;
    else if (rest.length) (found.sides[side] ??= {item: '', set: {}}).set[rest.join('.')] = value;
    else (found.sides[side] ??= {item: '', set: {}}).item = value;
  }
  return found;
}

function fragmentOf({sides, at}) {
  const found = new URLSearchParams();
  for (const [side, {item, set}] of Object.entries(sides)) {
    found.set(side, item);
    for (const [key, value] of Object.entries(set)) found.set(`${side}.${key}`, value);
  }
  if (at) found.set('at', at);
  return `#${found}`;
}
