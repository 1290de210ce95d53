import { spawn } from 'node:child_process';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running program under test. */
export interface RunningProgram {
  /** Waits until the output matches. Throws with the whole output if the program ends first, or after 60 s. */
  says(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Everything that the program has written so far, to standard output and standard error. */
  output(): string;
  ended: Promise<Ended>;
  pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal, and waits until the program has ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; withinMs: number }>;
  /** Kills the program if it still runs, and waits until it has ended. */
  kill(): Promise<void>;
}

export function startProgram(
  file: string,
  args: string[],
  options: { cwd: string; env: Record<string, string> },
): RunningProgram {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  let wake = () => {};
  let running = true;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      written += chunk;
      wake();
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      running = false;
      resolve({ code, signal });
      wake();
    });
  });
  return {
    output: () => written,
    ended,
    pid: child.pid!,
    async says(pattern) {
      const deadline = performance.now() + 60_000;
      for (;;) {
        const match = written.match(pattern);
        if (match) return match;
        const leftMs = deadline - performance.now();
        if (!running || leftMs <= 0)
          throw new Error(`The program never printed ${String(pattern)}; its output:\n${written}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    signal(signal) {
      child.kill(signal);
    },
    async end(signal) {
      const begun = performance.now();
      child.kill(signal);
      const { code } = await ended;
      return { code, withinMs: performance.now() - begun };
    },
    async kill() {
      if (running) child.kill('SIGKILL');
      await ended;
    },
  };
}
