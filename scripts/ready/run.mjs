import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const running = new Set();
let stoppedBy;

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stoppedBy = signal;
    for (const child of running) child.kill(signal);
    // npm would first unpack all that it has begun, which may take half a minute.
    setTimeout(() => running.forEach((child) => child.kill('SIGKILL')), 1000);
    endOnceAlone();
  });
}

/** By process.exit, which releases the locks that are held. */
function endOnceAlone() {
  if (running.size === 0) process.exit(128 + constants.signals[stoppedBy]);
}

/**
 * Runs a program, and answers how it ended and what it said through pipes. Whoever loads this hands SIGINT and SIGTERM
 * on to the programs that it runs, and ends after them. What those have begun is theirs to end: where npm is killed, the
 * install script of a package may go on for a moment.
 */
export function run(file, args, options) {
  return new Promise((resolve) => {
    const child = spawn(file, args, options);
    running.add(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
    const ended = (how) => {
      running.delete(child);
      // A program that was stopped has not failed: nobody is told how it ended.
      if (stoppedBy) endOnceAlone();
      else resolve({ text, ...how });
    };
    child.on('error', (error) => ended({ error }));
    child.on('close', (code, signal) => ended({ code, signal }));
  });
}
