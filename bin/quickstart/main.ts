import { quickstart } from './quickstart.ts';

/** Usually a stop takes less than 2 s. On an overloaded machine it may take longer, and should still end cleanly. */
const maxStopMs = 10_000;

/** Serves the quickstart until Ctrl-C or SIGTERM. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => {
    // Under npm, Ctrl-C arrives twice: from the terminal and from npm. So a second signal must not force an exit. Only
    // this timer forces it.
    setTimeout(giveUp, maxStopMs).unref();
    stop.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // If the reader of the output closes its end, the daemon continues to run.
  process.stdout.on('error', () => undefined);
  const { stdin, stdout, stderr, env } = process;
  const argv = process.argv.slice(3);
  process.exitCode = await quickstart({ argv, stdin, stdout, stderr, env, cwd: process.cwd(), signal: stop.signal });
  // A check that still runs keeps the process alive. After half a second, this timer ends the process.
  setTimeout(() => process.exit(), 500).unref();
}

function giveUp(): void {
  process.stderr.write(`The stop did not finish within ${maxStopMs / 1000} s, so the program ends without it.\n`);
  process.exit(1);
}
