import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { testProgram } from './test-program.ts';

/** A probe in a process of its own. */
export interface ProbeProgram {
  process: ChildProcess;
  /** The log of the probe so far. */
  log(): string;
  /** Ends the probe at once, as a crash does. */
  kill(): Promise<void>;
  /** Ends the probe as an operator does. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts `uptimed probe`. A later probe with the same data folder continues with the stored data of the earlier one.
 */
export function startProbeProgram(options: {
  site: string;
  token: string;
  dataDir: string;
  env?: Record<string, string>;
}): ProbeProgram {
  const { site, token, dataDir, env = {} } = options;
  const args = [...testProgram('uptimed'), 'probe', '--join', site, '--token', '-', '--data-dir', dataDir];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], UPTIME_LOG_FORMAT: 'json', ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.end(`${token}\n`);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    process: child,
    log: () => log,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
