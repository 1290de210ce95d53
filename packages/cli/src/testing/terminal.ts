import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { stripVTControlCharacters } from 'node:util';
import { compileCache } from '../../../daemon/src/testing/compile-cache.ts';
import { testProgram } from '../../../daemon/src/testing/test-program.ts';

/** The program, running in a pseudo-terminal of 40 lines. */
export interface TerminalRun {
  /**
   * Resolves when the terminal shows a text that was printed after the last typed keys. Rejects if the program ends
   * before that, or after a minute.
   */
  shows: (text: string) => Promise<void>;
  /**
   * Changes the size of the window. After that, `shows` waits only for later output, in the same way as after typed
   * keys.
   */
  resize: (columns: number, rows: number) => void;
  /** Types keys; `\r` is Enter. */
  type: (keys: string) => void;
  /** Resolves with the exit code, the final screen, and all output that was sent to the terminal. */
  ended: Promise<{ exit: number; screen: string; sent: string }>;
}

/** Starts the program with only the given environment variables, PATH and TERM. */
export function runInTerminal(
  words: readonly string[],
  { env, cwd }: { env: Record<string, string>; cwd: string },
  { columns = 100, reportsWidth = true } = {},
): TerminalRun {
  const size = { cols: columns, rows: 40 };
  const { PATH = '' } = process.env;
  const program = [process.execPath, ...testProgram('uptime'), ...words];
  const [file, ...args] = reportsWidth ? program : ['sh', '-c', 'stty cols 0 && exec "$@"', 'sh', ...program];
  const pty = spawn(file!, args, {
    ...size,
    cwd,
    env: { PATH, TERM: 'xterm-256color', ...compileCache(), ...env },
  });
  const screen = new headless.Terminal({ ...size, allowProposedApi: true });
  let sent = '';
  let typedAt = 0;
  let over = false;
  const waiting = new Set<() => void>();
  pty.onData((data) => {
    sent += data;
    screen.write(data);
    waiting.forEach((look) => look());
  });
  const ended = new Promise<{ exit: number; screen: string; sent: string }>((resolve) => {
    pty.onExit(({ exitCode }) => {
      over = true;
      waiting.forEach((look) => look());
      // This callback runs when all earlier output is on the screen.
      screen.write('', () => resolve({ exit: exitCode, screen: textOf(screen), sent }));
    });
  });
  return {
    shows: (text) =>
      new Promise((resolve, reject) => {
        const fail = (how: string) =>
          reject(new Error(`${how} ${JSON.stringify(text)}. The screen:\n${textOf(screen)}\nAll output:\n${sent}`));
        const timer = setTimeout(fail, 60_000, 'For a minute the program did not show');
        const look = () => {
          if (stripVTControlCharacters(sent.slice(typedAt)).includes(text)) resolve();
          else if (over) fail('The program ended without');
          else return;
          clearTimeout(timer);
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    resize(columns, rows) {
      typedAt = sent.length;
      screen.resize(columns, rows);
      pty.resize(columns, rows);
    },
    type(keys) {
      typedAt = sent.length;
      pty.write(keys);
    },
    ended,
  };
}

function textOf({ buffer }: headless.Terminal): string {
  const lines = Array.from({ length: buffer.active.length }, (_, i) =>
    buffer.active.getLine(i)?.translateToString(true),
  );
  return lines
    .map((line) => line?.trimEnd() ?? '')
    .join('\n')
    .trimEnd();
}
