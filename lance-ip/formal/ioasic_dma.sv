// SPDX-License-Identifier: BSD-2-Clause
// The TURBOchannel handshake of the card's DMA: one request at a time, which stays until it is
// acknowledged; pins move with the bus clock only; behind the acknowledgement the address, as the
// IOASIC maps it (facts/lance.md 3.2), then the longwords that are asked for, four at most, all
// inside 16 bytes (so no burst crosses 2 KB); the chip is answered after the last one. Host and
// chip do what they like, but the chip's request stays as it is (proof bus_master), and a new one
// comes when the last is over.
module ioasic_dma (input clk);
  (* anyseq *) wire reset, io_cycle, io_enable, io_ack, io_err;
  (* anyseq *) wire io_chip_request, io_chip_write, io_chip_single;
  (* anyseq *) wire [23:0] io_chip_address;
  (* anyseq *) wire [127:0] io_chip_writeData;
  (* anyseq *) wire [15:0] io_chip_mask;
  (* anyseq *) wire [31:0] io_adHost;
  (* anyconst *) wire [31:0] io_pointer;
  wire io_chip_done, io_rReq, io_wReq, io_pending, io_active, io_failed;
  wire [127:0] io_chip_readData;
  wire [31:0] io_adOption;
  IoasicDma dut (._zz_3(1'b1), .*);
  wire [2:0] state = dut.state;
  wire [1:0] lane = dut.lane;
  wire [1:0] last = dut.end_1;
  wire abandoned = dut.abandoned;

  wire busy = state != `IoasicDmaState_idle;
  wire moving = state == `IoasicDmaState_write || state == `IoasicDmaState_read;

  wire [3:0] lanes = {|io_chip_mask[15:12], |io_chip_mask[11:8], |io_chip_mask[7:4],
    |io_chip_mask[3:0]};
  wire [1:0] low = io_chip_single || lanes[0] ? 0 : lanes[1] ? 1 : lanes[2] ? 2 : 3;
  wire [1:0] high = io_chip_single ? 0 : lanes[3] ? 3 : lanes[2] ? 2 : lanes[1] ? 1 : 0;
  wire [16:0] window = {io_pointer[4:0], io_pointer[31:20]};
  wire [33:0] address = io_chip_single ? {window, io_chip_address[15:1], 2'b00} :
    {window, io_chip_address[15:4], 1'b0, low, 2'b00};

  reg known = 0, moved = 1, request = 0, asking = 0, addressed = 0;
  reg rBefore, wBefore, single;
  reg [31:0] adBefore;
  reg [23:0] chipAddress;
  reg [15:0] chipMask;
  reg chipWrite;
  reg [31:0] wanted; // the address beat
  reg [2:0] words = 0; // longwords that have passed
  reg [1:0] first;
  always @(posedge clk) begin
    if (reset) known <= 1;
    moved <= io_cycle || reset;
    {rBefore, wBefore, adBefore} <= {io_rReq, io_wReq, io_adOption};
    asking <= (io_rReq || io_wReq) && io_pending && !(io_cycle && io_ack) && !reset;
    request <= io_chip_request && !io_chip_done && !reset;
    {chipAddress, chipMask, chipWrite, single} <=
      {io_chip_address, io_chip_mask, io_chip_write, io_chip_single};
    addressed <= io_pending && io_cycle && io_ack && !reset;
    if (io_pending && io_cycle && io_ack) {wanted, first} <= {address[28:2], address[33:29], lane};
    if (!moving) words <= 0;
    if (state == `IoasicDmaState_write && io_cycle) words <= words + 3'd1;
    if (state == `IoasicDmaState_read && io_cycle && io_ack && !io_err) words <= words + 3'd1;
    if (reset) words <= 0;
  end
  always @* begin
    assume (known || reset);
    if (io_chip_request) assume (io_chip_mask != 0);
    if (io_chip_request && request)
      assume ({chipAddress, chipMask, chipWrite, single} ==
              {io_chip_address, io_chip_mask, io_chip_write, io_chip_single});
    if (busy && !request) assume (!io_chip_request); // none before the last is over
    if (known && !reset) begin
      assert (!(io_rReq && io_wReq));
      if (!moved) assert ({io_rReq, io_wReq, io_adOption} == {rBefore, wBefore, adBefore});
      if (asking) assert ({io_rReq, io_wReq} == {rBefore, wBefore} && (io_rReq || io_wReq));
      if (addressed && !abandoned && io_chip_request) assert (io_adOption == wanted);
      if (moving) assert (first + {1'b0, words} == lane && lane <= last);
      assert (words <= 4 && first + {1'b0, words} <= 4);
      if (io_chip_done) assert (lane == last && io_chip_request && !abandoned);
      // What links the machine to all this
      assert (state <= `IoasicDmaState_failed);
      assert (io_pending == (state == `IoasicDmaState_request));
      assert (!addressed || state == `IoasicDmaState_address);
      if (state == `IoasicDmaState_request || state == `IoasicDmaState_address)
        assert (lane <= last && words == 0);
      if (state == `IoasicDmaState_address) assert (lane == first);
      if (state == `IoasicDmaState_request || state == `IoasicDmaState_address || moving)
        assert (io_rReq != io_wReq);
      else assert (!io_rReq && !io_wReq);
      if (moving) assert (io_wReq == (state == `IoasicDmaState_write));
      if (busy && io_chip_request && !abandoned && state != `IoasicDmaState_failed)
        assert (last == high && lane >= low && (state != `IoasicDmaState_request || lane == low));
    end
  end
endmodule
