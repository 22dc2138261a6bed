// SPDX-License-Identifier: BSD-2-Clause
// Bytes that a page carries as Base64 of gzip.
'use strict';

async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
