// SPDX-License-Identifier: BSD-2-Clause
// The registers as a slave of Wishbone B4, classic cycles: `ack` comes in the clock after a request
// of cycle and strobe, and never else. The registers see each transfer once, with direction,
// address, bytes and data of the bus, and the answer has what they showed then. So whoever holds a
// transfer until its answer, as rule 3.60 wants, finds the answer inside it.
module wishbone_access (input clk);
  WishboneAccess dut (.*);
  `observe(dut, answers, value)

  reg known = 0, asked = 0, seen = 0;
  reg [31:0] shown;
  reg [39:0] before;
  wire transfer = cyc && stb;
  wire [39:0] now = {we, adr, sel, written};
  always @(posedge clk) begin
    if (reset) known <= 1;
    asked <= transfer && !ack && !reset;
    seen <= transfer && !ack && !reset && (seen || access_valid); // by the registers
    shown <= access_readData;
    before <= now;
  end
  always @* begin
    assume (known || reset);
    if (asked) assume (transfer && now == before);
    if (known && !reset) begin
      assert (ack == asked && answers == asked && seen == asked);
      assert (!ack || transfer && seen && read == shown && value == shown);
      assert (!access_valid || transfer && !seen);
      assert (!transfer || seen || access_valid);
      if (access_valid)
        assert ({access_write, access_address, access_mask, access_writeData} == now);
    end
  end
endmodule
