// SPDX-License-Identifier: BSD-2-Clause
// Three private caches on their bus, with any behaviour of cores, DMA and backing memory. `state`
// is the state of any block of RAM in each cache by the sheet, from orders and decisions alone;
// `line` is the state in the tags.
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  (* anyconst *) wire [5:0] timing_bcacheRead, timing_write, timing_dma;
  (* anyconst *) wire [5:0] timing_request, timing_data;
  (* anyconst *) wire [9:0] timing_miss, timing_remote;
  (* anyconst *) wire [7:0] timing_upgrade;
  (* anyconst *) wire [1:0] timing_first;
  CoherentSmall bench (.*);
  `observe(bench.system.caches_0, set0 = probeSet, line0 = probe, late0 = later,
    lateSet0 = laterIndex, lateTag0 = laterTag, asked0 = lookupBefore,
    snoopedState0 = snooped_state,
    snoopedTag0 = snooped_tag, ownState0 = own_state, ownTag0 = own_tag, block0 = block_1,
    phase0 = phase_2, walking0 = walking, walk0 = walk, wants0 = wantedKind, waits0 = waits,
    writes0 = isWrite, dropped0 = dropped)
  `observe(bench.system.caches_1, set1 = probeSet, line1 = probe, late1 = later,
    lateSet1 = laterIndex, lateTag1 = laterTag, asked1 = lookupBefore,
    snoopedState1 = snooped_state,
    snoopedTag1 = snooped_tag, ownState1 = own_state, ownTag1 = own_tag, block1 = block_1,
    phase1 = phase_2, walking1 = walking, walk1 = walk, wants1 = wantedKind, waits1 = waits,
    writes1 = isWrite, dropped1 = dropped)
  `observe(bench.system.caches_2, set2 = probeSet, line2 = probe, late2 = later,
    lateSet2 = laterIndex, lateTag2 = laterTag, asked2 = lookupBefore, snoopedState2 = snooped_state,
    snoopedTag2 = snooped_tag, ownState2 = own_state, ownTag2 = own_tag, block2 = block_1,
    phase2 = phase_2, walking2 = walking, walk2 = walk, wants2 = wantedKind, waits2 = waits,
    writes2 = isWrite, dropped2 = dropped)
  `observe(bench.system.bus_1, ordered = area_ordered)
  (* anyconst *) wire [2:0] any; // a block of RAM: its tag and its set
  wire [28:0] block = any;
  wire set = any[0];
  wire [1:0] tag = any[2:1];

  wire [2:0] late = {late2, late1, late0}, walking = {walking2, walking1, walking0};
  wire [2:0] lateSet = {lateSet2, lateSet1, lateSet0}, dropped = {dropped2, dropped1, dropped0};
  wire [2:0] writes = {writes2, writes1, writes0};
  wire [3:0] raw [0:2]; // tag and state of the set
  wire [1:0] lateTag [0:2], phase [0:2];
  wire [28:0] working [0:2];
  assign raw[0] = line0, raw[1] = line1, raw[2] = line2;
  assign lateTag[0] = lateTag0, lateTag[1] = lateTag1, lateTag[2] = lateTag2;
  assign phase[0] = phase0, phase[1] = phase1, phase[2] = phase2;
  assign working[0] = block0, working[1] = block1, working[2] = block2;

  wire kindTakes = order_payload_kind == `SnoopKind_readExclusive ||
    order_payload_kind == `SnoopKind_upgrade || order_payload_kind == `SnoopKind_dmaWrite;
  wire isBack = order_payload_kind == `SnoopKind_writeBack;
  wire isRead = order_payload_kind == `SnoopKind_read;
  wire orders = order_valid && tick;
  wire ours = order_payload_block == block;
  // A core's order replaces the block in its set.
  wire inSet = order_payload_block[28:3] == 0 && order_payload_block[0] == set;

  reg [1:0] state [0:2]; // state by the sheet
  wire [1:0] ordered_ [0:2], after [0:2];
  wire [2:0] loses;
  wire [1:0] line [0:2];
  genvar k;
  generate for (k = 0; k < 3; k = k + 1) begin : of
    wire mine = orders && order_payload_place == k && !isBack;
    wire others = orders && order_payload_place != k && ours;
    wire [1:0] next = state[(k + 1) % 3], more = state[(k + 2) % 3];
    wire shared = next != `LineState_I || more != `LineState_I;
    assign loses[k] = state[k] != `LineState_I &&
      ((others && kindTakes) || (mine && inSet && !ours));
    assign ordered_[k] = loses[k] ? `LineState_I :
      mine && ours ? (!isRead ? `LineState_M : shared ? `LineState_S : `LineState_E) :
      others && isRead && state[k] != `LineState_I ? `LineState_S : state[k];
    assign after[k] = tick && phase[k] == `Phase_deciding && writes[k] && !dropped[k] &&
      working[k] == block && ordered_[k] == `LineState_E ? `LineState_M : ordered_[k];
    always @(posedge clk) state[k] <= reset ? `LineState_I : after[k];
    wire [3:0] now = late[k] && lateSet[k] == set ? {lateTag[k], `LineState_M} : raw[k];
    assign line[k] = now[3:2] == tag ? now[1:0] : `LineState_I;
  end endgenerate

  // Invariants: the values that were read of the tags are those in the tags.
  function reads(input [28:0] at, input [3:0] read, input [3:0] is);
    reads = at[0] != set || read == is;
  endfunction
  function keeps(input [3:0] is, input late, input lateSet, input [1:0] lateTag,
    input walking, input walk);
    keeps = (!late || lateSet != set || is == {lateTag, `LineState_E}) &&
      (!late || !walking) && (!walking || set >= walk || is[1:0] == `LineState_I);
  endfunction
  function asks(input waits, input [2:0] wants);
    asks = !waits || wants == `SnoopKind_read || wants == `SnoopKind_readExclusive ||
      wants == `SnoopKind_upgrade;
  endfunction
  wire sound = reads(asked0, {snoopedTag0, snoopedState0}, line0) &&
    reads(asked1, {snoopedTag1, snoopedState1}, line1) &&
    reads(asked2, {snoopedTag2, snoopedState2}, line2) &&
    reads(block0, {ownTag0, ownState0}, line0) && reads(block1, {ownTag1, ownState1}, line1) &&
    reads(block2, {ownTag2, ownState2}, line2);
  wire kept = keeps(line0, late0, lateSet0, lateTag0, walking0, walk0) &&
    keeps(line1, late1, lateSet1, lateTag1, walking1, walk1) &&
    keeps(line2, late2, lateSet2, lateTag2, walking2, walk2) &&
    walking0 == walking1 && walking1 == walking2 && walk0 == walk1 && walk1 == walk2;
  wire core = order_payload_place != 3;
  wire legal = !ordered || (core == (order_payload_kind == `SnoopKind_read || isBack ||
    order_payload_kind == `SnoopKind_readExclusive || order_payload_kind == `SnoopKind_upgrade));
  wire same = !ordered || (asked0 == order_payload_block && asked1 == order_payload_block &&
    asked2 == order_payload_block);
  wire [2:0] agrees = {state[2] == line[2], state[1] == line[1], state[0] == line[0]};
  wire empty = {state[0], state[1], state[2]} == 0;
  always @* begin
    assume (set0 == set && set1 == set && set2 == set);
    if (!reset && started) begin
      assert (sound);
      assert (kept);
      assert (legal && same);
      assert (asks(waits0, wants0) && asks(waits1, wants1) && asks(waits2, wants2));
      assert (walking ? empty && !ordered : &agrees);
      assert (!(late || walking) || !tick);
      // A single writer.
      assert (state[0] < `LineState_E || (state[1] == `LineState_I && state[2] == `LineState_I));
      assert (state[1] < `LineState_E || (state[2] == `LineState_I && state[0] == `LineState_I));
      assert (state[2] < `LineState_E || (state[0] == `LineState_I && state[1] == `LineState_I));
    end
  end
