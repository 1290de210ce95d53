import type { Notifier } from '../alerting/notifier.ts';
import { channelWarning, maxCounted } from '../core/counted-warnings.ts';
import type { Deps } from '../deps.ts';
import type { Store } from '../store/store.ts';
import { eachConfig } from '../stored-monitors/each-config.ts';
import type { MonitorVault } from '../stored-monitors/monitor-vault.ts';
import { nextTurn } from '../wait.ts';

/**
 * Number of rows that are read at a time. It is small, so that the event loop is blocked for only a few milliseconds.
 */
const maxPieceRows = 200;
/** Warnings repeat the result of a scan until it is this old. Then a new scan begins. */
const scanValidMs = 60_000;
/** The same for a scan that found nothing. Another node with another secret key may store unreadable secrets later. */
const emptyScanValidMs = 10 * 60_000;

interface Unreadable {
  monitors: number;
  channels: number;
  /** The ids of the first `maxCounted + 1` of these channels. */
  channelIds: string[];
}

export interface UnreadableSecrets {
  /** Resolves with warnings while stored secrets cannot be decrypted. */
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
 * how many there are. `warnings` begins another scan if the last scan is old. It does not wait for that scan, because a
 * scan of many monitors takes longer than a reader of warnings waits.
 */
export function watchUnreadableSecrets(
  { log, clock }: Pick<Deps, 'log' | 'clock'>,
  options: Options,
): UnreadableSecrets {
  const stopping = new AbortController();
  let found = noneFound();
  /** When the next scan may begin. */
  let scanFromMonoMs = 0;
  const runScan = async () => {
    scanFromMonoMs = Infinity;
    let isEmpty = false;
    try {
      found = await scanSecrets(options, stopping.signal);
      isEmpty = found.monitors + found.channels === 0;
    } catch (error) {
      // The result of the last scan stays.
      log.error({ err: error }, 'stored secrets could not be examined');
    }
    scanFromMonoMs = clock.monotonicMs() + (isEmpty ? emptyScanValidMs : scanValidMs);
  };
  const first = runScan().then(() => {
    const { monitors, channels } = found;
    if (monitors + channels > 0) log.warn({ monitors, channels }, sentence(found));
  });
  let latest = first;
  return {
    async warnings() {
      await first;
      if (clock.monotonicMs() >= scanFromMonoMs) latest = runScan();
      return warningsOf(found);
    },
    async close() {
      stopping.abort();
      await latest;
    },
  };
}

const noneFound = (): Unreadable => ({ monitors: 0, channels: 0, channelIds: [] });

const warningsOf = (found: Unreadable): string[] =>
  found.monitors + found.channels === 0
    ? []
    : [
        sentence(found),
        ...channelWarning(found.channelIds, 'config cannot be read, because it was stored under another secret key'),
      ];

const sentence = ({ monitors, channels }: Unreadable): string =>
  `The secrets of ${monitors} monitor(s) and ${channels} channel(s) cannot be read, because they were stored under another secret key. These monitors are not checked, and these channels send nothing. Start with the former UPTIME_SECRET_KEY, or send the secrets again, for example with \`uptime apply\`.`;

async function scanSecrets({ store, vault, notifier }: Options, signal: AbortSignal): Promise<Unreadable> {
  const isUnreadable = {
    monitor: (row: Parameters<MonitorVault['open']>[0]) => Object.keys(vault.open(row).unreadable).length > 0,
    channel: (row: Parameters<Notifier['open']>[0]) => notifier.open(row) === null,
  };
  const found = noneFound();
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
    const unreadable = rows.filter(isUnreadable.channel).map(({ id }) => id);
    found.channels += unreadable.length;
    found.channelIds.push(...unreadable.slice(0, maxCounted + 1 - found.channelIds.length));
    after = rows.at(-1)!.seq;
  }
  return found;
}
