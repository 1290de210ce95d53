// Serves with the single executable's program for a moment, in plain Node of the same version, and writes the code that V8
// compiled meanwhile. Usage: serve-and-compile.cjs <file with the names and files of the assets as JSON> <file to write>
'use strict';
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { createParts } = require('../../bin/require-parts.cjs');

const [assetsFile, codeFile] = process.argv.slice(2);
const files = JSON.parse(readFileSync(assetsFile, 'utf8'));
const read = (name) => (files[name] ? readFileSync(files[name]) : null);
/** Stands for `node:sea`, which only executables have. */
const sea = { isSea: () => true, getRawAsset: (name) => new Uint8Array(read(name)).buffer };

const folder = mkdtempSync(join(tmpdir(), 'uptime-build-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const name of Object.keys(process.env)) if (name.startsWith('UPTIME_')) delete process.env[name];
Object.assign(process.env, { UPTIME_DATA_DIR: folder, UPTIME_PORT: '0', UPTIME_HOST: '127.0.0.1' });
process.argv = [process.execPath, 'uptimed', 'serve'];

let log = '';
const write = process.stderr.write.bind(process.stderr);
process.stderr.write = (chunk, ...rest) => {
  log += String(chunk);
  return write(chunk, ...rest);
};
const parts = createParts((name) => (name === 'node:sea' ? sea : require(name)), read);
parts.load('apart:main');
const poll = setInterval(() => {
  if (!log.includes('"message":"serving"')) return;
  clearInterval(poll);
  writeFileSync(codeFile, parts.compiledCodeOf('apart:uptimed'));
  process.exit();
}, 10);
