import type { Io } from '../io.ts';
import type { Change } from './change.ts';
import { describe } from './render-text.ts';

export interface Progress {
  done: (change: Change, count: number) => void;
  end: () => void;
}

const past = { create: 'created', update: 'updated', replace: 'replaced', delete: 'deleted' } as const;

/** Tells on standard error how an apply goes: a moving line on a terminal, a line for each change elsewhere. */
export async function showProgress(io: Io, total: number): Promise<Progress> {
  if (!io.stderr.isTTY) {
    return { done: (change) => io.say(`${past[change.action]} ${describe(change)}`), end: () => {} };
  }
  const { default: ora } = await import('ora');
  const spinner = ora({ stream: io.stderr, text: `applying 0 of ${total}`, discardStdin: false });
  spinner.start();
  return {
    done: (change, count) => {
      spinner.text = `applying ${count} of ${total}: ${past[change.action]} ${describe(change)}`;
    },
    end: () => void spinner.stop(),
  };
}
