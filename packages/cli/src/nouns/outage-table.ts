import type { Alert } from '@uptime/sdk';
import type { Connection, Server } from '../connection.ts';
import type { Io } from '../io.ts';
import { type ListColumn, listTable, timeColumn } from '../list-table.ts';
import { duration, relative } from '../times.ts';
import { type DownTime, readDownTime } from './read-down-time.ts';
import { type Outage, outagesOf } from './outages.ts';

/** Maximum number of outages whose reason is read: each costs a request. */
const mostReasons = 50;
/** Maximum number of requests at once. */
const atOnce = 8;

/** Alerts as a table with one line per outage: how long it lasted, why, and which channels were notified. */
export async function outageTable(alerts: readonly Alert[], wide: boolean, connection: Connection): Promise<string> {
  const outages = outagesOf(alerts);
  const reasons = await readReasons(outages, connection);
  return listTable(connection.io, outages, columns(connection.io, outages, reasons, Date.now()), wide);
}

type Reasons = ReadonlyMap<Outage, DownTime>;

/**
 * Reads when and why each monitor went down. For an alert about a certificate or a domain, the type already says why.
 */
async function readReasons(outages: readonly Outage[], { client, signal }: Server): Promise<Reasons> {
  const found = new Map<Outage, DownTime>();
  const queue = outages.filter(({ type }) => type === 'monitor_down').slice(0, mostReasons);
  const worker = async () => {
    for (let outage = queue.shift(); outage; outage = queue.shift()) {
      const until = Date.parse(outage.firedAt);
      // The alert may have fired some time after the monitor went down, so this searches from the day before.
      const from = new Date(until - 86_400_000).toISOString().slice(0, 10);
      const down = await readDownTime(client, outage.monitorId, { from, until, signal });
      if (down) found.set(outage, down);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, worker));
  return found;
}

/**
 * A terminal with fewer columns leaves out the state, and the channels if all messages were sent. So more of the reason
 * fits.
 */
const wideColumns = 100;
const allSent = ({ alerts }: Outage) => alerts.every(({ deliveryStatus }) => deliveryStatus === 'sent');

const columns = (
  { out: paint }: Io,
  outages: readonly Outage[],
  reasons: Reasons,
  now: number,
): ListColumn<Outage>[] => [
  {
    title: 'STATE',
    value: ({ resolvedAt }) => (resolvedAt === null ? 'open' : 'resolved'),
    colour: ({ resolvedAt }, text) => (resolvedAt === null ? paint.red(text) : text),
    from: wideColumns,
  },
  { title: 'TYPE', value: ({ type }) => (type === 'monitor_down' ? 'down' : type.replace('_', ' ')) },
  { title: 'MONITOR', value: ({ monitorName }) => monitorName, cut: true },
  { ...timeColumn<Outage>('STARTED', { read: (outage) => beganAt(outage, reasons), now }), wide: true },
  {
    title: 'LASTED',
    value: (outage) => {
      const end = outage.resolvedAt === null ? now : Date.parse(outage.resolvedAt);
      return duration(Math.max(0, end - Date.parse(beganAt(outage, reasons))));
    },
  },
  {
    ...timeColumn<Outage>('ENDED', { read: ({ resolvedAt }) => resolvedAt, now }),
    short: ({ resolvedAt }) => (resolvedAt === null ? 'open' : relative(resolvedAt, now)),
    colour: ({ resolvedAt }, text) => (resolvedAt === null ? paint.red(text) : text),
  },
  { title: 'REASON', value: (outage) => reasons.get(outage)?.reason ?? '-', cut: true },
  { title: 'CHANNELS', value: channelsOf, cut: true, ...(outages.every(allSent) && { from: wideColumns }) },
  { title: 'ALERT IDS', value: ({ alerts }) => alerts.map(({ id }) => id).join(', '), wide: true },
];

const beganAt = (outage: Outage, reasons: Reasons): string => reasons.get(outage)?.since ?? outage.firedAt;

/** The channels, each with the status of its message unless that is `sent`. */
const channelsOf = ({ alerts }: Outage): string =>
  [
    ...new Set(
      alerts.map(({ channelName, deliveryStatus }) =>
        deliveryStatus === 'sent' ? channelName : `${channelName} (${deliveryStatus})`,
      ),
    ),
  ].join(', ');
