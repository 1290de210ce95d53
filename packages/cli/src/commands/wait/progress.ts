import type { Io } from '../../io.ts';
import { plain } from '../../output.ts';
import type { Goal, Waiting } from './gate.ts';

/** Shows how a wait proceeds, on standard error. */
export interface Progress {
  look: (waiting: readonly Waiting[]) => void;
  /** Reports that the server could not be read. */
  failed: (why: string) => void;
  end: () => void;
}

/** Shows one moving line on a terminal. Elsewhere, prints a line for each change of a monitor. */
export async function showProgress(io: Io, goal: Goal): Promise<Progress> {
  if (!io.stderr.isTTY || io.stderr.columns === 0) return lines(io, goal);
  const { default: ora } = await import('ora');
  const spinner = ora({ stream: io.stderr, text: 'waiting', discardStdin: false });
  spinner.start();
  return {
    look: (waiting) => void (spinner.text = summary(waiting, goal)),
    failed: (why) => void (spinner.text = `waiting: ${plain(why)}; trying again`),
    end: () => void spinner.stop(),
  };
}

/** The moving line names at most this many monitors. */
const maxNamed = 3;

function summary(waiting: readonly Waiting[], goal: Goal): string {
  const open = waiting.filter(({ reached }) => !reached);
  const done = `${waiting.length - open.length} of ${waiting.length} ${goal.until}`;
  if (open.length === 0) return done;
  const named = open.slice(0, maxNamed).map((one) => stateText(one, goal));
  const more = open.length > maxNamed ? `, and ${open.length - maxNamed} more` : '';
  return `${done}; waiting for ${named.join(', ')}${more}`;
}

/** Returns a monitor's status, and how many results have confirmed it. */
export function stateText({ name, status, confirmed, reached }: Waiting, { until, confirm }: Goal): string {
  const isCounted = status === until && !reached && confirm > 0;
  return `${plain(name)} (${status}${isCounted ? `, ${confirmed} of ${confirm} results` : ''})`;
}

function lines(io: Io, goal: Goal): Progress {
  const lastLines = new Map<string, string>();
  let failing = false;
  return {
    look(waiting) {
      if (failing) io.say('the server answers again');
      failing = false;
      for (const one of waiting) {
        const text = `${one.reached ? 'reached' : 'waiting'}: ${stateText(one, goal)}`;
        if (lastLines.get(one.id) !== text) io.say(text);
        lastLines.set(one.id, text);
      }
    },
    failed(why) {
      if (!failing) io.say(plain(`the server cannot be read: ${why}; trying again`));
      failing = true;
    },
    end: () => undefined,
  };
}
