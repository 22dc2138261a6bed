// SPDX-License-Identifier: BSD-2-Clause
// The classifier, for any entry, any words and masks in it, and any frame (lance.md, Classifier).
// - The entry holds at each place what was written there last, since reset. So it does its count,
//   which a write of a word makes 0.
// - The entry's flag rises only as a frame begins, if the count is not 0 and nobody writes.
// - While the flag is up, each word so far equals the value wherever its mask has ones.
// - The flag falls only by a write of the entry, or by a word that differs.
// - The id is the lowest entry's whose flag is up, which is not being written, and whose count of
//   words has come.
// Assumed: no byte comes in the tick in which a frame begins (ReceiveWire, by reading).
module classifier (input clk);
  Classifier dut (._zz_17(1'b1), .*);
  `observe(dut, entry = probeEntry, place = probePlace, kept = probeKept, next = probeNext,
    shown = probeShown, flags = probeFlags, counts = probeCounts, words, odd, low)

  wire flag = flags[entry];
  wire [5:0] count = counts[6 * entry +: 6];
  wire written = io_write_valid && io_write_payload_entry == entry;
  wire isCount = io_write_payload_place == 63;
  wire [15:0] word = {io_byte_payload, first};
  wire ends = io_byte_valid && half;
  wire differs = came < wanted && |((word ^ next[15:0]) & next[31:16]);

  reg known = 0;
  reg half = 0; // of the frame by its bytes: half a word, its first byte, the words so far
  reg [7:0] first;
  reg [5:0] came = 0;
  reg [15:0] there; // word `place` of the frame
  reg [5:0] wanted = 0; // by the writes: the count
  reg isAsked = 0; // and what is at `place`
  reg [31:0] asked;
  reg mayRise = 0, mayFall = 0, flagBefore = 0; // of the tick before
  always @(posedge clk) begin
    if (reset) known <= 1;
    if (io_byte_valid) begin
      half <= !half;
      first <= io_byte_payload;
      if (half && came == place) there <= word;
      if (half && came != 63) came <= came + 6'd1;
    end
    if (io_begins) begin half <= 0; came <= 0; end
    if (written) begin
      wanted <= isCount ? io_write_payload_data[5:0] : 6'd0;
      if (!isCount && io_write_payload_place == place) begin
        isAsked <= 1;
        asked <= io_write_payload_data;
      end
    end
    if (reset) begin half <= 0; came <= 0; wanted <= 0; isAsked <= 0; end
    flagBefore <= flag && !reset;
    mayRise <= io_begins && wanted != 0 && !written && !reset;
    mayFall <= written || reset || (ends && differs) || (io_begins && wanted == 0);
  end

  reg [3:0] lowest;
  integer i;
  always @* begin
    lowest = 0;
    for (i = 7; i >= 0; i = i - 1)
      if (flags[i] && !(io_write_valid && io_write_payload_entry == i) &&
          words >= counts[6 * i +: 6]) lowest = i + 1;
  end

  always @* begin
    assume (known || reset);
    assume (!io_begins || !io_byte_valid);
    assume (!reset || !io_write_valid);
    if (known && !reset) begin
      assert (words == came && odd == half && (!half || low == first));
      assert (count == wanted);
      assert (!isAsked || kept == asked);
      assert (!flag || shown == next);
      assert (flag || !mayRise);
      assert (!flag || flagBefore || mayRise);
      assert (flag || !flagBefore || mayFall);
      assert (!flag || !mayFall || mayRise);
      if (flag && place < came && place < wanted)
        assert (((there ^ kept[15:0]) & kept[31:16]) == 0);
      assert (io_path == lowest);
    end
  end
endmodule
