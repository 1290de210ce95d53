import { quickstart } from './quickstart.ts';

/** Serves the quickstart until Ctrl-C or SIGTERM. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => {
    // Under npm, Ctrl-C arrives twice, from the terminal and from npm. So a second signal does not force the exit; only
    // this timer does.
    setTimeout(() => process.exit(1), 1900).unref();
    stop.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // The reader of the output may close it; the daemon keeps running.
  process.stdout.on('error', () => undefined);
  const { stdin, stdout, stderr, env } = process;
  const argv = process.argv.slice(3);
  process.exitCode = await quickstart({ argv, stdin, stdout, stderr, env, cwd: process.cwd(), signal: stop.signal });
  // A running check may keep the process alive, but not for long.
  setTimeout(() => process.exit(), 500).unref();
}
