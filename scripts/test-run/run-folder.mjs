import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder whose files Linux keeps in memory. */
const memory = '/dev/shm';
const neededBytes = 2 * 1024 ** 3;

/**
 * Makes the folder for everything that a test run writes, and returns its path. The folder is in memory if there is
 * enough space. The tests make thousands of databases and sync them, which takes twice as long on a disk.
 */
export function makeRunFolder() {
  const folder = (hasRoom() && makeIn(memory)) || makeIn(tmpdir());
  if (folder === undefined)
    throw new Error(`Programs in ${tmpdir()} cannot run. Set TMPDIR to a folder whose programs can run.`);
  return folder;
}

function hasRoom() {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes && process.availableMemory() >= 2 * neededBytes;
  } catch {
    return false;
  }
}

/**
 * Makes a run folder in `parent`. Returns undefined if no program can run there, because tests start programs there.
 */
function makeIn(parent) {
  const folder = mkdtempSync(join(parent, 'uptime-tests-'));
  // Every user may write here, as in /tmp. If root runs the tests, PostgreSQL runs as another user, and makes a folder
  // here.
  chmodSync(folder, 0o1777);
  const program = join(folder, 'try');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  if (status === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}
