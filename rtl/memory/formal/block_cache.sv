// SPDX-License-Identifier: BSD-2-Clause
// The cache before a board's RAM, for any block: a read is answered with the bytes that were written
// last, in the order of the commands; a write goes below as it is taken; and a read waits for the
// RAM alone, but for two clocks before and two behind it.
module block_cache (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  BlockCacheSmall cache (.*);
  wire [3:0] ours = cache.probeBlock; // any block, constant
  `observe(cache, tag = probeTag, line = probeLine, sweeping, sweep, asked, missed, requested, filled,
    writing, block = wanted, entry, read = line)

  function [1:0] setOf(input [3:0] number); // a page has two blocks
    setOf = {number[1] ^ number[3], number[0]};
  endfunction
  wire [1:0] setOfOurs = setOf(ours);
  wire [2:0] tagOfOurs = {1'b1, ours[3:2]};
  wire takes = io_above_cmd_valid && io_above_cmd_ready;
  wire asks = io_below_cmd_valid && io_below_cmd_ready && !io_below_cmd_payload_write;
  wire gives = io_below_cmd_valid && io_below_cmd_ready && io_below_cmd_payload_write;

  // What the RAM holds of our block.
  reg [255:0] held;
  wire [255:0] bytes, bytesBelow, writtenNow;
  genvar n;
  for (n = 0; n < 32; n = n + 1) begin
    assign bytes[8*n +: 8] = {8{io_above_cmd_payload_mask[n]}};
    assign bytesBelow[8*n +: 8] = {8{io_below_cmd_payload_mask[n]}};
  end
  assign writtenNow = (held & ~bytes) | (io_above_cmd_payload_data & bytes);

  reg due; // below owes an answer
  reg [3:0] dueBlock;
  reg waits; // a read was taken and has not looked with success
  reg [3:0] waitsBlock;
  reg answers; // and one has: its answer is out now
  reg answersOurs;
  reg [255:0] answer;
  reg [2:0] idle; // clocks in which a read of our block waited, and not for the RAM
  wire found = waits && asked && entry == {1'b1, block[3:2]};
  reg stalled; // a command was not taken
  reg [3:0] stalledBlock;
  reg stalledWrite;
  reg [255:0] stalledData;
  reg [31:0] stalledMask;
  always @(posedge clk) begin
    if (takes && io_above_cmd_payload_write && io_above_cmd_payload_block == ours)
      held <= writtenNow;
    due <= !reset && (asks || (due && !io_below_rsp_valid));
    if (asks) dueBlock <= io_below_cmd_payload_block;
    if (takes && !io_above_cmd_payload_write) waitsBlock <= io_above_cmd_payload_block;
    waits <= !reset && ((takes && !io_above_cmd_payload_write) || (waits && !found));
    answers <= !reset && found;
    answersOurs <= waitsBlock == ours;
    answer <= held;
    idle <= reset || !waits || waitsBlock != ours || found || due || (io_below_cmd_valid && !io_below_cmd_ready)
      ? 3'd0 : idle + 3'd1;
    stalled <= !reset && io_above_cmd_valid && !io_above_cmd_ready;
    stalledBlock <= io_above_cmd_payload_block;
    stalledWrite <= io_above_cmd_payload_write;
    stalledData <= io_above_cmd_payload_data;
    stalledMask <= io_above_cmd_payload_mask;
  end

  wire has = tag == tagOfOurs;
  always @* begin
    assume (!stalled || (io_above_cmd_valid && io_above_cmd_payload_block == stalledBlock &&
      io_above_cmd_payload_write == stalledWrite && io_above_cmd_payload_data == stalledData &&
      io_above_cmd_payload_mask == stalledMask));
    assume (!io_below_rsp_valid || due);
    assume (!io_below_rsp_valid || dueBlock != ours || io_below_rsp_payload == held);
    if (!reset) begin
      assert (io_above_rsp_valid == answers);
      assert (!answers || !answersOurs || io_above_rsp_payload == answer);
      assert (gives == (takes && io_above_cmd_payload_write));
      assert (!gives || io_below_cmd_payload_block == io_above_cmd_payload_block);
      assert (!gives || io_below_cmd_payload_block != ours || (bytes & ~bytesBelow) == 0);
      assert (!gives || io_below_cmd_payload_block != ours ||
        ((io_below_cmd_payload_data ^ writtenNow) & bytesBelow) == 0);
      assert (!asks || &io_below_cmd_payload_mask);
      assert (!waits || !takes || found);
      assert (idle <= 2);
      // Invariants of the induction
      assert (!sweeping || !(asked || missed || filled || writing || waits || due || requested));
      assert (sweeping || sweep == 0);
      assert (!sweeping || setOfOurs >= sweep || !tag[2]);
      assert (sweeping || !has || line == held);
      assert (waits == (asked || missed || filled));
      assert (!waits || block == waitsBlock);
      assert (asked + missed + filled + writing <= 1);
      assert (requested == due);
      assert (idle == 0 || (waits && waitsBlock == ours));
      assert (!asked || idle == 0 || (idle == 1 && has));
      assert (!filled || idle == 0);
      assert (!missed || due || idle <= 1);
      assert (!due || (missed && dueBlock == block));
      assert (!asked || setOf(block) != setOfOurs || (entry == tag && read == line));
      assert (!filled || block != ours || has);
      assert (!writing || (stalled && stalledWrite));
      assert (!writing || setOf(stalledBlock) != setOfOurs || (entry == tag && read == line));
    end
  end
endmodule
