import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { type Context, createContext, type ContextOptions } from '../context.ts';

/** A text that the terminal shows, and the keys that a simulated person types when the text is shown. */
export type Answer = readonly [shown: string, keys: string];

/** The keys, as a terminal sends them. */
export const key = { enter: '\r', down: '\u001b[B', space: ' ', delete: '\u007f', interrupt: '\u0003' } as const;

/**
 * Creates a context on a terminal at which a simulated person answers questions in order. `screen` returns everything
 * that the terminal has shown, and `left` returns the answers that were not typed.
 */
export function typingContext(
  answers: readonly Answer[],
  { env = {}, ...rest }: Partial<Pick<ContextOptions, 'env' | 'cwd' | 'fetch'>> = {},
): { context: Context; screen: () => string; stdout: () => string; left: () => readonly Answer[] } {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const output = { stdout: '', stderr: '' };
  const waiting = [...answers];
  let typedAt = 0;
  const into = (name: keyof typeof output) =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write(chunk: string | Buffer, _encoding, done) {
          output[name] += stripVTControlCharacters(String(chunk));
          const [next] = waiting;
          if (name === 'stderr' && next && output.stderr.slice(typedAt).includes(next[0])) {
            waiting.shift();
            typedAt = output.stderr.length;
            // The question reads keys only after it was shown, so the keys are typed a little later.
            setImmediate(() => stdin.write(next[1]));
          }
          done();
        },
      }),
      {
        isTTY: true,
        columns: 100,
        rows: 40,
        // A question ends its output stream. The streams of a process ignore that, so this stream also ignores it.
        // Otherwise the terminal could not show the next question.
        end() {
          return this;
        },
      },
    );
  const context = createContext({
    stdin,
    stdout: into('stdout'),
    stderr: into('stderr'),
    env: { NO_COLOR: '1', ...env },
    cwd: '/',
    ...rest,
  });
  return { context, screen: () => output.stderr, stdout: () => output.stdout, left: () => waiting };
}
