import { quickstart } from './quickstart.ts';

/** Serves the quickstart until Ctrl-C or SIGTERM. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => {
    // Ctrl-C under npm comes twice, from the terminal and from npm: only the clock may end it the hard way.
    setTimeout(() => process.exit(1), 1900).unref();
    stop.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // Whoever reads the screen may go away; the daemon goes on.
  process.stdout.on('error', () => undefined);
  const { stdin, stdout, stderr, env } = process;
  const argv = process.argv.slice(3);
  process.exitCode = await quickstart({ argv, stdin, stdout, stderr, env, cwd: process.cwd(), signal: stop.signal });
  // Whatever still holds the process (a check under way) may not hold it for long.
  setTimeout(() => process.exit(), 500).unref();
}
