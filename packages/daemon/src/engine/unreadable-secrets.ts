import type { Notifier } from '../alerting/notifier.ts';
import type { Deps } from '../deps.ts';
import type { Store } from '../store/store.ts';
import { eachConfig } from '../stored-monitors/each-config.ts';
import type { MonitorVault } from '../stored-monitors/monitor-vault.ts';
import { nextTurn } from '../wait.ts';

/**
 * Number of rows that are read at a time. It is small, so that the event loop is blocked for only a few milliseconds.
 */
const maxPieceRows = 200;
/** Warnings repeat the result of a scan until it is this old. Then a new scan runs. */
const scanValidMs = 60_000;

interface Unreadable {
  monitors: number;
  channels: number;
}

export interface UnreadableSecrets {
  /** Resolves with a warning while stored secrets cannot be decrypted. */
  warnings(): Promise<string[]>;
  /** Stops a running scan, and waits until it has ended. */
  close(): Promise<void>;
}

interface Options {
  store: Store;
  vault: Pick<MonitorVault, 'open'>;
  notifier: Pick<Notifier, 'open'>;
}

/**
 * Finds the monitors and channels whose secrets were encrypted with another secret key. The scan at the start logs
 * how many there are. `warnings` repeats the scan until all secrets can be decrypted. After that no scan is needed,
 * because the key does not change while the daemon runs.
 */
export function watchUnreadableSecrets(
  { log, clock }: Pick<Deps, 'log' | 'clock'>,
  options: Options,
): UnreadableSecrets {
  const stopping = new AbortController();
  const scanned = () =>
    scanSecrets(options, stopping.signal).catch((error: unknown) => {
      log.error({ err: error }, 'stored secrets could not be examined');
      return { monitors: 0, channels: 0 };
    });
  let scannedMonoMs = clock.monotonicMs();
  let scan = scanned();
  void scan.then((found) => found.monitors + found.channels > 0 && log.warn(found, sentence(found)));
  return {
    async warnings() {
      const found = await scan;
      if (found.monitors + found.channels === 0) return [];
      if (clock.monotonicMs() - scannedMonoMs <= scanValidMs) return [sentence(found)];
      scannedMonoMs = clock.monotonicMs();
      scan = scanned();
      const again = await scan;
      return again.monitors + again.channels === 0 ? [] : [sentence(again)];
    },
    async close() {
      stopping.abort();
      await scan;
    },
  };
}

const sentence = ({ monitors, channels }: Unreadable): string =>
  `The secrets of ${monitors} monitor(s) and ${channels} channel(s) cannot be read, because they were stored under another secret key. These monitors are not checked, and these channels send nothing. Start with the former UPTIME_SECRET_KEY, or send the secrets again, for example with \`uptime apply\`.`;

async function scanSecrets({ store, vault, notifier }: Options, signal: AbortSignal): Promise<Unreadable> {
  const isUnreadable = {
    monitor: (row: Parameters<MonitorVault['open']>[0]) => Object.keys(vault.open(row).unreadable).length > 0,
    channel: (row: Parameters<Notifier['open']>[0]) => notifier.open(row) === null,
  };
  const found: Unreadable = { monitors: 0, channels: 0 };
  for (let after = 0; !signal.aborted; await nextTurn()) {
    const rows = await store.db
      .selectFrom('monitor')
      .select(['seq', 'id', 'type', 'key', 'name', 'bytes'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(maxPieceRows)
      .execute();
    if (rows.length === 0) break;
    await eachConfig(store.db, rows, (row) => void (found.monitors += Number(isUnreadable.monitor(row))));
    after = rows.at(-1)!.seq;
  }
  for (let after = 0; !signal.aborted; await nextTurn()) {
    const rows = await store.db
      .selectFrom('channel')
      .select(['seq', 'id', 'config'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(maxPieceRows)
      .execute();
    if (rows.length === 0) break;
    found.channels += rows.filter(isUnreadable.channel).length;
    after = rows.at(-1)!.seq;
  }
  return found;
}
