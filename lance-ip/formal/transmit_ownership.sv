// SPDX-License-Identifier: BSD-2-Clause
// The transmit ring reads only descriptors and buffers that it owns and writes only words 1 and 3
// of descriptors that it owns, OWN last; TINT comes after OWN. The wire is free, but asks for a
// retry only when the ring allows it.
module transmit_ownership (input clk);
  TransmitRing dut (._zz_1(1'b1), .*);
  `observe(dut, state, index, waiting = bus_waiting, address, left, bufferHigh, nextHigh, chained,
    again, firstAddress, firstLength, interruptDue, bytes, some, lastBurst, firstBytes, firstIsSome,
    firstIsLast, asked = descriptor_address, remain = plan_remain, size_ = plan_size,
    some_ = plan_some, last_ = plan_last, ofLength = plan_ofLength)

  wire off = io_off;
  wire idle = state == `TxState_idle;
  wire chains = state == `TxState_chain;
  localparam BURST = `BusKind_readBurst;
`include "ring_ghost.svh"

  wire holds = state != `TxState_idle && state != `TxState_status;
  wire filled = state == `TxState_setup || state == `TxState_feed || state == `TxState_lookAhead ||
    state == `TxState_chain || state == `TxState_sent;
  wire [4:0] room = 5'd16 - address[3:0];
  wire quiet = idle || state == `TxState_setup || state == `TxState_sent ||
    state == `TxState_heartbeat || state == `TxState_microcode;
  reg told = 0; // the status is in memory, TINT has not come
  always @(posedge clk) begin
    if (io_transmitted) told <= 0;
    if (givesBack && state == `TxState_writeStatus) told <= 1;
    if (io_halt || reset) told <= 0;
  end
  always @* begin
    assume (!io_retry || io_mayRetry);
    if (known && !reset) begin
      assert (!io_transmitted || told);
      assert (!interruptDue || told);
      assert (waiting == out);
      assert (state <= `TxState_writeStatus);
      assert (own == holds && (!own || bufferHigh == high));
      assert (state != `TxState_length || (placed && address == base));
      if (filled) begin
        assert (placed && measured && left <= length && length <= 4096);
        assert (left == 0 || address - base == length - left); // emptied: rounded up, unused
        assert (lastBurst == (left <= room) && bytes == (lastBurst ? left : room));
        assert (chained || (firstAddress == base && firstLength == length));
        assert (chained || firstIsLast == (length <= 5'd16 - base[3:0]));
        assert (chained || firstBytes == planned(length, base[3:0]));
        assert (some == (bytes != 0) && (chained || firstIsSome == (firstBytes != 0)));
        assert (!again || !chained);
      end
      assert (!chains || (thereOwn && !alone && nextHigh == thereHigh));
      assert (!(again && chains && waiting));
      assert (!chained || (state != `TxState_status && state != `TxState_release));
      assert (!(again && chained && (state == `TxState_addressLow || state == `TxState_length)));
      // The requested address and the next burst are computed a tick earlier.
      if (!idle && !out && !filled && !quiet) assert (asked == here);
      if (chains && !out) assert (asked == here);
      if (state == `TxState_lookAhead && !out) assert (asked == there);
      if (out && age >= 2)
        assert (asked == (state == `TxState_feed || state == `TxState_release || chains ||
                          state == `TxState_writeStatus ? there : here));
      if (out && state == `TxState_length) begin
        if (age >= 2) assert (remain == 13'd4096 - word1[11:0]);
        if (age == 3) assert (size_ == planned(13'd4096 - word2[11:0], address[3:0]) &&
          last_ == (13'd4096 - word2[11:0] <= room) && some_ == (size_ != 0));
      end
      if (out && state == `TxState_feed) begin
        if (age >= 2) assert (remain == left - bytes);
        if (age == 3) assert (size_ == planned(left - bytes, 4'd0) && last_ == (remain <= 16) &&
          some_ == (size_ != 0));
      end
      assert (!out || ofLength == (state == `TxState_length));
      if (out) begin
        assert (!quiet);
        if (state == `TxState_status) assert (kind == `BusKind_readWord && at == here + 24'd2);
        if (state == `TxState_release) assert (kind == `BusKind_writeWord && at == here + 24'd2);
        if (state == `TxState_addressLow) assert (kind == `BusKind_readWord && at == here);
        if (state == `TxState_length) assert (kind == `BusKind_readWord && at == here + 24'd4);
        if (state == `TxState_feed) assert (kind == BURST && size == bytes);
        if (state == `TxState_lookAhead) assert (kind == `BusKind_readWord && at == there + 24'd2);
        if (chains) assert (kind == `BusKind_writeWord && at == here + 24'd2);
        if (state == `TxState_writeError) assert (kind == `BusKind_writeWord && at == here + 24'd6);
        if (state == `TxState_writeStatus)
          assert (kind == `BusKind_writeWord && at == here + 24'd2);
      end
    end
  end
endmodule
