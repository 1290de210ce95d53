import { systemClock } from '../deps.ts';
import type { Config } from '../config/config.ts';
import { importHistory } from '../kuma-history/import-history.ts';
import type { Store } from '../store/store.ts';

interface Given {
  store: Store;
  config: Config;
  file: string;
  project: string;
  yes: boolean;
  now: number;
  print: (line: string) => void;
  plainText: (text: string) => string;
}

/** Imports the history of Uptime Kuma, or shows what would be imported. Resolves with the last lines to print. */
export async function importKumaHistory({ store, config, file, project, yes, now, print, plainText }: Given) {
  const { monitors, unmatched } = await importHistory({
    store,
    // `now` comes from the clock that decides which rows the daemons delete: the clock of PostgreSQL, if it is in use.
    // So the import leaves out the rows that a daemon would delete.
    clock: { ...systemClock, now: () => now },
    file,
    project,
    region: config.region,
    rawRetentionDays: config.rawRetentionDays,
    writes: yes,
    tell: (line) => print(`  ${plainText(line)}`),
  });
  const without = unmatched.length === 0 ? [] : ['Not imported:', ...unmatched.map((one) => `  ${plainText(one)}`)];
  const end = yes
    ? `The history of ${monitors} monitor(s) is imported. A status page shows it within the hour.`
    : `This would import the history of ${monitors} monitor(s). It cannot be undone. Add --yes to do it.`;
  return [...without, end].join('\n');
}
