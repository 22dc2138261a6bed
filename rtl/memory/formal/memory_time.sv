// SPDX-License-Identifier: BSD-2-Clause
// The governor and the memory bus: with any latency of the backing memory, a transaction takes
// exactly its bus time in ticks. Ticks are withheld only for the backing memory. Core and DMA take
// turns. Each transaction goes to the backing memory once, and its asker gets the data that came.
//
// The reference below moves in ticks only and never looks at the backing memory: counted in ticks
// it is the machine without waits. The tags' answers are free (proof bcache_tags).
module memory_time (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  (* anyconst *) wire [5:0] timing_bcacheRead, timing_dma;
  (* anyconst *) wire [7:0] timing_memoryRead, place;
  (* anyconst *) wire [5:0] timing_write;
  MemoryBench bench (.timing_ideal(1'b0), .timing_bcache(1'b1), .*);

  // ---- surroundings: one read of the backing memory at a time; the tags answer a clock later
  `observe(bench.system, asks = taken, answer = tags_io_answer, hit = tags_io_hit,
    walking = tags_io_walking)
  reg asked, judged, reading, walked; // judged: the RTL takes the due time from a register
  always @(posedge clk) begin
    asked <= !reset && asks;
    judged <= !reset && asked;
    walked <= reset || walking;
    if (reset || backing_rsp_valid) reading <= 0;
    if (!reset && backing_cmd_valid && backing_cmd_ready) reading <= !backing_cmd_payload_write;
  end

  // ---- the reference, in ticks
  reg core, dma, dmaLast; // whose transaction is on the bus; DMA was served last
  reg [7:0] age, due;
  reg isWrite, isRam;
  reg [33:0] address;
  wire isRead = core && !isWrite;
  wire [7:0] bcache = timing_bcacheRead;
  wire [7:0] time_ = answer && isRead ? (hit ? bcache : timing_memoryRead) : due; // 0 counts as 1
  wire reached = (core || dma) && age >= 1 && age >= time_;
  wire ends = tick && reached, stands = reached && done; // the answer, until its tick
  wire free = !(core || dma) || ends;
  wire dmaTurn = dma_cmd_valid && (!memory_cmd_valid || !dmaLast);
  wire takeCore = tick && free && memory_cmd_valid && !dmaTurn;
  wire takeDma = tick && free && dmaTurn;
  wire coreWrites = memory_cmd_payload_kind == `MemoryKind_write;
  wire [7:0] leastRead = bcache < timing_memoryRead ? bcache : timing_memoryRead;
  wire [33:0] nextAddress = takeDma ? dma_cmd_payload_address : memory_cmd_payload_address;
  always @(posedge clk) if (reset) {core, dma, dmaLast} <= 0;
  else begin
    if (answer && isRead) due <= hit ? bcache : timing_memoryRead;
    if (tick) age <= age + 1;
    if (ends) {core, dma} <= 0;
    if (takeCore || takeDma) begin
      {core, dma, dmaLast} <= {takeCore, takeDma, takeDma};
      age <= 1;
      isWrite <= takeDma ? dma_cmd_payload_write : coreWrites;
      isRam <= nextAddress[33:26] == 0;
      address <= {nextAddress[33:5], 5'd0};
      due <= takeDma ? timing_dma : coreWrites ? timing_write : leastRead;
    end
  end

  // ---- the backing memory's part, in clocks
  reg wanted, done, value; // a command is to go out; the answer is there; a bit of the data
  reg [255:0] data;
  reg [31:0] mask;
  reg lane;
  wire goes = backing_cmd_valid && backing_cmd_ready;
  always @(posedge clk) if (reset) wanted <= 0;
  else begin
    if (goes) wanted <= 0;
    if ((goes && isWrite) || backing_rsp_valid || (judged && !isRam)) done <= 1;
    if (backing_rsp_valid) value <= backing_rsp_payload[dma ? {lane, place[6:0]} : place];
    if (takeCore || takeDma) begin
      wanted <= nextAddress[33:26] == 0;
      done <= 0;
      lane <= dma_cmd_payload_address[4];
      data <= takeDma ? {2{dma_cmd_payload_data}} : memory_cmd_payload_data;
      mask <= !takeDma ? (coreWrites ? memory_cmd_payload_mask : ~32'd0) :
        {16'd0, dma_cmd_payload_write ? dma_cmd_payload_mask : 16'hffff}
          << (dma_cmd_payload_address[4] ? 16 : 0);
    end
  end

  reg [1:0] coreWaits, dmaWaits, needless; // the other side's commands; needless clocks
  wire owes = wanted || reading || walking;
  always @(posedge clk) if (reset) {coreWaits, dmaWaits, needless} <= 0;
  else begin
    if (tick) coreWaits <= memory_cmd_valid && !takeCore ? coreWaits + takeDma : 0;
    if (tick) dmaWaits <= dma_cmd_valid && !takeDma ? dmaWaits + takeCore : 0;
    needless <= !hold || owes ? 0 : needless + 1;
  end
  always @* begin
    assume (answer == asked && !(hit && !answer) && !(hit && !isRam));
    assume (!backing_rsp_valid || reading);
    assume (!emptyTags || otherHold);
    assume (!(walking && !walked) || (otherHold && !core)); // cold start: contracts 3
    if (!reset) begin
      assert (!asks || !(answer || judged || walking || emptyTags)); // proof bcache_tags
      assert (tick == !(hold || otherHold));
      assert (memory_rsp_valid == (stands && core) && dma_rsp_valid == (stands && dma));
      assert (!ends || stands);
      assert (!tick || (memory_cmd_ready && memory_cmd_valid) == takeCore);
      assert (!tick || (dma_cmd_ready && dma_cmd_valid) == takeDma);
      assert (needless <= 3);
      assert (coreWaits <= dmaLast && dmaWaits <= !dmaLast); // core and DMA take turns
      assert (memory_invalidate_valid == (stands && dma && isWrite && isRam));
      assert (!memory_invalidate_valid || memory_invalidate_payload == address);
      assert (!(stands && core) || memory_rsp_payload_error == !isRam);
      assert (!(stands && dma) || dma_rsp_payload_error == !isRam);
      if (stands && isRam && !isWrite)
        assert ((dma ? dma_rsp_payload_data[place[6:0]] : memory_rsp_payload_data[place]) == value);
      // each command goes out once, unchanged
      assert (backing_cmd_valid == wanted);
      if (wanted) begin
        assert (backing_cmd_payload_write == isWrite);
        assert (backing_cmd_payload_address == address[26:0]);
        assert (backing_cmd_payload_mask == mask); // the mask of a read: the bytes that are wanted
        if (isWrite) assert (backing_cmd_payload_data == data);
      end
    end
  end

  // Invariants of the induction.
  `observe(bench.system, coreBusy = core_busy, coreDone = core_done, coreAge = core_age,
    coreDue = core_due, dmaBusy = dma_busy, dmaDone = dma_done, dmaAge = dma_age, dmaDue = dma_due,
    coreReached = core_reached, coreNear = core_dueNext, dmaReached = dma_reached,
    dmaNear = dma_dueNext,
    lastWasDma, commanding, awaiting, unitAddress = address, forDma, unitWrite = isWrite, present,
    dmaWrites, dmaBlock, dmaLane, coreError, dmaError, unitData = writeData, unitMask = mask,
    readData, dmaData, judges, judgedHit)
  wire busy = core || dma;
  wire now = (dma ? dmaDone : coreDone);
  always @* if (!reset) begin
    assert (coreBusy == core && dmaBusy == dma && lastWasDma == dmaLast && !(core && dma));
    assert (coreReached == (coreAge >= coreDue) && coreNear == (coreAge + 9'd1 >= coreDue));
    assert (dmaReached == (dmaAge >= dmaDue) && dmaNear == (dmaAge + 9'd1 >= dmaDue));
    assert (!core || (coreAge == age && coreDue == (judged && !isWrite ? leastRead : due) &&
      coreError == !isRam));
    assert (!dma || (dmaAge == age && dmaDue == due && dmaError == !isRam && dmaWrites == isWrite &&
      dmaBlock == address && dmaLane == lane));
    assert (!busy || (forDma == dma && unitWrite == isWrite && present == isRam &&
      unitAddress == address && now == done && age != 0));
    assert (!wanted || (unitData == data && unitMask == mask));
    assert (commanding == wanted && awaiting == reading);
    assert (judges == judged && (busy || !(wanted || reading || asked || judged)));
    assert (!busy || (wanted + reading + ((asked || judged) && !isRam) + done == 1));
    assert (!hold || needless <= 2);
    assert (!judged || (needless <= 1 && !asked));
    assert (!asked || wanted == isRam);
    if (judged && isRead) assert (!done && due == (judgedHit ? bcache : timing_memoryRead));
    assert (!asked || (!done && needless == 0 && age == 1 && (!isRead || due == leastRead)));
    assert (!(core && done && isRam && !isWrite) || readData[place] == value);
    assert (!(dma && done && isRam && !isWrite) || dmaData[place[6:0]] == value);
    // No answer is early: a clock that could be the due tick is no tick while the data is missing.
    assert (!busy || (done && !judged) || hold || age < time_);
  end
endmodule
