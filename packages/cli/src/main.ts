import { version } from './version.ts';

/** Runs this process's command line. Besides bin.ts the only file that touches the process. */
export async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  // Asked for by scripts, often: answered before anything else is loaded.
  if (argv.length === 1 && /^(?:--version|-V)$/.test(argv[0] ?? '')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  const { run } = await import('./run.ts');
  const { createContext } = await import('./context.ts');
  const { takeSignals } = await import('./signals.ts');
  // The first signal lets what is under way finish; the next ends at once.
  const signals = takeSignals(process, () => process.exit(130));
  // A reader that went away (`uptime … | head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  const { stdin, stdout, stderr, env } = process;
  const { signal, onSignal } = signals;
  const context = createContext({ stdin, stdout, stderr, env, cwd: process.cwd(), signal, onSignal });
  process.exitCode = await run(argv, context);
  signals.close();
  process.stdin.unref?.();
}
