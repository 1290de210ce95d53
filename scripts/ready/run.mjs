import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const running = new Set();
let stoppedBy;

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stoppedBy = signal;
    for (const child of running) child.kill(signal);
    // npm would first unpack all packages, which may take half a minute. So it is killed after a second.
    setTimeout(() => running.forEach((child) => child.kill('SIGKILL')), 1000);
    endOnceAlone();
  });
}

/** Exits if all programs that this process has started have ended. The exit releases the locks of `alone.mjs`. */
function endOnceAlone() {
  if (running.size === 0) process.exit(128 + constants.signals[stoppedBy]);
}

/**
 * Runs a program. Returns how the program ended, and its output if the output goes through pipes. A process that loads
 * this module passes SIGINT and SIGTERM on to the programs that it runs, and exits after them. It does not stop the
 * children of these programs: after npm is killed, the install script of a package may run for a moment.
 */
export function run(file, args, options) {
  return new Promise((resolve) => {
    const child = spawn(file, args, options);
    running.add(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
    const ended = (how) => {
      running.delete(child);
      // The signal stopped the program, which is not a failure. So the promise is not resolved, and this process exits.
      if (stoppedBy) endOnceAlone();
      else resolve({ text, ...how });
    };
    child.on('error', (error) => ended({ error }));
    child.on('close', (code, signal) => ended({ code, signal }));
  });
}
