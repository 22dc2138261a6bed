// SPDX-License-Identifier: BSD-2-Clause
// The whole core with free inputs, and the rules that its surroundings keep (contracts.md 3).
// Included in the body of a property module, which has the input `clk`.
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  wire run = 1;
  (* anyconst *) wire ideal; // changes only while `run` is false
  (* anyconst *) wire [2:0] drainAt; // changes only while `run` is false
  `BLOCK core (.skip(16'd0), .coldPc_valid(1'b0), .coldPc_payload(34'd0), .*); // no cold start

  // Ticks since the command that is on the bus, 1 in the tick after it; 0: no command is on the
  // bus.
  reg [1:0] memoryAge = 0, ioAge = 0;
  wire memoryMoves = tick || (ideal && idealActive); // not in a second clock of the core
  always @(posedge clk) if (reset) {memoryAge, ioAge} <= 0;
  else begin
    if (memory_rsp_valid && memoryMoves) memoryAge <= 0;
    else if (tick && memoryAge != 0 && memoryAge != 3) memoryAge <= memoryAge + 1;
    if (memory_cmd_valid && memory_cmd_ready && memoryMoves) memoryAge <= 1;
    if (io_rsp_valid && tick) ioAge <= 0;
    else if (tick && ioAge != 0 && ioAge != 3) ioAge <= ioAge + 1;
    if (io_cmd_valid && io_cmd_ready && tick) ioAge <= 1;
  end
  always @* begin
    assume (!hold || !tick); // the governor gives no tick while `hold` is high
    // One transaction at a time; its response three ticks after the command at the earliest, with
    // ideal memory in any clock that is no tick.
    assume (!memory_rsp_valid || memoryAge == 3 || (ideal && memoryAge != 0 && !tick));
    assume (!memory_cmd_ready || memoryAge == 0 || memory_rsp_valid);
    assume (!io_rsp_valid || ioAge >= 1);
  end
  // The answer of an I/O access changes with a tick. Answer and consent of memory change with a
  // tick, or in a clock without a tick; an answer stands until its tick, except with ideal memory.
  // A block that DMA has written is named in the clock before its tick. Switches stay until a tick.
  reg stands = 0; // no tick in the last clock
  reg [1:0] answer0 = 0; // in the last clock
  reg ioAnswer0 = 0, on0;
  reg [33:0] named0;
  wire [1:0] answer = {memory_cmd_ready, memory_rsp_valid};
  wire turns = !ideal && stands && answer != answer0; // in no tick
  always @(posedge clk) begin
    {stands, answer0, ioAnswer0} <= {!(reset || tick), answer, io_rsp_valid};
    named0 <= memory_invalidate_payload;
    on0 <= writeBufferOn;
  end
  always @* begin
    assume (!stands || (io_rsp_valid == ioAnswer0 && writeBufferOn == on0));
    assume (!(turns && tick));
    assume (ideal || !stands || !answer0[0] || memory_rsp_valid);
    assume (!memory_invalidate_valid || memory_invalidate_payload == named0);
  end
  // The fetch unit begins to hold time for ideal memory with a tick (proof foreseen).
  wire fetch_hold = core.fetch_hold;
  reg fetchHeld = 0;
  always @(posedge clk) fetchHeld <= fetch_hold;
  wire holdRule = !fetch_hold || (ideal && (!stands || fetchHeld));
