import { programName } from './program-name.ts';

/**
 * Runs the command line of this process. If the server has asked for a wait before the next ping, `pingAfterMs` is the
 * length of this wait. Only this file and bin.ts access the global `process`.
 */
export async function main(pingAfterMs = 0): Promise<void> {
  const argv = process.argv.slice(2);
  const { run } = await import('./run.ts');
  const { createContext } = await import('./context.ts');
  const { takeSignals } = await import('./signals.ts');
  // At the first signal, running work may finish. At the second signal, the process exits at once.
  const signals = takeSignals(process, () => process.exit(130));
  const { stdin, stdout, stderr, env } = process;
  // If the reader of a pipe exits, as in `uptime … | head`, that is not a failure, and must not stop an apply before
  // its end.
  for (const stream of [stdout, stderr]) {
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return;
      if (stream === stdout && !process.exitCode) stderr.write(`error: the output cannot be written: ${message}\n`);
      process.exitCode = 1;
    });
  }
  const { signal, onSignal } = signals;
  const context = createContext({
    stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    signal,
    onSignal,
    pingAfterMs,
    program: programName(process.argv[1]),
    processes: { own: process.pid, isRunning },
  });
  const exit = await run(argv, context);
  process.exitCode = exit || process.exitCode;
  signals.close();
  stdin.unref?.();
}

/** Whether a process with this id runs on this machine. It may belong to another user. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
