// SPDX-License-Identifier: BSD-2-Clause
// The TLB's register always agrees with its RAM: a valid answer is that of the lowest matching
// entry, or says that no entry matches. The proof is of four entries and any commands, pages and
// spaces.
module tlb (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  TlbOfFour unit (.*);
  `observe(unit, valids, at, wanted, last, lastNumber, answered = resultValid, searching, clearing,
    entry0 = probe0, entry1 = probe1, entry2 = probe2, entry3 = probe3,
    found = lastAnswer_found, frame = lastAnswer_frame, global_ = lastAnswer_global)

  function [20:0] below(input [56:0] entry); // address bits that the entry does not translate
    below = entry[50:49] == 3 ? 21'h1ff : entry[50:49] == 2 ? 21'h3f :
      entry[50:49] == 1 ? 21'h7 : 21'h0;
  endfunction
  function matches(input [56:0] entry, input [20:0] number, input [5:0] space);
    matches = ((entry[20:0] ^ number) & ~below(entry)) == 0 &&
      (entry[48] || entry[47:42] == space);
  endfunction
  wire [3:0] hits = valids & {matches(entry3, last, asn), matches(entry2, last, asn),
    matches(entry1, last, asn), matches(entry0, last, asn)};
  wire [3:0] hitsWanted = valids & {matches(entry3, wanted, asn), matches(entry2, wanted, asn),
    matches(entry1, wanted, asn), matches(entry0, wanted, asn)};
  wire [1:0] first = hits[0] ? 0 : hits[1] ? 1 : hits[2] ? 2 : 3;
  wire [56:0] entry = first == 0 ? entry0 : first == 1 ? entry1 : first == 2 ? entry2 : entry3;

  reg [5:0] asnBefore;
  reg forgot = 0;
  always @(posedge clk) begin
    asnBefore <= asn;
    forgot <= forget;
  end
  always @* begin
    // Commands wait for each other, the space changes with `forget`, an instruction that issues has
  // its answer.
    assume (!(command_valid && busy) && !(used && (command_valid || forget)));
    assume (!started || forgot || asn == asnBefore);
    assume (!used || (known && answer_found));
    if (started) begin
      assert (!(clearing && (answered || searching)));
      assert (searching || clearing || at == 0);
      assert (!searching || (hitsWanted & ~(4'hf << at)) == 0); // entries before `at`
      assert (!answered || found == (hits != 0));
      if (answered && found) begin
        assert (lastNumber == first && global_ == entry[48]);
        assert (frame == ((last & below(entry)) | (entry[41:21] & ~below(entry))));
        assert ({answer_rights_userWrites, answer_rights_kernelWrites, answer_rights_userReads,
          answer_rights_kernelReads, answer_rights_faultOnWrite, answer_rights_faultOnRead} ==
          entry[56:51]);
      end
      assert (!known || (answered && page == last));
    end
  end
endmodule
