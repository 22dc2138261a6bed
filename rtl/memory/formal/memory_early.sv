// SPDX-License-Identifier: BSD-2-Clause
// The memory bus as it is on an FPGA: what `memory_time` proves of the simulator's, with answers
// that stand a clock later, and DMA's block looked up behind its tick. Besides: an answer, and
// whether a command would be taken, are in a tick as in the clock before, if that was none.
//
// The reference below moves in ticks only and never looks at the backing memory. What the tags say
// is free (proof bcache_tags).
module memory_early (input clk);
  reg started = 0, settled = 0, compared = 0;
  always @(posedge clk) {started, settled, compared} <= {1'b1, started, settled};
  wire reset = !started;
  always @* assert (compared <= settled && settled <= started);
  (* anyconst *) wire [5:0] timing_bcacheRead, timing_dma;
  (* anyconst *) wire [7:0] timing_memoryRead, place;
  (* anyconst *) wire [5:0] timing_write;
  MemoryBenchOnFpga bench (.timing_ideal(1'b0), .timing_bcache(1'b1), .*);

  // ---- around it: one read of the backing memory at a time, which takes three clocks; the tags
  // answer a clock later; whoever asks, asks from one tick to the next
  `observe(bench.system, coreTaken, dmaLooks, answer = tags_io_answer, hit = tags_io_hit,
    walking = tags_io_walking)
  wire asks = coreTaken || dmaLooks;
  reg asked, judged, reading, walked, ticked;
  reg [1:0] early; // clocks since a read went to the backing memory
  reg dmaAsked, stood, coreMay, dmaMay;
  wire goes = backing_cmd_valid && backing_cmd_ready;
  always @(posedge clk) begin
    asked <= !reset && asks;
    judged <= !reset && asked;
    walked <= reset || walking;
    if (reset || backing_rsp_valid) reading <= 0;
    if (!reset && goes) reading <= !backing_cmd_payload_write;
    early <= goes ? 2 : early ? early - 1 : 0;
    ticked <= reset || tick;
    dmaAsked <= dma_cmd_valid;
  end

  // ---- the reference, in ticks
  reg core, dma, dmaLast; // whose transaction is on the bus; who was served last
  reg [7:0] age, due;
  reg isWrite, isRam;
  reg [33:0] address;
  wire isRead = core && !isWrite;
  wire [7:0] bcache = timing_bcacheRead;
  wire [7:0] time_ = answer && isRead ? (hit ? bcache : timing_memoryRead) : due; // 0 counts as 1
  wire reached = (core || dma) && age >= 1 && age >= time_;
  wire ends = tick && reached;
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
  reg wanted, done, value; // a command is to go there; all is done; a bit of what came
  reg [255:0] data;
  reg [31:0] mask;
  reg lane;
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

  `observe(bench.system, coreBusy = core_busy, coreDone = core_done, coreAge = core_age,
    coreDue = core_due, coreTold = core_told, coreReady = core_ready, coreNear = core_near,
    dmaBusy = dma_busy, dmaDone = dma_done, dmaAge = dma_age, dmaDue = dma_due, dmaTold = dma_told,
    dmaReady = dma_ready, dmaNear = dma_near, lastWasDma, commanding, awaiting,
    unitAddress = address, forDma, unitWrite = isWrite, present, dmaWrites, dmaBlock, dmaLane,
    coreError, dmaError, unitData = writeData, unitMask = mask, readData, dmaData, judges,
    judgedHit, engineFree, busFree, working, holding)
  `observe(bench.system, ofBcache = timing_bcacheRead, ofMemory = timing_memoryRead,
    ofWrite = timing_write, ofDma_ = timing_dma, ofIdeal = timing_ideal, ofTags = timing_bcache)
  `observe(bench.system, soonWrite = soon_write, soonRead = soon_read, soonDma = soon_dma,
    atOnceWrite = atOnce_write, atOnceRead = atOnce_read, atOnceDma = atOnce_dma)

  wire looking = asked || judged || dmaLooks;
  wire works = wanted || reading || looking;
  reg [1:0] coreWaits, dmaWaits; // commands of the other
  reg [2:0] needless; // clocks withheld for nothing
  wire owes = wanted || reading || walking;
  always @(posedge clk) if (reset) {coreWaits, dmaWaits, needless} <= 0;
  else begin
    if (tick) coreWaits <= memory_cmd_valid && !takeCore ? coreWaits + takeDma : 0;
    if (tick) dmaWaits <= dma_cmd_valid && !takeDma ? dmaWaits + takeCore : 0;
    needless <= !hold || owes ? 0 : needless + 1;
  end
  always @(posedge clk) {stood, coreMay} <= {memory_rsp_valid, memory_cmd_ready};
  always @* begin
    assume (answer == asked && !(hit && !answer) && !(hit && !isRam));
    assume (!backing_rsp_valid || (reading && early == 0));
    assume (!emptyTags || (otherHold && !looking)); // clocks behind the last tick
    assume (!(walking && !walked) || (otherHold && !core && !looking)); // cold start: contracts 3
    assume (reset || ticked || dma_cmd_valid == dmaAsked); // DMA asks in ticks
    if (!reset) begin
      assert (!asks || !(answer || judged || walking || emptyTags)); // proof bcache_tags
      assert (tick == !(hold || otherHold));
      assert (!memory_rsp_valid || (core && reached && done));
      assert (!dma_rsp_valid || (dma && reached && done));
      assert (!ends || memory_rsp_valid == core && dma_rsp_valid == dma);
      assert (!tick || ticked || (stood == memory_rsp_valid && coreMay == memory_cmd_ready));
      assert (!tick || (memory_cmd_ready && memory_cmd_valid) == takeCore);
      assert (!tick || (dma_cmd_ready && dma_cmd_valid) == takeDma);
      assert (needless <= 5);
      assert (coreWaits <= dmaLast && dmaWaits <= !dmaLast); // in turns
      assert (memory_invalidate_valid == (dma_rsp_valid && isWrite && isRam));
      assert (!memory_invalidate_valid || memory_invalidate_payload == address);
      assert (!memory_rsp_valid || memory_rsp_payload_error == !isRam);
      assert (!dma_rsp_valid || dma_rsp_payload_error == !isRam);
      if ((memory_rsp_valid || dma_rsp_valid) && isRam && !isWrite)
        assert ((dma ? dma_rsp_payload_data[place[6:0]] : memory_rsp_payload_data[place]) == value);
      // each once, as it came
      assert (backing_cmd_valid == (wanted && !dmaLooks));
      if (wanted) begin
        assert (backing_cmd_payload_write == isWrite);
        assert (backing_cmd_payload_address == address[26:0]);
        assert (backing_cmd_payload_mask == mask); // of a read: what is wanted
        if (isWrite) assert (backing_cmd_payload_data == data);
      end
    end
  end

  // What keeps it so.
  wire busy = core || dma;
  wire now = (dma ? dmaDone : coreDone);
  wire isReady = dma ? dmaReady : coreReady;
  always @* if (!reset) begin
    assert (!settled || (ofBcache == timing_bcacheRead && ofMemory == timing_memoryRead &&
      ofWrite == timing_write && ofDma_ == timing_dma && !ofIdeal && ofTags));
    assert (settled || (holding && !busy && !busFree && !engineFree && !works && needless == 0));
    assert (!compared || (soonWrite == (timing_write <= 2) && soonRead == (leastRead <= 2) &&
      soonDma == (timing_dma <= 2) && atOnceWrite == (timing_write <= 1) &&
      atOnceRead == (leastRead <= 1) && atOnceDma == (timing_dma <= 1)));
    assert (compared || (holding && !busy && !works));
    assert (coreBusy == core && dmaBusy == dma && lastWasDma == dmaLast && !(core && dma));
    assert (working == (works || walking));
    assert (!core || (coreAge == age && coreDue == (judged && !isWrite ? leastRead : due) &&
      coreNear == (coreAge + 9'd1 >= coreDue)));
    assert (!dma || (dmaAge == age && dmaDue == due && dmaNear == (dmaAge + 9'd1 >= dmaDue)));
    assert (coreTold == (coreReady && coreAge >= coreDue) && (!coreReady || (core && coreDone)));
    assert (dmaTold == (dmaReady && dmaAge >= dmaDue) && (!dmaReady || (dma && dmaDone)));
    assert (!dma || dmaLooks || (dmaError == !isRam && dmaWrites == isWrite &&
      dmaBlock == address));
    assert (!core || asked || coreError == !isRam);
    assert (!isReady || !works);
    assert (!busy || now == done && age != 0);
    assert (!(busy && works) || (forDma == dma && unitWrite == isWrite && present == isRam &&
      unitAddress == address && (!dma || dmaLane == lane)));
    assert (!wanted || (unitData == data && unitMask == mask));
    assert (commanding == (wanted && !dmaLooks) && awaiting == reading);
    assert (!dmaLooks || (dma && !asked && !judged && wanted == isRam && !done && age == 1));
    assert (judges == judged && (busy || !(wanted || reading || asked || judged)));
    assert (!busy || (wanted + reading + ((dmaLooks || asked || judged) && !isRam) + done == 1));
    assert (engineFree <= !(works || walked) && busFree <= (engineFree && (!busy || coreTold || dmaTold)));
    assert (!reading || !(asked || dmaLooks || (judged && early != 2)));
    assert (!judged || !asked);
    assert (!(core && asked) || wanted == isRam);
    assert (!(dma && asked) || age <= 2);
    if (judged && isRead) assert (!done && due == (judgedHit ? bcache : timing_memoryRead));
    assert (!(core && asked) || (!done && age == 1 && (!isRead || due == leastRead)));
    assert (!(core && done && isRam && !isWrite) || readData[place] == value);
    assert (!(dma && done && isRam && !isWrite) || dmaData[place[6:0]] == value);
    assert (!(walked || dmaLooks || wanted || reading) || needless == 0);
    assert (!asked || needless <= dma);
    assert (!judged || needless <= 1 + dma);
    assert (!(busy && done && !isReady && !works) || needless <= 3);
    assert (!(isReady && hold) || needless <= 4);
    assert (busy && !coreTold && !dmaTold || busFree || (walked && hold));
    assert (busy || !hold || needless <= 1);
    // Nobody is early: a clock that could be the due tick without the answer is none.
    assert (!busy || coreTold || dmaTold || hold || age < time_);
  end
endmodule
