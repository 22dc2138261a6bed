// SPDX-License-Identifier: BSD-2-Clause
// The TURBOchannel handshake of the card's DMA: one request at a time, which stays until it is
// acknowledged; pins move with the bus clock only; behind the acknowledgement the address, as the
// IOASIC maps it (sources/lance.md 3.2), then the longwords that are asked for, four at most, all
// inside 16 bytes (so no burst crosses 2 KB), each the one the chip was shown by its lane; the chip
// is answered with the last one. Host and chip do what they like, but the chip's request stays as
// it is (proof bus_master), and a new one comes when the last is over.
module ioasic_dma (input clk);
  (* anyconst *) wire [31:0] io_pointer;
  IoasicDma dut (._zz_1(1'b1), .*);
  `observe(dut, state, lane, last = end_1, lastGoes, lastComes, abandoned)

  wire busy = state != `IoasicDmaState_idle;
  wire writing = state == `IoasicDmaState_write;
  wire reading = state == `IoasicDmaState_read;
  wire moving = writing || reading;

  wire [1:0] low = io_chip_single ? 2'd0 : io_chip_address[3:2];
  wire [1:0] high = io_chip_single ? 2'd0 : io_chip_last[3:2];
  wire [16:0] window = {io_pointer[4:0], io_pointer[31:20]};
  wire [33:0] address = io_chip_single ? {window, io_chip_address[15:1], 2'b00} :
    {window, io_chip_address[15:4], 1'b0, low, 2'b00};

  reg known = 0, moved = 1, request = 0, asking = 0, addressed = 0;
  reg rBefore, wBefore, single;
  reg [31:0] adBefore;
  reg [23:0] chipAddress;
  reg [3:0] chipLast;
  reg chipWrite;
  reg [31:0] wanted; // the address beat
  reg [2:0] words = 0; // longwords that have passed
  reg [1:0] first, shown; // the lane that the chip was shown, and its data
  reg [31:0] data;
  wire [2:0] now = first + words; // the longword that is on the bus
  wire passes = io_cycle && (writing || (reading && io_ack && !io_err));
  always @(posedge clk) begin
    if (reset) known <= 1;
    moved <= io_cycle || reset;
    {rBefore, wBefore, adBefore} <= {io_rReq, io_wReq, io_adOption};
    asking <= (io_rReq || io_wReq) && io_pending && !(io_cycle && io_ack) && !reset;
    request <= io_chip_request && !io_chip_done && !reset;
    {chipAddress, chipLast, chipWrite, single} <=
      {io_chip_address, io_chip_last, io_chip_write, io_chip_single};
    addressed <= io_pending && io_cycle && io_ack && !reset;
    if (io_pending && io_cycle && io_ack) {wanted, first} <= {address[28:2], address[33:29], lane};
    if (io_cycle) {shown, data} <= {io_chip_lane, io_chip_writeData};
    if (!moving) words <= 0;
    if (passes) words <= words + 3'd1;
    if (reset) words <= 0;
  end
  always @* begin
    assume (known || reset);
    if (io_chip_request && !io_chip_single) assume (io_chip_address[3:0] <= io_chip_last);
    if (io_chip_request && request)
      assume ({chipAddress, chipLast, chipWrite, single} ==
              {io_chip_address, io_chip_last, io_chip_write, io_chip_single});
    if (busy && !request) assume (!io_chip_request); // no request before the last burst is over
    if (known && !reset) begin
      assert (!(io_rReq && io_wReq));
      if (!moved) assert ({io_rReq, io_wReq, io_adOption} == {rBefore, wBefore, adBefore});
      if (asking) assert ({io_rReq, io_wReq} == {rBefore, wBefore} && (io_rReq || io_wReq));
      if (addressed && !abandoned && io_chip_request) assert (io_adOption == wanted);
      if (moving) assert (now <= last);
      assert (words <= 4 && {1'b0, first} + words <= 4);
      if (writing) assert (io_adOption == data && shown == now[1:0]);
      assert (io_chip_readValid == (reading && passes && io_chip_request && !abandoned));
      if (io_chip_readValid) assert (io_chip_lane == now && io_chip_readData == io_adHost);
      if (io_chip_done) assert (passes && now == high && io_chip_request && !abandoned);
      if (passes && io_chip_request && !abandoned) begin
        assert (first == low && now <= high && writing == io_chip_write);
        assert (io_chip_done == (now == high));
      end
      // Relations to the state machine
      assert (state <= `IoasicDmaState_failed);
      assert (io_pending == (state == `IoasicDmaState_request));
      assert (!addressed || state == `IoasicDmaState_address);
      if (state == `IoasicDmaState_request || state == `IoasicDmaState_address)
        assert (lane <= last && words == 0);
      if (state == `IoasicDmaState_address) assert (lane == first);
      if (reading) assert (lane == now);
      if (writing) assert (lane == now[1:0] + 2'd1);
      assert (lastGoes == (writing && now == last) && lastComes == (reading && now == last));
      if (state == `IoasicDmaState_request || state == `IoasicDmaState_address || moving)
        assert (io_rReq != io_wReq);
      else assert (!io_rReq && !io_wReq);
      if (moving) assert (io_wReq == writing);
      if (busy && io_chip_request && !abandoned && state != `IoasicDmaState_failed) begin
        assert (last == high && io_wReq == io_chip_write);
        if (state == `IoasicDmaState_request) assert (lane == low);
        else assert (first == low);
      end
    end
  end
endmodule
