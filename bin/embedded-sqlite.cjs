'use strict';
// Replaces the package better-sqlite3 in the single executable. The native part is an asset of the executable. A system
// can load native code only from a file, so the part is written to a new private folder, loaded, and removed. So no
// file stays, and two programs that start at the same time do not disturb each other.
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join, resolve } = require('node:path');
const { getRawAsset } = require('node:sea');
const createDatabase = require('../node_modules/better-sqlite3/lib/database.js');

let addon;
/** A list with the folder of the first opened database, which is the data folder; empty for a database in memory. */
let dataDir;

function getAddon() {
  addon ??= load();
  return addon;
}

function load() {
  const reasons = [];
  // The temp folder may be missing or forbid programs (noexec). The data folder is always writable.
  for (const place of new Set([tmpdir(), ...dataDir, resolve(dirname(process.execPath)), process.cwd()])) {
    let folder;
    try {
      folder = mkdtempSync(join(place, '.uptime-'));
      const file = join(folder, 'sqlite.node');
      writeFileSync(file, Buffer.from(getRawAsset('sqlite.node')), { mode: 0o700, flag: 'wx' });
      const loaded = { exports: {} };
      process.dlopen(loaded, file);
      return loaded.exports;
    } catch (error) {
      reasons.push(`${place}: ${error.message}`);
    } finally {
      if (folder) remove(folder);
    }
  }
  throw new Error(`SQLite could not be unpacked; set TMPDIR to a folder that allows programs (${reasons.join('; ')}).`);
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    // Windows cannot remove a file while a program has loaded it, so the file stays in the temp folder.
    if (process.platform !== 'win32') throw error;
  }
}

module.exports = new Proxy(createDatabase(getAddon, true), {
  construct(Database, given) {
    dataDir ??= typeof given[0] === 'string' ? [dirname(resolve(given[0]))] : [];
    return new Database(...given);
  },
});
module.exports.SqliteError = require('../node_modules/better-sqlite3/lib/sqlite-error.js');
