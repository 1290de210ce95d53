import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './root.mjs';

/** Runs `work` while no other process of this clone runs work of that name; waits for its turn, and says so once. */
export async function alone(name, work) {
  const lock = join(root, `.stamp-${name}`);
  let told = false;
  while (!take(lock)) {
    if (dropIfGone(lock)) continue;
    if (!told)
      process.stderr.write(`Another process is at it; waiting for it (or remove ${lock}, if there is none)…\n`);
    told = true;
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

/** A link comes into being with its content: nobody ever sees a lock without its holder. */
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

/** Takes the lock of a killed process away; answers whether it did. */
function dropIfGone(lock) {
  if (!isGone(lock)) return false;
  const taken = `${lock}-gone-${process.pid}`;
  try {
    renameSync(lock, taken);
    // Between the look and the move someone else may have dropped it and taken it anew: then it goes back.
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
    // ESRCH: no such process. ENOENT: it has just been released. EPERM: someone else's process, and alive.
    return error.code === 'ESRCH';
  }
}
