'use strict';
// The main file of the single executable. It loads the program from the executable's assets, with the code that V8
// compiled at the build for a start of the server. Node's own code cache has no function that is compiled at its first call.
const { getAssetKeys, getRawAsset } = require('node:sea');
const { createParts } = require('./require-parts.cjs');

const assets = new Set(getAssetKeys());
const read = (name) => (assets.has(name) ? Buffer.from(getRawAsset(name)) : null);
createParts(require, read).load('apart:main');
