import type { Io } from '../io.ts';
import type { Change } from './change.ts';
import { describe } from './render-text.ts';

export interface Progress {
  done: (change: Change, count: number) => void;
  /** Called when the server asks to wait, with the number of seconds. */
  waits: (seconds: number) => void;
  end: () => void;
}

const past = { create: 'created', update: 'updated', replace: 'replaced', delete: 'deleted' } as const;

/**
 * Shows the progress of an apply on standard error. A terminal shows one moving line; if the apply stops early, the
 * finished changes are listed after it. If standard error is not a terminal, prints a line for each finished change.
 */
export async function showProgress(io: Io, changes: readonly Change[]): Promise<Progress> {
  const listed = lines(io, changes);
  // Some terminals do not report their width.
  if (!io.stderr.isTTY || io.stderr.columns === 0) return listed;
  const total = changes.length;
  const { default: ora } = await import('ora');
  const spinner = ora({ stream: io.stderr, text: `applying: 0 of ${total} made`, discardStdin: false });
  spinner.start();
  const done: Change[] = [];
  return {
    done: (change, count) => {
      done.push(change);
      spinner.text = `applying: ${count} of ${total} made, ${total - count} left; ${past[change.action]} ${describe(change)}`;
    },
    waits: (seconds) => {
      spinner.text = `applying: ${done.length} of ${total} made, ${total - done.length} left; ${waiting(seconds)}`;
    },
    end: () => {
      spinner.stop();
      if (done.length === total) return;
      done.forEach(listed.done);
      listed.end();
    },
  };
}

const waiting = (seconds: number): string => `the server asked to wait ${Math.ceil(seconds)} s`;

/** Prints a line for each finished change, always in the order of the plan, so that two logs can be compared. */
function lines(io: Io, changes: readonly Change[]): Progress {
  const done = new Set<Change>();
  let next = 0;
  const printChange = (change: Change) => io.say(`${past[change.action]} ${describe(change)}`);
  return {
    done(change) {
      done.add(change);
      for (let at = changes[next]; at && done.has(at); at = changes[++next]) printChange(at);
    },
    waits: (seconds) => io.say(`${next} of ${changes.length} made; ${waiting(seconds)}`),
    end: () =>
      changes
        .slice(next)
        .filter((change) => done.has(change))
        .forEach(printChange),
  };
}
