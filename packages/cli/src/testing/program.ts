import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compileCache } from '../../../daemon/src/testing/compile-cache.ts';
import { testProgram } from '../../../daemon/src/testing/test-program.ts';

export interface Ended {
  exit: number | null;
  stdout: string;
  stderr: string;
}

/** The program, running in its own process. */
export interface Running {
  /** Resolves when standard output contains a text. */
  printed: (text: string) => Promise<void>;
  kill: (signal: NodeJS.Signals) => void;
  ended: Promise<Ended>;
}

/** Starts the program with only the given environment variables and PATH. */
export function startProgram(words: readonly string[], options: { env: Record<string, string>; cwd: string }): Running {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [...testProgram('uptime'), ...words], {
    cwd: options.cwd,
    env: { PATH, ...compileCache(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  return {
    async printed(text) {
      while (!output.stdout.includes(text)) await once(child.stdout, 'data');
    },
    kill: (signal) => void child.kill(signal),
    ended: once(child, 'close').then(([exit]) => ({ exit: exit as number | null, ...output })),
  };
}
