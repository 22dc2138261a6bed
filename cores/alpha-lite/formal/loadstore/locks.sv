// SPDX-License-Identifier: BSD-2-Clause
// The lock flag of a coherent core, which the private cache reads when it decides STx_C. Together
// with proof `snoop_order`: STx_C has its flag only if LDx_L of the same 32 bytes came before it,
// the b-cache did not lose the block in any tick since that of LDx_L, and no STx_C, trap or HW_REI
// came between. Any clock may be no tick.
module locks (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  CoherentLocks unit (.clockEnabled(tick), .*);
  always @* assume (tick || !reset);
  (* anyconst *) wire [26:0] any; // a block of the b-cache, of 128 bytes
  wire linksIt = load && address[33:7] == any;
  wire losesIt = dma_valid && dma_payload[33:7] == any;

  reg flag, mine; // the flag of LDx_L of this block; the flag that the waiting STx_C took
  reg [28:0] bytes; // the 32 bytes of that LDx_L
  reg waits, compared; // STx_C waits; its address has been compared
  reg [28:0] wanted;
  reg took; // the private cache has the entry of STx_C
  wire sends = waiting && unitEntered && sent && !took;
  wire ours = waiting && wanted[28:2] == any;
  `observe(unit, unitEntered = entered, unitFlag = flag, unitArmed = armed, unitGuarded = guarded_1,
    unitLost = lost, unitTaken = taken, unitSame = same, unitCompared = compared, named)
  reg [33:0] payload0; // in the last clock
  always @(posedge clk) payload0 <= dma_payload;
  always @(posedge clk) if (reset) {flag, mine, took, compared, waits} <= 0;
  else if (tick) begin
    if (break_1 || conditional) flag <= 0;
    else if (load || losesIt) flag <= linksIt && !losesIt;
    if (linksIt) bytes <= address[33:5];
    if (decided) mine <= 0;
    else if (conditional || losesIt) mine <= conditional && flag && !losesIt;
    if (conditional) wanted <= address[33:5];
    waits <= conditional || (waiting && !decided);
    compared <= waiting;
    took <= (took || sends) && !decided;
  end
  wire holdsIt = mine && !losesIt && wanted == bytes;
  wire guardsIt = !unitLost && unitGuarded[28:2] == any;
  always @* begin
    // The load-store unit: E1 has one access; STx_C waits from the next tick until it is decided.
    assume (!dma_valid || dma_payload == payload0); // named in the clock before its tick
    assume (!(load && conditional) && !((load || conditional) && waiting));
    assume (waiting == waits && (!waiting || job[33:5] == wanted));
    assume (!verdict_valid || took); // the private cache decides an entry that it has, once
    assume (!sent || !holdWrite);
    if (!reset && started) begin
      assert (!(holds && ours && took) || holdsIt);
      assert (!(sends && ours) || holdsIt); // no entry goes without the flag
      assert (!(waiting && compared && ours && holdsIt) || holds); // the flag falls for a reason
      assert (unitTaken == took && (!took || unitEntered));
      // If the flag fell before the private cache took the entry, it never gets the entry.
      assert (!cancel || !took);
      assert (!(decided && !verdict_valid && !toIo) || !took);
      // Invariants of the induction.
      assert (flag == (unitFlag && guardsIt) && mine == (unitArmed && guardsIt));
      assert (!(flag || mine) || bytes == unitGuarded);
      assert (compared == unitCompared);
      assert (!(compared && waits) || unitSame == (wanted == unitGuarded));
      assert (waits || !unitArmed && !unitEntered);
      assert (!unitEntered || compared);
      assert (!waits || named == (payload0[33:7] == unitGuarded[28:2]));
    end
  end
endmodule
