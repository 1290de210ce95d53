'use strict';
// Stands in for the package better-sqlite3 inside the single executable: the same database, its native part from the
// executable's assets. A system can load native code from a file alone, so it is written to a private folder, loaded,
// and taken away again: nothing stays behind, and two programs that start at once never meet.
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join, resolve } = require('node:path');
const { getRawAsset } = require('node:sea');
const createDatabase = require('../node_modules/better-sqlite3/lib/database.js');

let addon;
/** The folder of the database that is opened first, which is the data folder; empty for one in memory. */
let dataDir;

function getAddon() {
  addon ??= load();
  return addon;
}

function load() {
  const reasons = [];
  // The temp folder may be missing or forbid programs (noexec). The data folder can be written in any case.
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
  throw new Error(
    `SQLite could not be unpacked; set TMPDIR to a folder that may hold programs (${reasons.join('; ')}).`,
  );
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    // Windows keeps a loaded file; the system clears its temp folder.
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
