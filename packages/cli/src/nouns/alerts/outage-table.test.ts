import { type Alert, Uptime } from '@uptime/sdk';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Connection } from '../../connection.ts';
import { recordedContext } from '../../testing/recorded-context.ts';
import { outageTable } from './outage-table.ts';
import { openFirst } from '../open-first.ts';
import { outagesOf } from './outages.ts';
import { readDownTime } from '../monitors/read-down-time.ts';

const start = Date.parse('2026-03-01T00:00:00.000Z');
const at = (minute: number) => new Date(start + minute * 60_000).toISOString();
let alertCount = 0;
const alertOf = (fields: Partial<Alert>): Alert =>
  ({
    id: `al_${alertCount++}`,
    type: 'monitor_down',
    monitorId: 'mon_1',
    monitorName: 'Shop',
    channelName: 'Ops',
    deliveryStatus: 'sent',
    triggeredAt: at(0),
    resolvedAt: at(10),
    ...fields,
  }) as Alert;

const anyAlert = fc
  .record({
    monitorId: fc.constantFrom('mon_1', 'mon_2'),
    type: fc.constantFrom<Alert['type']>('monitor_down', 'ssl_expiring'),
    from: fc.integer({ min: 0, max: 20 }),
    lasts: fc.option(fc.integer({ min: 1, max: 10 })),
  })
  .map(({ from, lasts, ...fields }) =>
    alertOf({ ...fields, triggeredAt: at(from), resolvedAt: lasts === null ? null : at(from + lasts) }),
  );

describe('for any alerts,', () => {
  test('outagesOf puts each alert into one outage, together with overlapping alerts of the same monitor and type', () => {
    fc.assert(
      fc.property(fc.array(anyAlert, { maxLength: 12 }), (alerts) => {
        const outages = outagesOf(alerts);
        expect(
          outages
            .flatMap((outage) => outage.alerts)
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(alerts.map(({ id }) => id).toSorted());
        for (const { monitorId, type, firedAt, resolvedAt, alerts: its } of outages) {
          expect(new Set(its.map((one) => `${one.monitorId} ${one.type}`))).toEqual(new Set([`${monitorId} ${type}`]));
          const ends = its.map((one) => one.resolvedAt);
          expect(firedAt).toBe(its.map(({ triggeredAt }) => triggeredAt).toSorted()[0]);
          expect(resolvedAt).toBe(ends.includes(null) ? null : ends.map(String).toSorted().at(-1));
        }
      }),
    );
  });

  test('outagesOf returns outages that do not overlap: open outages first, then from the latest to the oldest', () => {
    fc.assert(
      fc.property(fc.array(anyAlert, { maxLength: 12 }), (alerts) => {
        const outages = outagesOf(alerts);
        for (const [i, one] of outages.entries()) {
          for (const other of outages.slice(i + 1)) {
            expect(one.resolvedAt === null || other.resolvedAt !== null).toBe(true);
            if ((one.resolvedAt === null) === (other.resolvedAt === null))
              expect(one.firedAt >= other.firedAt).toBe(true);
            if (one.monitorId !== other.monitorId || one.type !== other.type) continue;
            const [first, second] = [one, other].toSorted((a, b) => a.firedAt.localeCompare(b.firedAt));
            expect(first!.resolvedAt !== null && first!.resolvedAt <= second!.firedAt).toBe(true);
          }
        }
      }),
    );
  });

  test('openFirst returns open alerts first, then from the latest to the oldest; with `open`, it returns only open alerts', () => {
    fc.assert(
      fc.property(fc.array(anyAlert, { maxLength: 12 }), (alerts) => {
        const all = openFirst(alerts, { open: false });
        const open = alerts.filter(({ resolvedAt }) => resolvedAt === null).toReversed();
        expect(all.slice(0, open.length)).toEqual(open);
        expect(all.slice(open.length)).toEqual(alerts.filter(({ resolvedAt }) => resolvedAt !== null).toReversed());
        expect(openFirst(alerts, { open: true })).toEqual(open);
      }),
    );
  });
});

type Event = { to: string; timestamp: string; error: { message: string } | null };
const wentDown = (minute: number, message: string | null): Event => ({
  to: 'down',
  timestamp: at(minute),
  error: message === null ? null : { message },
});

/** Creates a server that returns these events for each monitor, and records the addresses of its requests. */
function server(events: Readonly<Record<string, readonly Event[]>>, columns?: number) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, search } = new URL(new Request(input, init).url);
    requests.push(pathname + search);
    const found = events[pathname.split('/').at(-2)!];
    return found ? Response.json(found) : Response.json({ code: 'not_found', detail: 'Gone.' }, { status: 404 });
  };
  const { context } = recordedContext(columns === undefined ? {} : { columns, env: { NO_COLOR: '1' } });
  const client = new Uptime({ siteUrl: 'http://uptime.test', apiKey: 'uptime_0', fetch, retries: 0 });
  const connection: Connection = { client, io: context.io, signal: context.signal, context, settings: {} };
  return { requests, connection };
}

