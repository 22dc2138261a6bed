// SPDX-License-Identifier: BSD-2-Clause
// A promise is never broken by the controller: after SendOutlook has said that no first bit leaves
// in so many ticks, none does, whatever driver, memory and wire do, for any times of the machine.
// Every clock is a tick, which is the quickest that a first bit may come after a promise.
module outlook (input clk);
  wire io_tick = 1;
  wire [15:0] io_skip = 0;
  wire io_halfDuplex = 0;
`ifdef ANY_TIMES
  (* anyconst *) wire [2:0] arbitration3;
  (* anyconst *) wire [2:0] word3;
  (* anyconst *) wire [2:0] gap3;
  (* anyconst *) wire [2:0] setup3;
  (* anyconst *) wire [2:0] start3;
  wire [10:0] arbitration = arbitration3, word = word3, gap = gap3;
  wire [10:0] setup = setup3, start = start3;
`else // of dec3000-600
  wire [10:0] arbitration = 210, word = 105, gap = 122, setup = 350, start = 175;
`endif
  wire [10:0] io_timing_arbitration = arbitration, io_timing_word = word, io_timing_gap = gap;
  wire [10:0] io_timing_setup = setup, io_timing_start = start;
  ExactPromise core (.outlook(said), .*);
  wire [15:0] said;
  `observe(core.card.ticked_lance.transmit, state, chained, started, occupancy = io_occupancy,
    work = work_left, workOver = work_over, waiting = bus_waiting, done = io_bus_done,
    fires = io_bus_cmd_fire)
  `observe(core.card.ticked_lance.transmitWire_1, wireState = state, toGo, called, sending,
    firstBit = io_firstBit)
  `observe(core.card.ticked_lance.transmitSilo, pushes = io_push_valid, written, taken = read,
    shown = valid)
  `observe(core.card.ticked_lance, halt, halted)
  `observe(core.reader, access = access_1, first, fill, length, address, reads, idle)

  // The least times of docs/explanation/exact-time.md.
  wire [15:0] A = 16'd1 + (arbitration == 0 ? 16'd1 : {5'd0, arbitration}) +
    (word < 2 ? 16'd2 : {5'd0, word}) + (gap == 0 ? 16'd1 : {5'd0, gap});
  wire [15:0] F = 16'd1 + (start == 0 ? 16'd1 : {5'd0, start});
  wire [15:0] S = (setup == 0 ? 16'd1 : {5'd0, setup}) + A + F; // S + F of the page

  reg [3:0] age = 0; // clocks of reset, and after
  reg [15:0] left = 0; // ticks from this one on that are promised
  reg [15:0] since = 0; // ticks since the access that is under way was granted
  always @(posedge clk) begin
    if (age != 15) age <= age + 4'd1;
    since <= fires ? 16'd1 : since == 16'hffff ? since : since + 16'd1;
    left <= reset || promised == 0 ? 16'd0 : promised - 16'd1;
  end
  // `said` is of the state a tick ago.
  wire [15:0] now = said == 0 ? 16'd0 : said - 16'd1;
  wire [15:0] promised = now > left ? now : left;

  wire [15:0] need = !waiting ? A - 16'd1 : since >= A - 16'd1 ? 16'd0 : A - 16'd1 - since;
  wire [15:0] workLeft = work < 2 ? 16'd1 : {5'd0, work};
  wire fresh = state == `TxState_feed && !waiting && !started && occupancy == 0;
  reg [15:0] bound; // what is true
  always @* begin
    bound = F;
    case (state)
      `TxState_feed: bound = waiting ? need + F : fresh ? A - 16'd1 + F : F;
      `TxState_sent: bound = A + F; // another attempt reads again
      `TxState_setup: bound = workLeft + A - 16'd1 + F;
      `TxState_length: if (!chained) bound = need + S;
      `TxState_addressLow: if (!chained) bound = need + A + S;
      `TxState_status: bound = need + A + A + S;
      // More is never promised, and STOP leads from everywhere to `idle`.
      `TxState_release, `TxState_writeError, `TxState_writeStatus, `TxState_idle,
      `TxState_heartbeat, `TxState_microcode: bound = A + A + A + S;
    endcase
    if (wireState == `SendState_start) bound = toGo == 0 ? 16'd1 : {5'd0, toGo};
    else if (called && !sending) bound = F;
    if (sending) bound = 0;
  end

  always @* begin
    assume (reset == (age < 12));
    // The bus
    assume (!done || (waiting && since >= A - 16'd1));
    assume (!fires || !waiting);
    assume (!pushes || (waiting && state == `TxState_feed));
    if (age >= 12) begin
      assert (!(firstBit && promised != 0));
      assert (promised <= bound);
    end
    // Invariants of the induction
    if (age >= 1) begin
      assert (!waiting || (since != 0 && state != `TxState_idle && state != `TxState_setup &&
        state != `TxState_sent && state != `TxState_heartbeat && state != `TxState_microcode));
      assert (workOver == (work < 2));
      assert (state != `TxState_setup || (!started && work <= setup));
      assert (!chained || (state != `TxState_status && state != `TxState_release &&
        state != `TxState_setup));
      assert (wireState != `SendState_start || toGo <= start);
      assert (access == A && first == F);
      if (age <= 12) assert (left == 0 && said == 0);
    end
    assert (age < 2 || fill == A + F);
    assert (age < 3 || length == S);
    assert (age < 4 || address == A + S);
    assert (age < 5 || reads == A + A + S);
    assert (age < 6 || idle == A + A + A + S);
  end
endmodule
