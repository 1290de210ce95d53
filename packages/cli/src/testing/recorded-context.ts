import { Readable, Writable } from 'node:stream';
import { type Context, createContext, type ContextOptions } from '../context.ts';

interface Recording extends Partial<Pick<ContextOptions, 'env' | 'cwd' | 'fetch' | 'program'>> {
  /** Whether the signal is aborted from the start, as after Ctrl-C. */
  aborted?: boolean;
  stdin?: string;
  /** The width of the terminal. Without it, standard output and standard error are pipes. */
  columns?: number;
}

/** Creates a context, and records its output in `output`. */
export function recordedContext({
  aborted = false,
  stdin = '',
  columns,
  env = {},
  cwd = '/',
  ...rest
}: Recording = {}): {
  context: Context;
  output: { stdout: string; stderr: string };
} {
  const output = { stdout: '', stderr: '' };
  const into = (name: keyof typeof output) => {
    const stream = new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        output[name] += chunk;
        done();
      },
    });
    // A moving line calls these methods to move the cursor. Here, the methods do nothing, so the recording contains
    // every state of the line.
    const cursor = { cursorTo: () => true, moveCursor: () => true, clearLine: () => true };
    return Object.assign(stream, columns !== undefined && { isTTY: true, columns, rows: 30, ...cursor });
  };
  const context = createContext({
    stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
    stdout: into('stdout'),
    stderr: into('stderr'),
    env,
    cwd,
    ...(aborted && { signal: AbortSignal.abort() }),
    ...rest,
  });
  return { context, output };
}
