import { version } from './version.ts';

/**
 * Runs this process's command line; `pingAfterMs` is what a server asked a ping to wait.
 * Besides bin.ts the only file that touches the process.
 */
export async function main(pingAfterMs = 0): Promise<void> {
  const argv = process.argv.slice(2);
  // Asked for by scripts, often: answered before anything else is loaded.
  if (argv.length === 1 && /^(?:--version|-V|version)$/.test(argv[0] ?? '')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  const { run } = await import('./run.ts');
  const { createContext } = await import('./context.ts');
  const { takeSignals } = await import('./signals.ts');
  // The first signal lets what is under way finish; the next ends at once.
  const signals = takeSignals(process, () => process.exit(130));
  const { stdin, stdout, stderr, env } = process;
  // A reader that went away (`uptime … | head`) is no failure, and no reason to leave an apply half done.
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
  });
  const exit = await run(argv, context);
  process.exitCode = exit || process.exitCode;
  signals.close();
  stdin.unref?.();
}

/** The name that the program was called by: of its two, the shorter one where the path does not say. */
const programName = (path = ''): 'uptime' | 'uptimectl' =>
  /(?:^|[\\/])uptimectl(?:\.\w+)?$/.test(path) ? 'uptimectl' : 'uptime';
