// SPDX-License-Identifier: BSD-2-Clause
// The initialization block and the rings. The place of a ring changes, and its index starts again,
// only while receiver and transmitter are off and have been off for two ticks. Both go on only with
// a block of which twelve words were read since reading began. This holds for any writes in any
// ticks and any reports of the engines. Assumed of the bus: an access ends three ticks after its
// begin or later (proof bus_master), and none ends after STOP or a memory error. Assumed of the
// registers: accesses do not come in successive ticks (PostedRegisters).
module block_read (input clk);
  Registers registers (._zz_1(1'b1), .io_initDone(io_done), .*);
  InitBlock block (._zz_2(1'b1), .io_address(io_initAddress), .io_run(io_initRun), .*);
  `observe(registers, busy = initBusy, running, initialized, wholeSinceStop, stop, strt)
  `observe(block, waiting, index)

  wire [53:0] place = {io_receive_base, io_receive_lengthLog2, io_transmit_base,
    io_transmit_lengthLog2};
  wire on = io_rxOn || io_txOn;
  wire begins = io_bus_cmd_valid && io_bus_cmd_ready;
  wire halts = io_flags_memoryError || (io_stopped && !io_initRun);
  reg known = 0, begun = 0; // there was a reset; `placeBefore` is of a tick after it
  reg out = 0; // an access is under way, and its ticks so far
  reg [1:0] age = 0;
  reg [53:0] placeBefore;
  reg onBefore = 1, onBefore2 = 1, busyBefore = 0, doneBefore = 0;
  reg validBefore = 0;
  reg [3:0] words = 0; // words read since reading began, at most twelve
  always @(posedge clk) begin
    if (reset) known <= 1;
    begun <= known && !reset;
    validBefore <= io_port_valid;
    placeBefore <= place;
    {onBefore, onBefore2, busyBefore, doneBefore} <= {on, onBefore, busy, io_done};
    if (begins) out <= 1;
    age <= begins ? 2'd1 : !out || age == 3 ? age : age + 2'd1;
    if (io_bus_done || halts || reset) out <= 0;
    if (!busy) words <= 0;
    else if (io_bus_done) words <= words + 4'd1;
  end
  always @* begin
    assume (known || reset);
    assume (!io_port_valid || !validBefore);
    assume (!io_bus_done || (out && age == 3 && !halts));
    assume (!io_bus_cmd_ready || (!out && !halts));
    if (known && !reset) begin
      assert (!busy || !(on || initialized || running || wholeSinceStop || stop));
      assert (!wholeSinceStop || initialized);
      assert (!on || (running && initialized));
      assert (!running || initialized);
      if (strt && !running && initialized && !busy && !stop) assert (validBefore || wholeSinceStop);
      assert (!out || (busy && waiting && age != 0) || !busy);
      assert (!busy || (words == index && words < 12));
      assert (!out || busy || stop);
      assert (!out || !busy || !onBefore);
      // The rules.
      if (begun && place != placeBefore) assert (!on && !onBefore && !onBefore2);
      if (io_done) assert (words == 11 && !on && !onBefore);
      if (io_started) assert (initialized && !busy);
    end
  end
endmodule
