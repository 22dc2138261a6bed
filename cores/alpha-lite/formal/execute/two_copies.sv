// SPDX-License-Identifier: BSD-2-Clause
// Two copies of the core get the same input in every tick. The first copy has fewer clocks between
// two ticks than the second: it stands still while `given` is low. In every clock what moves in
// ticks is equal in both, and so is every output in a tick. So it does not matter how many clocks
// are withheld, nor which registers second clocks leave behind.
module two_copies (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started; // both begin with the same in every register
  wire run = 1;
  (* anyseq *) wire given0;
  wire given = given0 || reset;
  (* anyseq *) wire tick; // of both
  // What the host sets changes only while `run` is false.
  (* anyconst *) wire ideal, ev4, prefetch, iCacheOn, dCacheOn, writeBufferOn;
  (* anyconst *) wire [2:0] takenPenalty, refillRestart, predictedPenalty, mispredictPenalty;
  (* anyconst *) wire [2:0] drainAt;
  (* anyconst *) wire [9:0] idleTicks;
  always @* assume (!ideal);
  `BLOCK first (.given(given), .skip(16'd0), .coldPc_valid(1'b0), .coldPc_payload(34'd0), .*);
  `BLOCK second (.given(1'b1), .skip(16'd0), .coldPc_valid(1'b0), .coldPc_payload(34'd0), .*);
  always @* assume (given || !first_stands); // afterwards both have the same clocks
  always @* assume (!tick || (given && !first_hold && !second_hold && !reset));

  // Ticks since the command that is on the bus, as in core.svh.
  reg [1:0] memoryAge = 0, ioAge = 0;
  always @(posedge clk) if (reset) {memoryAge, ioAge} <= 0;
  else if (tick) begin
    if (memory_rsp_valid) memoryAge <= 0;
    else if (memoryAge != 0 && memoryAge != 3) memoryAge <= memoryAge + 1;
    if (first_memory_cmd_valid && memory_cmd_ready) memoryAge <= 1;
    if (io_rsp_valid) ioAge <= 0;
    else if (ioAge != 0 && ioAge != 3) ioAge <= ioAge + 1;
    if (first_io_cmd_valid && io_cmd_ready) ioAge <= 1;
  end
  always @* begin
    assume (!memory_rsp_valid || memoryAge == 3);
    assume (!memory_cmd_ready || memoryAge == 0 || memory_rsp_valid);
    assume (!io_rsp_valid || ioAge >= 1);
  end

  // An answer stands until its tick, and its bytes with it; the bus does not change its grant in a
  // tick, nor does DMA come in one (contracts.md 3). Of each copy's own clocks.
  wire [2:0] bus = {memory_cmd_ready, memory_rsp_valid, memory_invalidate_valid};
  wire [256:0] answer = {memory_rsp_payload_data, memory_rsp_payload_error};
  wire [64:0] ioAnswer = {io_rsp_payload_data, io_rsp_payload_error};
  reg [256:0] answer0;
  reg [64:0] ioAnswer0;
  reg [33:0] block0;
  reg [2:0] bus1, bus2;
  reg ioOffered = 0, first_stands = 0, second_stands = 0; // the copy's last clock was no tick
  always @(posedge clk) begin
    {answer0, ioAnswer0, ioOffered} <= {answer, ioAnswer, io_rsp_valid};
    block0 <= memory_invalidate_payload;
    bus2 <= bus;
    second_stands <= !(reset || tick);
    if (given) begin
      bus1 <= bus;
      first_stands <= !(reset || tick);
    end
  end
  always @* begin
    assume (!(tick && first_stands && bus != bus1));
    assume (!(tick && second_stands && bus != bus2));
    assume (!second_stands || !bus2[1] || (memory_rsp_valid && answer == answer0));
    assume (!second_stands || (io_rsp_valid == ioOffered && ioAnswer == ioAnswer0));
    assume (!memory_invalidate_valid || (second_stands && memory_invalidate_payload == block0));
    assume (!memory_invalidate_valid || (first_stands || !tick));
  end

  // Words of memories whose writes are equal.
  wire tickOrReset = tick || reset;
  `tied(fetch, 1, data_spinal_port0, tags_spinal_port0)
  `tied(fetch.predictor, 1, table_1_spinal_port0, stack_entries_spinal_port1)
  `tied(fetch.valids, 1, rows_spinal_port0, rows_spinal_port1)
  `tied(loadStore_1.cache, 1, tags_spinal_port1, named_spinal_port1, data_spinal_port4)
  `tied(loadStore_1.cache.valids, 1, rows_spinal_port0, rows_spinal_port1)
  `tied(pipeline_1.registers, tickOrReset, bank_spinal_port1, bank_spinal_port2)
  `tied(pipeline_1.pal, 1, temps_spinal_port0)
  `tied(pipeline_1.multiplier_1, 1, product)

  `same(all, but pipeline_1.queue, pipeline_1.multiplier_1.product, fetch.data_spinal_port0,
    fetch.tags_spinal_port0, fetch.predictor.table_1_spinal_port0,
    loadStore_1.cache.tags_spinal_port1, loadStore_1.cache.named_spinal_port1,
    loadStore_1.cache._zz_datasymbol_read, loadStore_1.cache._zz_datasymbol_read_1,
    loadStore_1.locks_1.early_found, pipeline_1.e2_rotated_value, pipeline_1.e3_value,
    pipeline_1.w_value)
  always @* if (!reset && tick) begin
    assert (first_memory_cmd_valid == second_memory_cmd_valid);
    assert (!first_memory_cmd_valid ||
      {first_memory_cmd_payload_kind, first_memory_cmd_payload_address} ==
      {second_memory_cmd_payload_kind, second_memory_cmd_payload_address});
    assert (first_io_cmd_valid == second_io_cmd_valid);
    assert (!first_io_cmd_valid ||
      {first_io_cmd_payload_address, first_io_cmd_payload_write, first_io_cmd_payload_data} ==
      {second_io_cmd_payload_address, second_io_cmd_payload_write, second_io_cmd_payload_data});
    assert ({first_events_owner, first_events_issuePc, first_halted} ==
      {second_events_owner, second_events_issuePc, second_halted});
  end

  // Facts of the induction. Fetching turns in a tick, or in a clock of a copy's own (`Revoke`).
  `observe(first.pipeline_1, done1 = revoke_done, turned1 = revoke_turned,
    before1 = execute_second_noTickBefore)
  `observe(second.pipeline_1, done2 = revoke_done, turned2 = revoke_turned,
    before2 = execute_second_noTickBefore)
  `observe(first.fetch, turning1 = turning, pc1 = turn_pc, delay1 = turn_delay, owner1 = turn_owner)
  `observe(second.fetch, turning2 = turning, pc2 = turn_pc, delay2 = turn_delay,
    owner2 = turn_owner)
  // A value that nothing writes may differ.
  `observe(first.pipeline_1, writes2 = e2_writes, writes3 = e3_writes,
    value2 = e2_rotated_value, value3 = e3_value)
  `observe(second.pipeline_1, other2 = e2_rotated_value, other3 = e3_value)
  always @* if (reset) assume (value2 == other2 && value3 == other3);
  // Whether DMA took the flag counts in the tick after.
  `observe(first.loadStore_1.locks_1, wrote = wrote1, found1 = early_found)
  `observe(second.loadStore_1.locks_1, found2 = early_found)
  always @* if (reset) assume (found1 == found2);
  // A demand that is held goes on; a block in the stream buffer stays.
  `observe(first.fetch, held1 = demandHeld, demands1 = demands, fetches = demandBusy)
  `observe(second.fetch, held2 = demandHeld, demands2 = demands)
  `observe(first.fetch.stream, has = valid, block1 = held)
  `observe(second.fetch.stream, block2 = held)
  wire revoked1 = done1 || turned1, revoked2 = done2 || turned2;
  always @* if (!reset) begin
    assert (!revoked1 || turning1);
    assert (!revoked2 || turning2);
    assert (revoked1 != revoked2 || {turning1, pc1, delay1, owner1} ==
      {turning2, pc2, delay2, owner2});
    assert (!writes2 || value2 == other2);
    assert (!writes3 || value3 == other3);
    assert (!wrote || found1 == found2);
    assert (!held1 || turning1 || demands1);
    assert (!held2 || turning2 || demands2);
    assert (!has || fetches || block1 == block2);
    assert (before1 == first_stands && before2 == second_stands);
  end
endmodule
