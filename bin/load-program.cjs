'use strict';
// The main file of the single executable. The build runs it once, and stores the memory of V8 after this run in the
// executable (a snapshot). A start of the executable continues with the function at the end of this file. So a start
// does not build the schemas of the contract again.
const { startupSnapshot } = require('node:v8');
const inSnapshot = require('./parts-in-snapshot.ts');
const { createParts } = require('./require-parts.cjs');

/** Modules of Node that a start needs, and that can be in a snapshot. `node:http` and `node:tls` cannot be in one. */
const builtIns = [
  'node:assert',
  'node:async_hooks',
  'node:crypto',
  'node:diagnostics_channel',
  'node:dns/promises',
  'node:fs/promises',
  'node:net',
  'node:querystring',
  'node:stream/consumers',
  'node:timers/promises',
  'node:vm',
  'node:zlib',
];
for (const name of builtIns) require(name);

startupSnapshot.setDeserializeMainFunction(() => {
  const { getAssetKeys, getRawAsset } = require('node:sea');
  const assets = new Set(getAssetKeys());
  const read = (name) => (assets.has(name) ? Buffer.from(getRawAsset(name)) : null);
  createParts(require, read, inSnapshot)('apart:main');
});
