// SPDX-License-Identifier: BSD-2-Clause
// No request starves, of any place, whatever the other places ask for:
// - A place that is ready and stays ready sees at most one grant to each other place before its
//   own.
// - A place that waits for a block is never overtaken at the block by a later request. So it waits
//   for at most one grant to each other place, and for write-backs of the block.
// - The bus grants as long as a place is ready: after `request` ticks there is a grant or no room,
//   and each transaction under way ends.
module bus_progress (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  wire io_tick = 1;
  (* anyconst *) wire [5:0] io_timing_dma, io_timing_request, io_timing_data;
  (* anyconst *) wire [9:0] io_timing_miss, io_timing_remote;
  (* anyconst *) wire [7:0] io_timing_upgrade;
  (* anyconst *) wire [1:0] io_timing_first, place;
  SnoopBus bus (.*);
  `observe(bus, seen = area_seen, older0 = area_older_0, older1 = area_older_1,
    older2 = area_older_2, older3 = area_older_3, elders0 = area_elders_0,
    elders1 = area_elders_1, elders2 = area_elders_2, elders3 = area_elders_3,
    candidates = area_candidates, from = area_from, chosen = area_chosen, grants = area_grants,
    isBack = area_chosenBack, pause = area_pause, room = area_room, ordered = area_ordered,
    slot = area_slot, dataLeft = area_dataLeft, valid0 = area_underWay_0_valid,
    known0 = area_underWay_0_known, left0 = area_underWay_0_left, valid1 = area_underWay_1_valid,
    known1 = area_underWay_1_known, left1 = area_underWay_1_left, kind = area_order_kind,
    active0 = area_underWay_0_active, active1 = area_underWay_1_active)
  wire [3:0] older [0:3], elders [0:3];
  wire [28:0] block [0:3];
  assign older[0] = older0, older[1] = older1, older[2] = older2, older[3] = older3;
  assign elders[0] = elders0, elders[1] = elders1, elders[2] = elders2, elders[3] = elders3;
  assign block[0] = io_requests_0_block, block[1] = io_requests_1_block;
  assign block[2] = io_requests_2_block, block[3] = io_requests_3_block;
  wire [3:0] backs = {1'b0, io_writeBacks_2_valid, io_writeBacks_1_valid, io_writeBacks_0_valid};

  // A request stays as it is until it is granted or withdrawn; a write-back, until it is granted.
  reg [3:0] askedBefore, backsBefore;
  reg [28:0] blockBefore [0:3], backBefore [0:2];
  wire [28:0] back [0:2];
  assign back[0] = io_writeBacks_0_payload, back[1] = io_writeBacks_1_payload;
  assign back[2] = io_writeBacks_2_payload;
  wire [3:0] goes = grants ? 4'd1 << chosen : 4'd0;
  genvar k;
  generate for (k = 0; k < 4; k = k + 1) begin : of
    always @(posedge clk) begin
      askedBefore[k] <= !reset && io_wantsBus[k] && !io_granted[k];
      blockBefore[k] <= block[k];
      backsBefore[k] <= !reset && backs[k] && !(goes[k] && isBack);
    end
    always @* begin
      assume (!askedBefore[k] || block[k] == blockBefore[k]);
      assume (!backsBefore[k] || backs[k]);
      assume (!reset || !io_wantsBus[k] && !backs[k]);
    end
    always @* if (!reset && started) begin
      assert (seen[k] == askedBefore[k]);
      assert (!seen[k] || !older[k][k]);
      assert (!seen[k] || !(older[k] & ~seen));
    end
  end
  for (k = 0; k < 3; k = k + 1) begin : backOf
    always @(posedge clk) backBefore[k] <= back[k];
    always @* assume (!backsBefore[k] || back[k] == backBefore[k]);
  end endgenerate

  // Age is an order, so one of the places that wait for a block is the oldest.
  (* anyconst *) wire [1:0] a, b, c;
  wire [3:0] ofA = older[a], ofB = older[b];
  always @* if (!reset && started && seen[a] && seen[b]) begin
    assert (!(ofA[b] && ofB[a]));
    assert (!seen[c] || !(ofA[b] && ofB[c]) || ofA[c]);
  end

  // ---- ready: one grant to each other place
  reg [2:0] passed; // grants to other places since this place is a candidate
  wire [1:0] far = place - from[1:0]; // places before it in the round
  always @(posedge clk)
    if (reset || !candidates[place] || (grants && chosen == place)) passed <= 0;
    else passed <= passed + grants;

  // ---- waits for a block: the places that may go first
  wire waits = io_wantsBus[place];
  function first(input [3:0] elders, input asks, input same);
    first = asks && same && !elders[place];
  endfunction
  wire [3:0] before_ = {first(elders[3], io_wantsBus[3], block[3] == block[place]),
    first(elders[2], io_wantsBus[2], block[2] == block[place]),
    first(elders[1], io_wantsBus[1], block[1] == block[place]),
    first(elders[0], io_wantsBus[0], block[0] == block[place])} & ~(4'd1 << place);
  reg [3:0] were; // the elders of the tick before
  reg waited;
  always @(posedge clk) begin
    waited <= !reset && waits && !io_granted[place];
    were <= before_ & ~io_granted;
  end
  wire [28:0] granted = isBack ? back[chosen] : block[chosen];
  wire overtakes = grants && !isBack && chosen != place && waits && granted == block[place];

  // ---- time
  reg [6:0] still; // ticks without a grant though there was room for one
  always @(posedge clk) still <= reset || grants || !(|candidates && room) ? 0 : still + 1;
  function ends(input valid, input known, input [10:0] left, input isLast);
    ends = !valid || (known ? left != 0 : ordered && isLast);
  endfunction
  always @* begin
    assume (io_timing_request >= 3 && io_timing_data >= 1 && io_timing_dma >= 4 &&
      io_timing_upgrade >= 4 && io_timing_miss >= io_timing_data + 3 &&
      io_timing_remote >= io_timing_data + 3);
    assume (!reset || !ordered);
    if (!reset && started) begin
      assert (passed + far <= 3);
      assert (!waited || !waits || !(before_ & ~were));
      assert (!overtakes || before_[chosen]);
      assert (!grants || candidates[chosen]);
      assert (still < 64 && still + pause < io_timing_request);
      assert (!(|candidates && room && pause == 0) || grants);
      assert (ends(valid0, known0, left0, slot == 0) && ends(valid1, known1, left1, slot == 1));
      assert (!ordered || (slot ? valid1 : valid0));
    end
  end
endmodule
