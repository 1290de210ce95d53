import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './root.mjs';

/**
 * Runs `work`. First waits while another process of this clone runs work with the same name, and prints that it waits.
 */
export async function alone(name, work) {
  const lock = join(root, `.stamp-${name}`);
  let printed = false;
  while (!take(lock)) {
    if (dropIfGone(lock)) continue;
    if (!printed)
      process.stderr.write(`Waiting for another process to finish (remove ${lock} if no such process runs)…\n`);
    printed = true;
    await sleep(100);
  }
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/**
 * Takes the lock. Returns false if another process holds it. A hard link gets its content at once, so a lock always
 * names its holder.
 */
function take(lock) {
  const draft = `${lock}-${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the lock if the process that holds it was killed. Returns false if that process still runs. */
function dropIfGone(lock) {
  if (!isGone(lock)) return false;
  const taken = `${lock}-gone-${process.pid}`;
  try {
    renameSync(lock, taken);
    // After `isGone`, another process may have replaced the old lock by its own lock. Then the new lock is restored.
    if (!isGone(taken)) linkSync(taken, lock);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(taken, { force: true });
  }
  return true;
}

function isGone(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return false;
  } catch (error) {
    // ESRCH: no such process. ENOENT: the lock was just released. EPERM: a running process of another user.
    return error.code === 'ESRCH';
  }
}
