import type { Context } from './context.ts';
import { version } from './version.ts';

/** Runs this process's command line. The only file that touches the process. */
export async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  // Asked for by scripts, often: answered before anything else is loaded.
  if (argv.length === 1 && /^(?:--version|-V)$/.test(argv[0] ?? '')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  const { run } = await import('./run.ts');
  const stop = new AbortController();
  // The first signal lets what is under way finish; the next ends at once. Under npx one Ctrl-C comes twice within
  // moments, from the terminal and from npm: that is still the first.
  let firstAt = Infinity;
  const onSignal = () => {
    if (performance.now() - firstAt > 300) process.exit(130);
    firstAt = Math.min(firstAt, performance.now());
    stop.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // A reader that went away (`uptime … | head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.exitCode = await run(argv, await processContext(stop.signal));
  process.off('SIGINT', onSignal);
  process.off('SIGTERM', onSignal);
  process.stdin.unref?.();
}

/** The context of this process: its streams, environment and folder. */
async function processContext(signal: AbortSignal): Promise<Context> {
  const { createContext } = await import('./context.ts');
  const { stdin, stdout, stderr, env } = process;
  return createContext({ stdin, stdout, stderr, env, cwd: process.cwd(), signal });
}
