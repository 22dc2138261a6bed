// SPDX-License-Identifier: BSD-2-Clause
// The write buffer, from the store that enters it to the memory bus: no store is lost, doubled,
// invented, or reordered visibly.
//
// For any bit of any longword of any block: a write of the block to memory carries the longword
// exactly if it was stored since the block was last written, with its newest value. Blocks leave in
// the order of their first store. No load of the block and no I/O access goes out before the block.
// When the buffer says that it is empty, all its writes have been answered.
module write_buffer (input clk);
  `include "core.svh"
  `include "loadstore_state.svh"
  `include "access_rules.svh"
  `include "lookup_state.svh"
  (* anyconst *) wire [28:0] block;
  (* anyconst *) wire [2:0] word;
  (* anyconst *) wire [4:0] place;
  wire [7:0] bit_ = {word, place};
  always @* assume (reset || (accessRules && fetchRules));

  `observe(core.loadStore_1.buffer_1, store_valid, store_ready, merged,
    address = store_payload_address, data = store_payload_data, long = store_payload_long, dataLong,
    cancel,
    empty)
  wire undrained = core.loadStore_1.undrained;
  wire isPlainStore = core.loadStore_1.isStore;
  `observe(core, sentAddress = memory_cmd_payload_address, sentData = memory_cmd_payload_data,
    sentMask = memory_cmd_payload_mask)

  wire fire = store_valid && store_ready && memoryMoves;
  wire enters = fire && address[33:5] == block;
  wire covers = enters && address[4:3] == word[2:1] && (!long || address[2] == word[0]);
  wire command = memory_cmd_valid && memory_cmd_ready && memoryMoves;
  wire departs = command && memory_cmd_payload_kind == `MemoryKind_write;
  wire leaves = departs && sentAddress[33:5] == block;
  wire drops = cancel && memoryMoves; // a failed STx_C: its entry was the only one

  reg there = 0; // the block waits to be sent
  reg [1:0] ahead; // entries that go first
  reg stored = 0; // the entry has the longword
  reg comes = 0; // the data of the store of the last clock (proof effects says which)
  reg value; // the bit of the longword
  reg flying = 0; // the block is on the bus
  always @(posedge clk) if (reset) {there, stored, comes, flying} <= 0;
  else begin
    if (departs && there) ahead <= ahead - 1;
    if (leaves || drops) {there, stored} <= 0;
    if (enters && (!there || leaves)) ahead <= unsent - departs;
    if (enters) there <= 1;
    if (covers) stored <= 1;
    comes <= covers;
    if (comes) value <= data[dataLong ? {1'b0, place} : {word[0], place}];
    if (memory_rsp_valid && memoryMoves) flying <= 0;
    if (leaves) flying <= 1;
  end

  wire loadGoes = command && memory_cmd_payload_kind == `MemoryKind_load;
  wire ioGoes = io_cmd_valid && io_cmd_ready && tick;
  always @* if (!reset) begin
    if (leaves) begin
      assert (sentMask[{word, 2'd0} +: 4] == {4{stored}}); // the mask is right
      assert (!stored || sentData[bit_] == value);
      assert (sentAddress[4:0] == 0);
    end
    if (departs) assert (leaves == (there && ahead == 0)); // blocks leave in order
    assert (!(enters && there && !leaves) || merged);
    assert (!(loadGoes && sentAddress[33:5] == block) || !(there || flying));
    assert (!ioGoes || !(there || flying));
    assert (!empty || !(there || flying || sending));
    assert (undrained || blocksAll || !(there || flying || isStore)); // MB waits
    assert (!store_valid || memoryMoves);
    assert (!drops || !departs);
  end

  // Invariants of the induction.
  `observe(core.loadStore_1.buffer_1, word0 = probe0, word1 = probe1, word2 = probe2,
    word3 = probe3, block0 = entries_0_block, block1 = entries_1_block, block2 = entries_2_block,
    block3 = entries_3_block, held0 = entries_0_words, held1 = entries_1_words,
    held2 = entries_2_words, held3 = entries_3_words, writes, written = place, candidate,
    readData = cmd_payload_data)
  wire [3:0] ours = occupied & {block3 == block, block2 == block, block1 == block, block0 == block};
  wire [3:0] onBus = sending ? 4'd1 << head : 4'd0;
  wire [3:0] bits = {word3[bit_], word2[bit_], word1[bit_], word0[bit_]};
  wire [3:0] helds = {held3[word], held2[word], held1[word], held0[word]};
  wire [1:0] where = head + sending + ahead;
  wire [3:0] waiting = occupied & ~onBus; // the entries have different blocks
  wire distinct =
    !(waiting[0] && waiting[1] && block0 == block1) &&
    !(waiting[0] && waiting[2] && block0 == block2) &&
    !(waiting[0] && waiting[3] && block0 == block3) &&
    !(waiting[1] && waiting[2] && block1 == block2) &&
    !(waiting[1] && waiting[3] && block1 == block3) &&
    !(waiting[2] && waiting[3] && block2 == block3);
  reg begins = 1; // the clock after reset: `writes` may have any value, and the buffer is empty
  always @(posedge clk) begins <= reset;
  always @* if (!reset) begin
    assert (!begins || used == 0);
    assert (loadStoreState && lookupState);
    assert (!isPlainStore || taken == store_ready); // blocksAll asks `taken`
    assert (distinct);
    assert (alone);
    assert ((ours & ~onBus) == (there ? 4'd1 << where : 4'd0));
    assert (!there || (ahead < unsent && helds[where] == stored));
    assert (!stored || (there && (comes || bits[where] == value)));
    assert (comes == (there && writes[word] && written == where));
    assert (!comes || (stored && stale));
    assert (stale || begins || readData[bit_] == bits[candidate]);
    assert (writes == 0 || stale || begins);
    assert (flying == ((ours & onBus) != 0));
  end
endmodule
