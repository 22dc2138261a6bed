// SPDX-License-Identifier: BSD-2-Clause
// Rules of the fetch unit on which stage D relies; proof foreseen asserts them of the real fetch
// unit and decoder. The instruction in D stays until a tick or until E1 revokes it, and so does its
// control word. D is void after a redirection until the next tick has passed. What was decoded
// before D is right. A hold for ideal memory begins with a tick.
// Included where word, kind, destination, readsA, readsB, locked and legal have their names.
  `observe(core, d_valid = fetch_fetched_valid, d_cold = fetch_fetched_payload_cold,
    d_sources = fetch_fetched_payload_sources, d_settles = fetch_fetched_payload_settles,
    d_needsA = fetch_fetched_payload_needs_readsA, d_needsB = fetch_fetched_payload_needs_readsB,
    d_branches = fetch_fetched_payload_needs_branches,
    d_stores = fetch_fetched_payload_needs_stores,
    d_addresses = fetch_fetched_payload_needs_addresses,
    d_memory = fetch_fetched_payload_needs_memory,
    d_multiplies = fetch_fetched_payload_needs_multiplies,
    d_writesRa = fetch_fetched_payload_needs_writesRa,
    d_writesRc = fetch_fetched_payload_needs_writesRc, d_revokes = pipeline_1_revokes,
    d_redirects = fetch_redirect_valid)
  reg d_stays = 0, d_revoked = 0, d_turned = 0;
  reg [77:0] d_asked0;
  wire [9:0] d_needs = {d_settles, d_addresses, d_needsA, d_needsB, d_branches, d_stores,
    d_memory, d_multiplies, d_writesRa, d_writesRc};
  wire [77:0] d_asked = {d_cold, word, kind, destination, readsA, readsB, locked, legal, d_sources,
    d_needs};
  always @(posedge clk) begin
    {d_stays, d_revoked} <= {d_valid && !tick && !reset, d_revokes};
    d_asked0 <= d_asked;
    if (reset || tick || d_revokes) d_turned <= !reset && (d_revokes || d_redirects);
  end
  // What is known early of a word: that it has opcode 18; of legal ones the facts of `Needs`.
  function isDecoded(input [31:0] of, input [16:0] is, input [1:0] to, input isLegal,
      input reads1, input reads2, input [9:0] needs);
    reg access;
    begin
      access = is == `Kind_store || (is == `Kind_load && of[25:21] != 31);
      isDecoded = needs[9] == (of[31:26] == 6'h18) && (is != `Kind_barrier || needs[9]) &&
        (!isLegal || ((!needs[6] || needs[8] == (access || is == `Kind_jump)) &&
          needs[7:0] == {reads1, reads2 && !(of[31:28] == 4 && of[12]) &&
            !(is == `Kind_load && of[25:21] == 31), is == `Kind_branch, is == `Kind_store, access,
            is == `Kind_multiply, to == `Destination_ra && !needs[9], to == `Destination_rc}));
    end
  endfunction
  wire frontRules = (!d_stays || (d_valid ? d_asked == d_asked0 : d_revoked)) &&
    holdRule && !(d_turned && d_valid) && (!d_valid || (d_sources == ~word[25:16] &&
      isDecoded(word, kind, destination, legal, readsA, readsB, d_needs)));
