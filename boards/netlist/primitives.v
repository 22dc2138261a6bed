// SPDX-License-Identifier: BSD-2-Clause
// Block RAM and multiplier of the ECP5, in the modes that yosys uses. yosys has models of all other
// cells; LUT4 is written anew as one shift, because Verilator translates a shift to less code than
// four multiplexers. The mappings of yosys (lattice/brams_map_16kd.v, dsp_map_18x18.v) define the
// pins: ports of 18 and 36 bits take byte enables on their lowest address pins; a byte has nine
// bits, of which ports of 4, 2 and 1 bits see eight; a memory with one port to write 36 bits and
// one to read puts the pins of both sides together. The value that a port reads while the other
// port writes it is undefined: here it is inverted, so that a netlist that uses it fails its tests.

module LUT4 (
  input A, B, C, D,
  output Z
);
  parameter [15:0] INIT = 16'h0000;
  assign Z = INIT[{D, C, B, A}];
endmodule

// One port of a block RAM of 512 x 36: `word` is the word at its address, `now` the word after its
// write, `changes` the bits that it writes, `clash` the bits of `word` that the other port writes.
module Ecp5RamPort (
  input clk, ce, we, rst,
  input [13:0] ad,
  input [35:0] di, word, clash,
  output write,
  output [35:0] now, changes,
  output reg [35:0] q
);
  parameter WIDTH = 18;
  parameter WRITEMODE = "NORMAL";
  localparam [35:0] ONES = WIDTH == 36 ? ~36'h0 : (36'h1 << WIDTH) - 36'h1;
  wire [5:0] shift = WIDTH == 36 ? 6'd0 : WIDTH == 18 ? (ad[4] ? 6'd18 : 6'd0)
    : 6'd9 * {4'd0, ad[4:3]} + (WIDTH == 4 ? {3'd0, ad[2], 2'd0}
    : WIDTH == 2 ? {3'd0, ad[2:1], 1'd0} : WIDTH == 1 ? {3'd0, ad[2:0]} : 6'd0);
  wire [35:0] bytes = {{9{ad[3]}}, {9{ad[2]}}, {9{ad[1]}}, {9{ad[0]}}};
  wire [35:0] mask = (WIDTH >= 18 ? bytes & ONES : ONES) << shift;
  assign now = (word & ~mask) | ((di << shift) & mask);
  assign write = ce & we & ~rst;
  assign changes = write ? mask : 36'd0;
  initial q = 0;
  always @(posedge clk) begin
    if (rst) begin
      q <= 0;
    end else if (ce && (!we || WRITEMODE == "READBEFOREWRITE")) begin
      q <= ((word ^ clash) >> shift) & ONES;
    end else if (ce && WRITEMODE == "WRITETHROUGH") begin
      q <= (now >> shift) & ONES;
    end
  end
endmodule

module DP16KD (
  input DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5,
  DIA4, DIA3, DIA2, DIA1, DIA0, ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4,
  ADA3, ADA2, ADA1, ADA0, CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
  DOA4, DOA3, DOA2, DOA1, DOA0,
  input DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5,
  DIB4, DIB3, DIB2, DIB1, DIB0, ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4,
  ADB3, ADB2, ADB1, ADB0, CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
  DOB4, DOB3, DOB2, DOB1, DOB0
);
  parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18;
  parameter REGMODE_A = "NOREG", REGMODE_B = "NOREG";
  parameter RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC", GSR = "ENABLED";
  parameter CSDECODE_A = "0b000", CSDECODE_B = "0b000";
  parameter WRITEMODE_A = "NORMAL", WRITEMODE_B = "NORMAL";
  parameter CLKAMUX = "CLKA", CLKBMUX = "CLKB";
  parameter [319:0] INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0, INITVAL_04 =
  0, INITVAL_05 = 0, INITVAL_06 = 0, INITVAL_07 = 0, INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A =
  0, INITVAL_0B = 0, INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0, INITVAL_10 =
  0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0, INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 =
  0, INITVAL_17 = 0, INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0, INITVAL_1C =
  0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0, INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 =
  0, INITVAL_23 = 0, INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0, INITVAL_28 =
  0, INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0, INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E =
  0, INITVAL_2F = 0, INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0, INITVAL_34 =
  0, INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0, INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A =
  0, INITVAL_3B = 0, INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0;
  localparam [20479:0] INIT = {INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B,
  INITVAL_3A, INITVAL_39, INITVAL_38, INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33,
  INITVAL_32, INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B,
  INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23,
  INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B,
  INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13,
  INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B,
  INITVAL_0A, INITVAL_09, INITVAL_08, INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03,
  INITVAL_02, INITVAL_01, INITVAL_00};
  localparam WIDE_A = DATA_WIDTH_A == 36, WIDE_B = DATA_WIDTH_B == 36;

  wire [13:0] ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2,
  ADA1, ADA0};
  wire [13:0] adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2,
  ADB1, ADB0};
  wire [17:0] dia = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7,
  DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  wire [17:0] dib = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7,
  DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
  wire clka = CLKAMUX == "INV" ? ~CLKA : CLKA;
  wire clkb = CLKBMUX == "INV" ? ~CLKB : CLKB;
  reg [35:0] memory [0:511];
  wire [35:0] worda = memory[ada[13:5]], wordb = memory[adb[13:5]];
  wire [35:0] nowa, nowb, reada, readb, changesa, changesb;
  wire writea, writeb;
  wire same = ada[13:5] == adb[13:5];
  wire [35:0] dataa = {WIDE_A ? dib : 18'd0, dia};
  Ecp5RamPort #(.WIDTH(DATA_WIDTH_A), .WRITEMODE(WRITEMODE_A)) a (
    .clk(clka), .ce(CEA), .we(WEA), .rst(RSTA), .ad(ada), .di(dataa),
    .word(worda), .clash(same ? changesb : 36'd0), .write(writea), .now(nowa), .changes(changesa),
    .q(reada)
  );
  Ecp5RamPort #(.WIDTH(DATA_WIDTH_B), .WRITEMODE(WRITEMODE_B)) b (
    .clk(clkb), .ce(CEB), .we(WEB), .rst(RSTB), .ad(adb), .di({18'd0, dib}),
    .word(wordb), .clash(same ? changesa : 36'd0), .write(writeb), .now(nowb), .changes(changesb),
    .q(readb)
  );
  reg [35:0] keepa = 0, keepb = 0; // the output registers
  always @(posedge clka) begin
    if (RSTA) begin
      keepa <= 0;
    end else if (OCEA) begin
      keepa <= reada;
    end
  end
  always @(posedge clkb) begin
    if (RSTB) begin
      keepb <= 0;
    end else if (OCEB) begin
      keepb <= readb;
    end
  end
  wire [35:0] qa = REGMODE_A == "OUTREG" ? keepa : reada;
  wire [35:0] qb = REGMODE_B == "OUTREG" ? keepb : readb;
  always @(posedge clka) begin
    if (RESETMODE != "SYNC" && (RSTA || RSTB)) begin
      $display("an asynchronous reset of a block RAM: not modelled");
      $stop;
    end
    if (writea) memory[ada[13:5]] <= nowa;
    if (writea && writeb && same) begin
      $display("two writes into one word of a block RAM: not modelled");
      $stop;
    end
  end
  always @(posedge clkb) if (writeb) memory[adb[13:5]] <= nowb;
  generate
    if (INIT != 0) begin : contents
      integer i;
      initial
        for (i = 0; i < 512; i = i + 1)
          memory[i] = {INIT[40 * i + 20 +: 18], INIT[40 * i +: 18]};
    end
  endgenerate
  initial begin
    if (REGMODE_A != "NOREG" && REGMODE_A != "OUTREG" || REGMODE_A != REGMODE_B || CSDECODE_A != "0b000"
      || CSDECODE_B != "0b000") begin
      $display("a block RAM in a mode that is not modelled");
      $stop;
    end
  end
  wire [17:0] outb = WIDE_B ? qb[35:18] : qb[17:0];
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
  DOA4, DOA3, DOA2, DOA1, DOA0} = WIDE_B ? qb[17:0] : qa[17:0];
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
  DOB4, DOB3, DOB2, DOB1, DOB0} = outb;
endmodule

// The multiplier without its registers and its adder.
module MULT18X18D (
  input A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0, B17, B16,
  B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0, C17, C16, C15, C14, C13,
  C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  output P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
  P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
);
  wire signed [18:0] a = {SIGNEDA & A17, A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6,
  A5, A4, A3, A2, A1, A0};
  wire signed [18:0] b = {SIGNEDB & B17, B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6,
  B5, B4, B3, B2, B1, B0};
  wire signed [37:0] p = a * b;
  wire [35:0] product = p[35:0];
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19,
  P18, P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = product;
endmodule
