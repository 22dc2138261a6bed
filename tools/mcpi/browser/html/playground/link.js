// SPDX-License-Identifier: BSD-2-Clause
// The address keeps every choice: #a=KEY&a.PARAMETER=VALUE&a.text=ASSEMBLY&b=KEY&at=N. Only what differs from the
// usual machine stands in it.
'use strict';

function stateOf(fragment) {
  const found = {sides: {}, at: 0};
  for (const [key, value] of new URLSearchParams(fragment.replace(/^#/, ''))) {
    const [side, ...rest] = key.split('.');
    if (key === 'at') found.at = Math.max(0, parseInt(value, 10) || 0);
    else if (side !== 'a' && side !== 'b') continue;
    else if (rest.join('.') === 'text') (found.sides[side] ??= {item: '', set: {}}).text = value;
    else if (rest.length) (found.sides[side] ??= {item: '', set: {}}).set[rest.join('.')] = value;
    else (found.sides[side] ??= {item: '', set: {}}).item = value;
  }
  return found;
}

function fragmentOf({sides, at}) {
  const found = new URLSearchParams();
  for (const [side, {item, set, text}] of Object.entries(sides)) {
    found.set(side, item);
    if (item === 'typed' && text) found.set(`${side}.text`, text);
    for (const [key, value] of Object.entries(set)) found.set(`${side}.${key}`, value);
  }
  if (at) found.set('at', at);
  return `#${found}`;
}
