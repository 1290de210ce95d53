import type { Incident, MonitorStatus } from '@uptime/sdk';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordedContext } from '../../testing/recorded-context.ts';
import type { Overview } from './overview.ts';
import { renderOverview } from './render-overview.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const hours = (count: number) => new Date(now + count * 3_600_000).toISOString();
const none: Overview = {
  counts: { up: 0, down: 0, pending: 0, paused: 0 },
  down: [],
  incidents: [],
  windows: [],
  expiries: [],
};
const down = (name: string, fields: Partial<Overview['down'][number]> = {}): Overview['down'][number] => ({
  id: name,
  key: null,
  name,
  since: hours(-3),
  reason: 'answered 500',
  inMaintenance: false,
  ...fields,
});
const windowOf = (fields: object): Incident => ({ title: 'Move', resolvedAt: null, ...fields }) as unknown as Incident;

/** Returns the lines of an overview, on a terminal of this size or in a pipe. */
function linesOf(overview: Partial<Overview>, terminal?: { columns: number; rows: number }): string[] {
  const { context } = recordedContext({ env: { NO_COLOR: '1' }, ...(terminal && { columns: terminal.columns }) });
  const { out, stdout } = context.io;
  Object.assign(stdout, terminal);
  return renderOverview({ ...none, ...overview }, { stdout, out }, now).split('\n');
}
const cells = (line: string): string[] => line.trim().split(/ {2,}/);

test.each<[Partial<Record<MonitorStatus, number>>, string]>([
  [{}, '0 monitors: 0 down'],
  [{ up: 1 }, '1 monitor: 0 down, 1 up'],
  [{ up: 3, down: 1, paused: 2 }, '6 monitors: 1 down, 3 up, 2 paused'],
  [{ pending: 1, down: 1 }, '2 monitors: 1 down, 1 pending'],
])('the overview shows the counts %j as "%s"', (counts, line) => {
  expect(linesOf({ counts: { ...none.counts, ...counts } })).toEqual([line]);
});

test('the row of a monitor that is down says since when and why, and whether it is in maintenance', () => {
  const lines = linesOf({ down: [down('Shop'), down('Blog', { since: null, reason: null, inMaintenance: true })] });
  expect(lines.slice(1, 3)).toEqual(['', 'Down']);
  expect(cells(lines[3]!)).toEqual(['Shop', hours(-3), 'answered 500']);
  expect(cells(lines[4]!)).toEqual(['Blog', '-', 'the server gives no reason', 'in maintenance']);
});

test('on a terminal, the row of a maintenance window shows either its start or its end, whichever comes next; in a pipe, the row shows both', () => {
  const windows = [
    windowOf({ title: 'Now', scheduledStart: hours(-1), scheduledEnd: hours(2) }),
    windowOf({ title: 'Later', scheduledStart: hours(5), scheduledEnd: hours(6) }),
  ];
  const seen = linesOf({ windows }, { columns: 100, rows: 40 });
  expect(seen.slice(3).map(cells)).toEqual([
    ['Now', 'in force', 'ends in 2 h'],
    ['Later', 'ahead', 'begins in 5 h'],
  ]);
  expect(
    linesOf({ windows })
      .slice(3)
      .map((line) => cells(line)[2]),
  ).toEqual([`${hours(-1)} to ${hours(2)}`, `${hours(5)} to ${hours(6)}`]);
});

test.each([
  [3, null, ['3 d left', 'An issuer']],
  [0, null, ['0 d left', 'An issuer']],
  [-1, 'It has expired.', ['expired', 'It has expired.']],
  [null, 'It names another host.', ['-', 'It names another host.']],
])('the row of a certificate with %j days left and the fault %j shows %j', (daysRemaining, error, shown) => {
  const expiries = [{ monitor: 'Shop', what: 'certificate', of: 'An issuer', daysRemaining, error } as const];
  expect(cells(linesOf({ expiries })[3]!)).toEqual(['Shop', 'certificate', ...shown]);
});

/** Generates overviews with any number of rows in each section, and names of any length. */
const anyOverview = fc
  .record({
    down: fc.nat(30),
    incidents: fc.nat(30),
    windows: fc.nat(30),
    expiries: fc.nat(30),
    length: fc.integer({ min: 1, max: 200 }),
  })
  .map(({ length, ...counts }): Partial<Overview> => {
    const text = 'n'.repeat(length);
    const list = <T>(count: number, one: T) => Array.from({ length: count }, () => one);
    return {
      down: list(counts.down, down(text, { reason: text })),
      incidents: list(counts.incidents, windowOf({ title: text, status: 'identified', startedAt: hours(-1) })),
      windows: list(counts.windows, windowOf({ title: text, scheduledStart: hours(1), scheduledEnd: hours(2) })),
      expiries: list(counts.expiries, { monitor: text, what: 'domain', of: text, daysRemaining: 5, error: null }),
    };
  });
const countOf = (overview: Partial<Overview>): number =>
  Object.values(overview).reduce((sum, rows) => sum + (rows as unknown[]).length, 0);

test('an overview fits on a terminal that has room for one row of each section', () => {
  const size = fc.record({ columns: fc.integer({ min: 60, max: 200 }), rows: fc.integer({ min: 20, max: 80 }) });
  fc.assert(
    fc.property(anyOverview, size, (overview, terminal) => {
      const lines = linesOf(overview, terminal);
      // The prompt of the shell needs one line below the overview.
      expect(lines.length).toBeLessThan(terminal.rows);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(terminal.columns);
    }),
  );
});

test('an overview shows every row, or says how many rows it leaves out', () => {
  fc.assert(
    fc.property(anyOverview, fc.integer({ min: 5, max: 80 }), (overview, rows) => {
      const body = linesOf(overview, { columns: 100, rows }).filter((line) => line.startsWith('  '));
      const more = body.flatMap((line) => /^ {2}and (\d+) more$/.exec(line)?.[1] ?? []);
      const shown = body.length - more.length + more.reduce((sum, count) => sum + Number(count), 0);
      expect(shown).toBe(countOf(overview));
      expect(linesOf(overview).filter((line) => line.startsWith('  '))).toHaveLength(countOf(overview));
    }),
  );
});
