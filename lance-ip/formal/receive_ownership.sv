// SPDX-License-Identifier: BSD-2-Clause
// The receive ring writes only buffers that it owns and words 1 and 3 of descriptors that it owns,
// OWN last; RINT comes after OWN. Silo and wire are free.
module receive_ownership (input clk);
  ReceiveRing dut (._zz_1(1'b1), .*);
  `observe(dut, state, index, waiting = bus_waiting, held, bufferError, address, left, bufferHigh,
    nextHigh, buffer = buffer_1, bufferBytes, wanted, interruptDue, bufferBurst,
    asked = descriptor_address, remain = plan_remain, size_ = plan_size, ofLength = plan_ofLength,
    readyNow, ready, some, covers, roomy = room)

  wire off = 0;
  wire idle = state == `RxState_idle;
  wire chains = state == `RxState_chain && !bufferError;
  localparam BURST = `BusKind_writeBurst;
`include "ring_ghost.svh"

  wire holds = state != `RxState_idle && state != `RxState_status && state != `RxState_drain;
  wire [4:0] room = 5'd16 - address[3:0];
  wire quiet = idle || state == `RxState_drain || state == `RxState_microcode;
  reg told = 0; // the status is in memory, RINT has not come
  reg dataBefore = 0;
  always @(posedge clk) begin
    dataBefore <= state == `RxState_data && !reset && !io_halt;
    if (io_received) told <= 0;
    if (givesBack && !chains) told <= 1;
    if (io_halt || reset) told <= 0;
  end
  always @* if (known && !reset) begin
    assert (!io_received || told);
    assert (!interruptDue || told);
    assert (waiting == out);
    assert (state <= `RxState_writeStatus);
    assert (own == (holds || (idle && held)) && (!own || bufferHigh == high));
    assert (!held || (state != `RxState_status && state != `RxState_drain));
    assert (state != `RxState_length || (placed && buffer == base));
    if ((idle && held) || state == `RxState_data) begin
      assert (placed && measured && length <= 4096);
      assert (buffer == base && bufferBytes == length && length != 0);
      assert (bufferBurst == planned(length, base[3:0]));
    end
    assert (!out || ofLength == (state == `RxState_length));
    assume (readyNow <= 64); // bytes in the silo
    assert (some == (ready != 0) && ready <= 65);
    if (state == `RxState_data && !out) begin
      assert (roomy == (wanted != 0));
      if (wanted != 0) assert (covers == (ready >= wanted));
    end
    // The requested address and the next burst are computed a tick earlier.
    if (!out && (state == `RxState_status || state == `RxState_addressLow ||
                 state == `RxState_length || state >= `RxState_writeCount ||
                 state == `RxState_chain)) assert (asked == here);
    if (state == `RxState_lookAhead && !out) assert (asked == there);
    if (state == `RxState_data && dataBefore) assert (asked == there);
    if (state == `RxState_data && wanted == 0) assert (dataBefore);
    if (out && age >= 2)
      assert (asked == (state == `RxState_data || state == `RxState_chain ||
                        state == `RxState_writeStatus ? there : here));
    if (out && state == `RxState_length) begin
      if (age >= 2) assert (remain == 13'd4096 - word1[11:0]);
      if (age == 3) assert (size_ == planned(13'd4096 - word2[11:0], buffer[3:0]));
    end
    if (out && state == `RxState_data) begin
      if (age >= 2) assert (remain == left - wanted);
      if (age == 3) assert (size_ == planned(left - wanted, 4'd0));
    end
    if (state == `RxState_data) begin
      assert (held && left <= length);
      assert (left == 0 || address - base == length - left); // full: rounded up, unused
      assert (wanted == (left <= room ? left : room));
    end
    if (chains) assert (thereOwn && !alone && nextHigh == thereHigh);
    if (out) begin
      assert (!quiet);
      if (state == `RxState_status) assert (kind == `BusKind_readWord && at == here + 24'd2);
      if (state == `RxState_addressLow) assert (kind == `BusKind_readWord && at == here);
      if (state == `RxState_length) assert (kind == `BusKind_readWord && at == here + 24'd4);
      if (state == `RxState_data) assert (kind == BURST && size <= wanted);
      if (state == `RxState_lookAhead) assert (kind == `BusKind_readWord && at == there + 24'd2);
      if (state == `RxState_chain) assert (kind == `BusKind_writeWord && at == here + 24'd2);
      if (state == `RxState_writeCount) assert (kind == `BusKind_writeWord && at == here + 24'd6);
      if (state == `RxState_writeStatus) assert (kind == `BusKind_writeWord && at == here + 24'd2);
    end
  end
endmodule
