import { stripVTControlCharacters } from 'node:util';
import { vi } from 'vitest';
import type { Io } from '../io.ts';
import { recordedContext } from './recorded-context.ts';

/** A terminal with a moving line. Its timers are fake, so the line moves only when a test calls `drawn`. */
export interface MovingLine {
  io: Io;
  /** Draws the line once. Returns what was drawn since the last call, without the spinner itself. */
  drawn: () => string;
}

/** Opens a terminal for a moving line. The caller must restore the real timers. */
export function openMovingLine(): MovingLine {
  // The line moves only outside of CI, and only on a terminal that can move its cursor.
  vi.stubEnv('CI', undefined);
  vi.stubEnv('TERM', 'xterm');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const { context, output } = recordedContext({ columns: 100 });
  let seen = 0;
  return {
    io: context.io,
    drawn() {
      vi.advanceTimersByTime(100);
      const text = stripVTControlCharacters(output.stderr.slice(seen));
      seen = output.stderr.length;
      return text.replaceAll(/[⠀-⣿|/\\-] /g, '');
    },
  };
}
