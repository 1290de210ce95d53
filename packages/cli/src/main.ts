import { createContext, type Context } from './context.ts';
import { run } from './run.ts';

/** Runs this process's command line. The only file that touches the process. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  // The first signal lets what is under way finish; the second ends at once.
  const onSignal = () => (stop.signal.aborted ? process.exit(130) : stop.abort());
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // A reader that went away (`uptime … | head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.exitCode = await run(process.argv.slice(2), processContext(stop.signal));
  process.off('SIGINT', onSignal);
  process.off('SIGTERM', onSignal);
  process.stdin.unref?.();
}

/** The context of this process: its streams, environment and folder. */
export function processContext(signal: AbortSignal): Context {
  const { stdin, stdout, stderr, env } = process;
  return createContext({ stdin, stdout, stderr, env, cwd: process.cwd(), signal });
}
