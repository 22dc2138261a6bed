// SPDX-License-Identifier: BSD-2-Clause
// The lock flag of a coherent core: what it says of STx_C to the private cache, whose decision is
// proof `snoop_order`'s and this one's together. STx_C has its flag only if LDx_L of its 32 bytes
// came before it, and in no tick from that of LDx_L on the b-cache lost the block, and neither a
// STx_C, a trap nor HW_REI came between.
module locks (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  CoherentLocks unit (.*);
  (* anyconst *) wire [26:0] any; // a block of the b-cache, of 128 bytes
  wire linksIt = load && address[33:7] == any;
  wire losesIt = dma_valid && dma_payload[33:7] == any;

  reg flag, mine; // LDx_L of this block holds; STx_C that waits has taken it from there
  reg [28:0] bytes; // of that LDx_L, in 32
  reg waits, compared; // STx_C is on its way; its address has been looked at
  reg [28:0] wanted;
  reg took; // the private cache has its entry
  wire sends = waiting && unitEntered && sent && !took;
  wire ours = waiting && wanted[28:2] == any;
  `observe(unit, unitEntered = entered, unitFlag = flag, unitArmed = armed, unitGuarded = guarded_1,
    unitLost = lost, unitTaken = taken, unitSame = same, unitCompared = compared)
  always @(posedge clk) if (reset) {flag, mine, took, compared, waits} <= 0;
  else begin
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
    assume (tick);
    assume (!(load && conditional) && !((load || conditional) && waiting));
    assume (waiting == waits && (!waiting || job[33:5] == wanted));
    assume (!verdict_valid || took); // the private cache decides what it has, once
    assume (!sent || !holdWrite);
    if (!reset && started) begin
      assert (!(holds && ours && took) || holdsIt);
      assert (!(sends && ours) || holdsIt); // no entry goes without the flag
      assert (!(waiting && compared && ours && holdsIt) || holds); // nor is it lost for nothing
      assert (unitTaken == took && (!took || unitEntered));
      // A flag that fell before the private cache took the entry: it never gets it.
      assert (!cancel || !took);
      assert (!(decided && !verdict_valid && !toIo) || !took);
      // Invariants of the induction.
      assert (flag == (unitFlag && guardsIt) && mine == (unitArmed && guardsIt));
      assert (!(flag || mine) || bytes == unitGuarded);
      assert (compared == unitCompared);
      assert (!(compared && waits) || unitSame == (wanted == unitGuarded));
      assert (waits || !unitArmed && !unitEntered);
      assert (!unitEntered || compared);
    end
  end
endmodule
