// SPDX-License-Identifier: BSD-2-Clause
// The b-cache's tags, for any set: a hit if and only if the block was allocated last in the set
// since reset or the last emptying; a victim if and only if the last block was written since. Reads
// and writes of the core allocate, DMA only updates, addresses without RAM do neither.
module bcache_tags (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
`ifdef REFUTING
  wire reset = 0; // the walk is longer than any search, so a search begins after it
`else
  wire reset = !started;
`endif
  BCacheTags tags (.*);
  wire [15:0] set = tags.probeSet; // any set, constant
  `observe(tags, entry = probe, walkIndex, read = tags_spinal_port0, unitAsked = lookupValid,
    unitAddress = request_address, unitPresent = request_present, unitWrite = request_write,
    unitAllocate = request_allocate, writes, writeIndex, newTag = written_tag,
    newDirty = written_dirty, newValid = written_valid, walking, walked)

  reg asked, present, write, allocate; // the lookup that is answered now
  reg judged; // the lookup of the clock before: its entry is being written
  reg [25:0] address;
  reg has, dirty; // the set has a block
  reg [4:0] tag;
  wire ours = asked && present && address[20:5] == set;
  wire hit = ours && has && tag == address[25:21];
  always @(posedge clk) begin
    asked <= !reset && io_lookup_valid;
    judged <= !reset && asked;
    if (io_lookup_valid) begin
      {present, write} <= {io_lookup_payload_present, io_lookup_payload_write};
      {allocate, address} <= {io_lookup_payload_allocate, io_lookup_payload_address};
    end
    if (ours && (hit || allocate)) begin
      {has, tag} <= {1'b1, address[25:21]};
      dirty <= write || (hit && dirty);
    end
    if (reset || io_walking || io_empty) has <= 0;
  end
  wire request = io_answer == asked && unitAsked == asked && (!asked || (unitAddress == address &&
    unitPresent == present && unitWrite == write && unitAllocate == allocate));
  wire [6:0] next = writes && writeIndex == set ? {newTag, newDirty, newValid} : entry;
  wire walk = io_walking == (walking || walked) && (walking || walkIndex == 0) &&
    (!walking || walkIndex == 0 || walked) && !(asked && io_walking) && !(io_walking && has) &&
    (!(walking && set < walkIndex) || !next[0]) && !(walked && writes && newValid);
  wire writing = !(asked && judged) && (!writes || judged || walked);
  wire rules = request && walk && writing && (walking || next[0] == has) &&
    (walking || !has || next == {tag, dirty, 1'b1}) &&
    (!(asked && address[20:5] == set) || read == entry);
  always @* begin
    // A lookup comes in every third clock at most, and not while the tags are emptied
    // (memory_time).
    assume (!(io_lookup_valid && (asked || judged || io_walking || io_empty)) || reset);
`ifdef REFUTING
    assume (started || (rules && !io_walking));
`endif
    if (!reset && started) begin
      assert (rules);
      if (asked && address[20:5] == set) begin
        assert (io_hit == hit);
        assert (io_victim == (present && !hit && allocate && has && dirty));
      end
      assert (asked || !(io_hit || io_victim));
      assert (!asked || present || !(io_hit || io_victim));
    end
  end
endmodule
