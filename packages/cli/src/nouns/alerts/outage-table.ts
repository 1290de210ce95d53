import type { Alert } from '@uptime/sdk';
import type { Connection, Server } from '../../connection.ts';
import type { Io } from '../../io.ts';
import { type ListColumn, listTable, timeColumn } from '../../list-table.ts';
import { duration, relative } from '../../times.ts';
import { type DownTime, readDownTime } from '../monitors/read-down-time.ts';
import { type Outage, outagesOf } from './outages.ts';

/** Maximum number of outages whose reason is read. Each needs a request, so a larger number would delay the table. */
const maxReasons = 50;
/** Maximum number of requests at once. */
const maxConcurrent = 8;

/**
 * Renders alerts as a table with one line for each outage: how long the outage lasted, its reason, and which channels
 * got messages.
 */
export async function outageTable(alerts: readonly Alert[], wide: boolean, connection: Connection): Promise<string> {
  const outages = outagesOf(alerts);
  const reasons = await readReasons(outages, connection);
  return listTable(connection.io, outages, columns(connection.io, outages, reasons, Date.now()), wide);
}

type Reasons = ReadonlyMap<Outage, DownTime>;

/**
 * Reads when and why the monitors of outages went down. It skips alerts about a certificate or a domain, because their
 * type already says why.
 */
async function readReasons(outages: readonly Outage[], { client, signal }: Server): Promise<Reasons> {
  const found = new Map<Outage, DownTime>();
  const queue = outages.filter(({ type }) => type === 'monitor_down').slice(0, maxReasons);
  const worker = async () => {
    for (let outage = queue.shift(); outage; outage = queue.shift()) {
      const until = Date.parse(outage.firedAt);
      // The alert may have opened some time after the monitor went down. So the search begins a day before the alert.
      const from = new Date(until - 86_400_000).toISOString().slice(0, 10);
      const down = await readDownTime(client, outage.monitorId, { from, until, signal });
      if (down) found.set(outage, down);
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, queue.length) }, worker));
  return found;
}

/**
 * On a terminal with fewer columns than this, the table leaves out the state. There it also leaves out the channels if
 * all messages were sent. So there is more space for the reason.
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

/** Returns the channels of an outage. A status other than `sent` follows the name of the channel. */
const channelsOf = ({ alerts }: Outage): string =>
  [
    ...new Set(
      alerts.map(({ channelName, deliveryStatus }) =>
        deliveryStatus === 'sent' ? channelName : `${channelName} (${deliveryStatus})`,
      ),
    ),
  ].join(', ');
