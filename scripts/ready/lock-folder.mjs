import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './root.mjs';

/** Runs `work` while no other process of this clone runs work of that name; waits for its turn, and says so once. */
export async function lockFolder(name, work) {
  const folder = join(root, `.stamp-${name}`);
  for (let tries = 0; !take(folder); tries += 1) {
    if (tries === 0) process.stderr.write(`Another process is at it (${name}); waiting for it…\n`);
    if (holderIsGone(folder)) rmSync(folder, { recursive: true, force: true });
    else await sleep(200);
  }
  const release = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function take(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(folder, 'pid'), String(process.pid));
  return true;
}

function holderIsGone(folder) {
  try {
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')) || process.pid, 0);
    return false;
  } catch (error) {
    // No such process: it was killed. No such file: it has just ended, or just begun, and the next try tells.
    return error.code === 'ESRCH';
  }
}