/** Returns the cells of each row of the table, as printed in a pipe. */
async function rowsOf(alerts: readonly Alert[], events: Readonly<Record<string, readonly Event[]>>) {
  const { connection, requests } = server(events);
  const [head, ...lines] = (await outageTable(alerts, true, connection)).split('\n');
  const titles = head!.split(/ {2,}/);
  const rows = lines.map((line) => Object.fromEntries(line.split(/ {2,}/).map((cell, i) => [titles[i], cell])));
  return { rows, requests };
}

describe('an outage in a table', () => {
  test('the row of an outage begins when the monitor went down, not when the alert opened, and shows the reason', async () => {
    const events = [wentDown(-300, 'an earlier one'), wentDown(-5, 'answered 500'), wentDown(30, 'a later one')];
    const { rows, requests } = await rowsOf([alertOf({ resolvedAt: at(55) })], { mon_1: events });
    expect(rows).toMatchObject([
      { STATE: 'resolved', TYPE: 'down', STARTED: at(-5), LASTED: '1 h', ENDED: at(55), REASON: 'answered 500' },
    ]);
    expect(requests).toEqual(['/api/monitors/mon_1/events?from=2026-02-28']);
  });

  test('the row of an alert about a certificate shows the type of the alert, and needs no request', async () => {
    const { rows, requests } = await rowsOf([alertOf({ type: 'ssl_expiring' })], {});
    expect(rows).toMatchObject([{ TYPE: 'ssl expiring', STARTED: at(0), LASTED: '10 min', REASON: '-' }]);
    expect(requests).toEqual([]);
  });

  test('the row of an outage begins at the time of its alert if the monitor was deleted', async () => {
    const { rows } = await rowsOf([alertOf({})], {});
    expect(rows).toMatchObject([{ STARTED: at(0), REASON: '-' }]);
  });

  test('the row of an outage names each channel once, with the status of a message that was not sent', async () => {
    const alerts = [
      alertOf({ channelName: 'Ops' }),
      alertOf({ channelName: 'Ops', triggeredAt: at(1) }),
      alertOf({ channelName: 'Pager', deliveryStatus: 'failed', triggeredAt: at(2) }),
    ];
    const { rows } = await rowsOf(alerts, { mon_1: [] });
    expect(rows).toMatchObject([{ CHANNELS: 'Ops, Pager (failed)' }]);
    expect(rows[0]!['ALERT IDS']).toBe(alerts.map(({ id }) => id).join(', '));
  });

  test('only the first fifty outages of a table have a reason, and each reason needs one request', async () => {
    const alerts = Array.from({ length: 60 }, (_, i) => alertOf({ monitorId: `mon_${i}`, triggeredAt: at(i) }));
    const events = Object.fromEntries(alerts.map(({ monitorId }, i) => [monitorId, [wentDown(i, 'down')]]));
    const { rows, requests } = await rowsOf(alerts, events);
    expect(requests).toHaveLength(50);
    expect(rows.map(({ REASON: reason }) => reason)).toEqual([
      ...Array<string>(50).fill('down'),
      ...Array<string>(10).fill('-'),
    ]);
  });

  test.each([
    [120, 'sent', true],
    [80, 'sent', false],
    [80, 'failed', true],
  ] as const)(
    'on a terminal of %i columns, the row of an outage shows the channel of a message with the status %s: %s',
    async (columns, deliveryStatus, shown) => {
      const { connection } = server({ mon_1: [wentDown(0, 'answered 500')] }, columns);
      const text = await outageTable([alertOf({ deliveryStatus, channelName: 'Night shift' })], false, connection);
      expect(text.includes('Night shift')).toBe(shown);
      expect(text).toContain('answered 500');
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    },
  );
});

describe('the time at which a monitor went down', () => {
  const signal = new AbortController().signal;
  const read = (events: readonly Event[], until?: number) =>
    readDownTime(server({ mon_1: events }).connection.client, 'mon_1', {
      signal,
      ...(until !== undefined && { until }),
    });

  test('readDownTime returns when the monitor last went down, up to the time `until`', async () => {
    const events = [wentDown(0, 'a'), { ...wentDown(1, null), to: 'up' }, wentDown(5, 'b')];
    expect(await read(events)).toEqual({ since: at(5), reason: 'b' });
    expect(await read(events, start + 60_000)).toEqual({ since: at(0), reason: 'a' });
    expect(await read(events, start - 1)).toBeNull();
  });

  test('readDownTime returns a sentence in place of the reason, if the server gives no reason', async () => {
    expect(await read([wentDown(0, null)])).toEqual({ since: at(0), reason: 'the server gives no reason' });
  });

  test('readDownTime returns null for a monitor that was never down, and for a deleted monitor', async () => {
    expect(await read([])).toBeNull();
    expect(await readDownTime(server({}).connection.client, 'mon_9', { signal })).toBeNull();
  });

  test('readDownTime throws the error if the server fails', async () => {
    const fetch = async () => Response.json({ detail: 'The database is gone.' }, { status: 500 });
    const client = new Uptime({ siteUrl: 'http://uptime.test', apiKey: 'uptime_0', fetch, retries: 0 });
    await expect(readDownTime(client, 'mon_1', { signal })).rejects.toThrow('The database is gone.');
  });
});
