// SPDX-License-Identifier: BSD-2-Clause
// The write buffer of the core, and invariants of its registers: `used` entries from `head` up to
// `tail` hold stores; `sending` is high while the oldest entry is on the bus.
  `observe(core.loadStore_1.buffer_1, head, tail, used = count, sending, entry0 = entries_0_valid,
    entry1 = entries_1_valid, entry2 = entries_2_valid, entry3 = entries_3_valid, isFull, isEmpty,
    isAbove, isAtLeast, stale)
  wire [2:0] unsent = used - sending;
  wire [3:0] occupied = {entry3, entry2, entry1, entry0};
  function [3:0] from(input [1:0] first, input [2:0] number);
    reg [7:0] ones;
    begin
      ones = {8{1'b1}} >> (8 - number);
      ones = ones << first;
      from = ones[3:0] | ones[7:4];
    end
  endfunction
  wire bufferState = used <= 4 && (!sending || used != 0) && tail == head + used[1:0] &&
    occupied == from(head, used) && isFull == (used == 4) && isEmpty == (used == 0) &&
    (used == 0 || (isAbove == (used > drainAt) && isAtLeast == (used >= drainAt)));
