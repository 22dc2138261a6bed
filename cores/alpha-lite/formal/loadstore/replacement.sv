// SPDX-License-Identifier: BSD-2-Clause
// A block goes into the first empty way of its set; if all ways have blocks, into the way whose
// last use is longest ago. The bench keeps the ways in the order of their uses. The proof is of any
// of four sets of four ways, with uses, fills and drops in any order.
module replacement (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  ReplacementOfFour unit (.reset(!started), .*);
  `observe(unit, set = probeSet, row = probeRow)
  (* anyseq *) wire [3:0] drops;
  wire fills = fill_valid && fill_payload == set, uses = use_valid && use_payload_index == set;
  wire [3:0] used = fills ? way : uses ? use_payload_way : 0;
  reg [3:0] valid;
  reg [1:0] age0, age1, age2, age3; // 3: used last
  always @* begin
    assume (!(fill_valid && use_valid));
    assume (use_payload_way == 1 || use_payload_way == 2 || use_payload_way == 4 ||
      use_payload_way == 8);
    assume (fill_payload != set || free == ~valid);
  end
  wire [1:0] age = used[0] ? age0 : used[1] ? age1 : used[2] ? age2 : age3;
  always @(posedge clk) if (!started) {valid, age3, age2, age1, age0} <= {4'd0, 8'hE4};
  else begin
    valid <= (fills ? valid | way : valid) & ~drops;
    if (used != 0) begin
      age0 <= used[0] ? 3 : age0 - (age0 > age);
      age1 <= used[1] ? 3 : age1 - (age1 > age);
      age2 <= used[2] ? 3 : age2 - (age2 > age);
      age3 <= used[3] ? 3 : age3 - (age3 > age);
    end
  end
  wire [3:0] first = !valid[0] ? 1 : !valid[1] ? 2 : !valid[2] ? 4 : 8;
  wire [3:0] oldest = age0 == 0 ? 1 : age1 == 0 ? 2 : age2 == 0 ? 4 : 8;
  always @* if (started) begin
    if (fill_payload == set) assert (way == (valid == 15 ? oldest : first));
    // Invariants of the induction.
    assert (age0 != age1 && age0 != age2 && age0 != age3);
    assert (age1 != age2 && age1 != age3 && age2 != age3);
    assert (!(valid[0] && valid[1]) || row[0] == (age0 < age1));
    assert (!(valid[0] && valid[2]) || row[1] == (age0 < age2));
    assert (!(valid[0] && valid[3]) || row[2] == (age0 < age3));
    assert (!(valid[1] && valid[2]) || row[3] == (age1 < age2));
    assert (!(valid[1] && valid[3]) || row[4] == (age1 < age3));
    assert (!(valid[2] && valid[3]) || row[5] == (age2 < age3));
  end
endmodule
