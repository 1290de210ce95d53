import type { Monitor } from '@uptime/sdk';
import type { Connection } from '../../connection.ts';
import { CliError } from '../../exit.ts';
import { allMonitors, monitors as noun } from '../../nouns/monitors.ts';
import { chooseMonitors, firstMonitors } from '../../nouns/monitors/filter-monitors.ts';
import { plain } from '../../output.ts';

/** How the user chose the monitors of a command: by names, by labels, or all. */
export interface Chosen {
  /** Ids, keys or names of monitors. */
  words: readonly string[];
  /** Labels, each written `name` or `name=value`. */
  labels: readonly string[];
  all: boolean;
}

/** Throws a CliError unless the user chose monitors in exactly one way. */
export function refuseUnclear({ words, labels, all }: Chosen): void {
  const ways = [words.length > 0, labels.length > 0, all].filter(Boolean).length;
  if (ways === 1) return;
  throw new CliError(ways === 0 ? 'no monitor is named' : 'names, --label and --all exclude each other', {
    exit: 'usage',
    next: 'name monitors, such as `uptime monitors wait shop`, or choose them by --label team=web, or all by --all',
  });
}

/**
 * Reads the chosen monitors, and leaves out paused monitors. Throws a CliError if no monitor remains, or if a monitor
 * that the user named is paused.
 */
export async function readChosen(chosen: Chosen, connection: Connection): Promise<Monitor[]> {
  if (chosen.words.length > 0) {
    const found = await findAll(chosen.words, connection);
    const paused = found.find(({ status }) => status === 'paused');
    if (!paused) return found;
    throw new CliError(`${JSON.stringify(plain(paused.name))} is paused, so it gets no results`, {
      next: `\`uptime monitors resume ${paused.key ?? paused.id}\` checks it again`,
    });
  }
  const all = await allMonitors(connection);
  if (all.length === 0)
    throw new CliError('this project has no monitors yet, so there is nothing to wait for', { next: firstMonitors });
  const { rows } = chooseMonitors({ label: [...chosen.labels] });
  const fitting = rows?.(all, false) ?? all;
  const active = fitting.filter(({ status }) => status !== 'paused');
  if (active.length === 0) {
    throw new CliError(
      fitting.length > 0 ? 'every monitor that matches is paused' : `none of ${all.length} monitors matches`,
      {
        next:
          fitting.length > 0
            ? '`uptime monitors resume <monitor>` checks one again'
            : '`uptime monitors list` shows monitors; --label finds them by their labels',
      },
    );
  }
  if (active.length < fitting.length) connection.io.say(`Paused monitors left out: ${fitting.length - active.length}.`);
  return active;
}

/**
 * Finds the monitors that words name, by id, key or name. Looks up a single word on the server. For several words,
 * reads the list of all monitors. Returns each monitor only once.
 */
async function findAll(words: readonly string[], connection: Connection): Promise<Monitor[]> {
  if (words.length === 1) return [await noun.find(words[0]!, connection)];
  const { find } = await import('../../nouns/find.ts');
  const all = await allMonitors(connection);
  const found = new Map<string, Monitor>();
  for (const word of words) {
    const monitor = await find<Monitor>(word, noun, {
      prefix: 'mon_',
      list: async ({ key, name }) =>
        all.filter((one) => (key === undefined || one.key === key) && (name === undefined || one.name === name)),
    });
    found.set(monitor.id, monitor);
  }
  return [...found.values()];
}
