// SPDX-License-Identifier: BSD-2-Clause
// What the D-cache says of a load in E1, twice, as one: asserted of it (dcache.sv), assumed where
// it is cut.
  `observe(core.loadStore_1, cacheHit = cache_hit, cacheMisses = cache_misses,
    cacheLoad = cache_load)
  wire cacheRules = cacheMisses == (cacheLoad && !cacheHit);
