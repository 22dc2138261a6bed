// SPDX-License-Identifier: BSD-2-Clause
// The state of one descriptor ring as memory sees it on the bus: the descriptor at `index`, whether
// the chip owns it, and its buffer. `dut` is the engine of a ring. `chains`: the engine gives a
// descriptor back and goes on in the next. `idle`: its state machine rests. `off`: it asks to be
// switched off. Every clock is a tick.
//
// Assumed: an access ends only if one was begun, three ticks later or more, and none is taken
// before; a word that is read stands for the last three ticks of it (proof bus_master); the ring's
// place changes only while the engine is off, and was in the tick before (proof block_read), and is
// a multiple of 8 (InitBlock ties the low bits to zero); the engine is switched off with a halt, in
// the tick before a halt (STOP), or on its request (Registers); the driver does not touch a
// descriptor that the chip owns. All other words that are read are free.
  wire [6:0] last = (8'd1 << io_ring_lengthLog2) - 8'd1;
  wire [6:0] follower = (index + 7'd1) & last;
  wire [23:0] here = io_ring_base + {index, 3'b000};
  wire [23:0] there = io_ring_base + {follower, 3'b000};

  reg out = 0; // an access is under way
  reg [1:0] age = 0; // its ticks so far, three or more
  reg [15:0] word1, word2; // the bus's word one tick ago, two ticks ago
  reg [1:0] kind;
  reg [23:0] at;
  reg [4:0] size;

  reg own = 0; // OWN of `here`, as read last; 0 after the descriptor was given back
  reg [7:0] high; // address 23:16 of its buffer
  reg placed = 0, measured = 0;
  reg [23:0] base;
  reg [12:0] length;
  reg thereOwn = 0;
  reg [7:0] thereHigh;

  // A burst's size in a buffer of which `l` bytes remain, `o` bytes into a piece.
  function [4:0] planned(input [12:0] l, input [3:0] o);
    planned = l <= 5'd16 - o ? l[4:0] : 5'd16 - o;
  endfunction

  wire begins = io_bus_cmd_valid && io_bus_cmd_ready;
  wire reads = io_bus_done && kind == `BusKind_readWord;
  wire givesBack = io_bus_done && kind == `BusKind_writeWord && at == here + 24'd2;
  wire alone = follower == index;

  reg known = 0; // after a reset
  reg still = 0;
  reg onBefore = 1, haltBefore = 0, offBefore = 0;
  reg [23:0] ringBefore;
  reg [2:0] sizeBefore;
  always @(posedge clk) begin
    if (reset) known <= 1;
    still <= reset || (!io_on && !onBefore);
    {onBefore, haltBefore, offBefore} <= {io_on, io_halt || reset, off};
    ringBefore <= io_ring_base;
    sizeBefore <= io_ring_lengthLog2;
    if (begins) begin
      out <= 1;
      kind <= io_bus_cmd_payload_kind;
      at <= io_bus_cmd_payload_address;
      size <= io_bus_cmd_payload_bytes;
    end
    {word2, word1} <= {word1, io_bus_word};
    age <= begins ? 2'd1 : !out || age == 3 ? age : age + 2'd1;
    if (io_bus_done) out <= 0;
    if (reads && at == here + 24'd2 && !own) begin
      own <= io_bus_word[15];
      high <= io_bus_word[7:0];
      {placed, measured} <= 0;
    end
    if (reads && at == here) begin
      base <= {high, io_bus_word};
      placed <= 1;
    end
    if (reads && at == here + 24'd4) begin
      length <= 13'd4096 - io_bus_word[11:0];
      measured <= 1;
    end
    if (reads && at == there + 24'd2 && !alone) begin
      thereOwn <= io_bus_word[15];
      thereHigh <= io_bus_word[7:0];
    end
    if (givesBack) begin // the next descriptor is as the look-ahead has read it
      own <= chains && thereOwn;
      high <= thereHigh;
      {placed, measured, thereOwn} <= 0;
    end
    if (io_halt || io_restart || reset) {own, thereOwn} <= 0;
    if (io_halt || reset) out <= 0;
  end
  always @* begin
    assume (known || reset);
    assume (io_ring_base[2:0] == 0);
    assume (!io_bus_done || (out && age == 3));
    assume (!reads || (io_bus_word == word1 && io_bus_word == word2));
    assert (!known || reset || !out || age != 0);
    assume (!io_bus_cmd_ready || !out);
    assume (still || (ringBefore == io_ring_base && sizeBefore == io_ring_lengthLog2));
    assume (!io_restart || (!io_on && !onBefore));
    assume (io_on || !onBefore || io_halt || haltBefore || offBefore);
    if (known && !reset) begin
      assert (idle || !haltBefore);
      assert (idle || !offBefore);
      assert (idle || io_on || onBefore);
    end
    if (reads && at == here + 24'd2 && own)
      assume (io_bus_word[15] && io_bus_word[7:0] == high);
    if (reads && at == there + 24'd2 && thereOwn && !alone)
      assume (io_bus_word[15] && io_bus_word[7:0] == thereHigh);
  end

  // The rules. A burst stays inside the buffer of the descriptor that is owned now; a descriptor is
  // written only while it is owned, words 1 and 3 alone, and word 1 takes OWN away: after it, none
  // of this can hold until OWN was read again.
  wire [23:0] offset = io_bus_cmd_payload_address - base;
  wire [4:0] lane = io_bus_cmd_payload_address[3:0];
  always @* if (known && begins && !reset) begin
    if (io_bus_cmd_payload_kind == BURST) begin
      assert (own && placed && measured);
      assert (offset + io_bus_cmd_payload_bytes <= length);
      assert (lane + io_bus_cmd_payload_bytes <= 16 && io_bus_cmd_payload_bytes != 0);
    end else if (io_bus_cmd_payload_kind == `BusKind_writeWord) begin
      assert (own);
      assert (io_bus_cmd_payload_address == here + 24'd2 ||
              io_bus_cmd_payload_address == here + 24'd6);
      if (io_bus_cmd_payload_address == here + 24'd2)
        assert (!io_bus_cmd_payload_word[15] && io_bus_cmd_payload_word[7:0] == high);
    end else begin
      assert (io_bus_cmd_payload_kind == `BusKind_readWord);
      if (!own)
        assert (io_bus_cmd_payload_address == here + 24'd2);
      else
        assert (io_bus_cmd_payload_address == here || io_bus_cmd_payload_address == here + 24'd4 ||
                io_bus_cmd_payload_address == there + 24'd2);
    end
  end
