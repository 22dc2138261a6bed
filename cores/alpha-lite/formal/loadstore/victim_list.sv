// SPDX-License-Identifier: BSD-2-Clause
// A victim cache of four places is a list by age. A put block comes first, and the last block goes
// if all four places are taken. A taken or dropped block leaves the list; no other block comes or
// goes. A taken block is back three clocks later, with the bytes that it had, and the list knows if
// it was dropped meanwhile. The proof is of any blocks and any bit of them, with stores, drops and
// clears in any clock in which they are allowed.
module victim_list (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  (* anyconst *) wire [6:0] place; // a bit of the block
  VictimsOfFour unit (.*);
  `observe(unit, valid, number0 = numbers_0, number1 = numbers_1, number2 = numbers_2,
    number3 = numbers_3, block0 = blocks_0, block1 = blocks_1, block2 = blocks_2,
    block3 = blocks_3, moving, left, movingBlock, movingNumber, movingStays = movingValid)

  // A list has its length above four entries, the first lowest; an entry is a number and the bit.
  // A block that is not among `these` leaves; places after the end are zero.
  function [22:0] only(input [3:0] these, input [19:0] entries);
    reg [2:0] to;
    integer from, at;
    begin
      only = 0;
      to = 0;
      for (from = 0; from < 4; from = from + 1) if (these[from]) begin
        for (at = 0; at <= from; at = at + 1)
          if (to == at) only[5 * at +: 5] = entries[5 * from +: 5];
        to = to + 1;
      end
      only[22:20] = to;
    end
  endfunction
  function [3:0] named(input [22:0] list, input [3:0] number);
    integer n;
    for (n = 0; n < 4; n = n + 1)
      named[n] = n < list[22:20] && list[5 * n + 1 +: 4] == number;
  endfunction
  function [22:0] without(input [22:0] list, input [3:0] number);
    without = only((4'd15 >> (4 - list[22:20])) & ~named(list, number), list[19:0]);
  endfunction

  reg [22:0] list = 0;
  wire [3:0] here = named(list, number);
  wire [22:0] kept = take ? without(list, number) : list;
  wire newBit = store_payload_quad[place[5:0]];
  wire writes = store_valid && store_payload_place == place[6] &&
    store_payload_halves[place[5]];
  reg [22:0] stored, pushed;
  integer n;
  always @* begin
    stored = kept;
    for (n = 0; n < 4; n = n + 1) if (writes && here[n]) stored[5 * n] = newBit;
    pushed = stored;
    if (put_valid) begin
      pushed[19:0] = {stored[14:0], put_payload_number, put_payload_block[place]};
      pushed[22:20] = stored[22:20] == 4 ? 4 : stored[22:20] + 1;
    end
  end
  always @(posedge clk)
    list <= reset || clear ? 0 : drop_valid ? without(pushed, drop_payload) : pushed;

  reg [2:0] age = 0; // age of the block on its way, one-hot
  reg [3:0] comes;
  reg comesBit, comesStays;
  wire was = here[0] ? list[0] : here[1] ? list[5] : here[2] ? list[10] : list[15];
  wire [3:0] coming = take ? number : comes;
  always @(posedge clk) begin
    age <= reset ? 0 : {age[1:0], take};
    comes <= coming;
    if (take) comesBit <= was;
    comesStays <= (take || comesStays) && !(drop_valid && drop_payload == coming);
  end

  always @* if (!reset) begin
    assume (!take || (here != 0 && age == 0 && !put_valid && !store_valid));
    assume (!put_valid || (named(list, put_payload_number) == 0 && !store_valid));
    assert (has == (here != 0));
    assert (back_valid == age[2] && returns == (age != 0 || take));
    if (back_valid) assert (back_payload[place] == comesBit && stillValid == comesStays);
  end

  // ---- invariants of the induction
  wire [22:0] places = only(valid, {number3, block3[place], number2, block2[place],
    number1, block1[place], number0, block0[place]});
  integer a, b;
  always @* if (!reset) begin
    assert (list == places);
    for (a = 0; a < 4; a = a + 1)
      for (b = 0; b < a; b = b + 1)
        assert (a >= list[22:20] || list[5 * a + 1 +: 4] != list[5 * b + 1 +: 4]);
    assert (age == 0 || age == 1 || age == 2 || age == 4);
    assert (moving == (age != 0) && (!moving || left == (age[0] ? 2 : age[1] ? 1 : 0)));
    if (moving)
      assert (movingBlock[place] == comesBit && movingNumber == comes &&
        movingStays == comesStays);
  end
endmodule
