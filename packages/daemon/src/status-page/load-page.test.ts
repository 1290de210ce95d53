import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../core/uptime.ts';
import { rollUpTime } from '../recording/roll-up-time.ts';
import { stateFromRow } from '../store/monitor-state-row.ts';
import { databases } from '../testing/databases.ts';
import { createPageLoader } from './load-page.ts';
import { roundedTime } from './rounded-time.ts';
import type { MonitorView } from './view.ts';
import { createLoadPageWorld, noon } from '../testing/load-page-world.ts';

describe.each(databases)('the content of a page, on $name', (kind) => {
  const world = createLoadPageWorld(kind);
  const { pageOf, setState, addIncident, load, titles } = world;

  test('no page is found for an impossible slug', async () => {
    for (const slug of ['a\0', '', 'ä', '\ud800']) expect(await createPageLoader(world.store)(slug, noon)).toBeNull();
  });

  test('no page is found for an unknown slug', async () => {
    expect(await createPageLoader(world.store)('none', noon)).toBeNull();
  });

  test('the page shows the status of each monitor, and `unknown` while the daemon cannot observe the monitor', async () => {
    const { slug, project, monitors } = await pageOf(5);
    const [up, down, pending, paused, unobserved] = monitors as [number, number, number, number, number];
    await setState(up, { status: 'up' });
    await setState(down, { status: 'down' });
    await setState(paused, { status: 'paused' });
    await setState(unobserved, { status: 'down', unobserved_since: noon + 1000 });
    const states = async (now: number) => (await load(slug, now)).monitors.map(({ state }) => state);
    expect(await states(noon + 5000)).toEqual(['up', 'down', 'unknown', 'paused', 'unknown']);
    const window = { maintenance: 1, scheduled_start: noon + 10_000, scheduled_end: noon + 20_000 };
    await addIncident(project, { ...window, started_at: noon + 10_000 }, [down, pending, paused]);
    expect(await states(noon + 9999)).toEqual(['up', 'down', 'unknown', 'paused', 'unknown']);
    expect(await states(noon + 10_000)).toEqual(['up', 'maintenance', 'maintenance', 'paused', 'unknown']);
    expect(await states(noon + 20_000)).toEqual(['up', 'down', 'unknown', 'paused', 'unknown']);
  });

  test('the uptime of a monitor includes the time since its last rollup, but neither maintenance nor unobserved time', async () => {
    const { slug, project, monitors } = await pageOf(3);
    const [down, unobserved, pending] = monitors as [number, number, number];
    await setState(down, { status: 'down', rolled_up_until: noon });
    await setState(unobserved, { status: 'up', rolled_up_until: noon, unobserved_since: noon + 60_000 });
    await addIncident(
      project,
      { maintenance: 1, scheduled_start: noon + 60_000, scheduled_end: noon + 90_000, started_at: noon + 60_000 },
      [down],
    );
    const view = await load(slug, noon + 100_000);
    expect(view.monitors.map(({ today: { up, down: off, maintenance } }) => [up, off, maintenance])).toEqual([
      [0, 70_000, 30_000],
      [60_000, 0, 0],
      [0, 0, 0],
    ]);
    expect(view.monitors.map(({ uptime }) => uptime)).toEqual([0, 100, null]);
    expect(pending).toBeGreaterThan(0);
  });

  test('during an outage, a page shows the same content for ten seconds', async () => {
    const { slug, monitors } = await pageOf(1);
    await setState(monitors[0]!, { status: 'down', rolled_up_until: noon });
    const shown = async (now: number) => (await load(slug, now)).monitors;
    expect(await shown(noon + 19_999)).toEqual(await shown(noon + 10_000));
    expect(await shown(noon + 20_000)).not.toEqual(await shown(noon + 10_000));
  });

  test('a page does not round away the first seconds of a day or of a new monitor', async () => {
    const { slug, monitors } = await pageOf(1);
    await setState(monitors[0]!, { status: 'up', rolled_up_until: noon + 1000 });
    const { today } = (await load(slug, noon + 2000)).monitors[0]!;
    expect(today).toMatchObject({ up: 1000, down: 0 });
  });

  test('each incident is in the list for its phase: open, current, planned or past', async () => {
    const { slug, project } = await pageOf(1);
    const window = { maintenance: 1, status: 'identified', title: 'window' };
    await addIncident(project, { title: 'older', started_at: noon - 1000 });
    await addIncident(project, { title: 'newer' });
    await addIncident(project, { ...window, scheduled_start: noon, scheduled_end: noon + 1000 });
    await addIncident(project, {
      title: 'over',
      status: 'resolved',
      started_at: noon - dayMs,
      resolved_at: noon - 5000,
    });
    await addIncident(project, {
      title: 'long over',
      status: 'resolved',
      started_at: noon - 16 * dayMs,
      resolved_at: noon - 15 * dayMs,
    });
    await addIncident(project, {
      ...window,
      title: 'ahead',
      started_at: noon + dayMs,
      scheduled_start: noon + dayMs,
      scheduled_end: noon + 2 * dayMs,
    });
    expect(titles(await load(slug, noon))).toEqual({
      open: ['newer', 'older'],
      current: ['window'],
      planned: ['ahead'],
      past: ['over'],
    });
    expect(titles(await load(slug, noon - 1)).planned).toEqual(['window', 'ahead']);
    expect(titles(await load(slug, noon + 1000)).current).toEqual([]);
  });

  test('the page shows only a part of very many or very long incidents, and says that there is more', async () => {
    const { slug, project, monitors } = await pageOf(12);
    const window = { maintenance: 1, status: 'identified' };
    for (let at = 0; at < 130; at++)
      await addIncident(project, { title: `open ${at}`, started_at: noon - at }, monitors);
    for (let at = 0; at < 12; at++) {
      await addIncident(project, { ...window, scheduled_start: noon, scheduled_end: noon + 1000 + at });
      const start = noon + dayMs + at;
      await addIncident(project, { ...window, started_at: start, scheduled_start: start, scheduled_end: start + 1 });
      await addIncident(project, { status: 'resolved', resolved_at: noon - at }, monitors);
      await addIncident(project, { status: 'resolved', resolved_at: noon - 1000 - at });
    }
    const { seq: incident } = await world.store.db
      .selectFrom('incident')
      .select('seq')
      .where('title', '=', 'open 0')
      .where('project_id', '=', project)
      .executeTakeFirstOrThrow();
    const updates = Array.from({ length: 40 }, (_, at) => ({
      id: `upd_${project}_${at}`,
      incident,
      status: 'identified' as const,
      message: `${at} ${'👩'.repeat(5000)}`,
      created_at: at,
    }));
    await world.store.write((trx) => trx.insertInto('incident_update').values(updates).execute());

    const view = await load(slug, noon);
    expect([view.open.length, view.current.length, view.planned.length, view.past.length]).toEqual([20, 10, 10, 20]);
    expect(view.more).toEqual({ open: true, current: true, planned: true, past: true });
    expect(view.overall.sentence).toBe('There are more than 100 open incidents.');
    const [first] = view.open;
    expect(first).toMatchObject({ title: 'open 0', whole: false, moreMonitors: 2 });
    expect(first!.monitors).toHaveLength(10);
    expect(first!.updates.map(({ at }) => at)).toEqual([30, 31, 32, 33, 34, 35, 36, 37, 38, 39]);
    for (const { message } of first!.updates) {
      expect(message.length).toBeLessThanOrEqual(1001);
      expect(message.isWellFormed()).toBe(true);
    }
  });

  test('a monitor is in the group that its label names, even after the label changed', async () => {
    const { slug, monitors } = await pageOf(3);
    const setLabels = (monitor: number, labels: object, updated_at: number) =>
      world.store.write(async (trx) => {
        const { config } = await trx
          .selectFrom('monitor')
          .select('config')
          .where('seq', '=', monitor)
          .executeTakeFirstOrThrow();
        const changed = JSON.stringify({ ...(JSON.parse(config) as object), labels });
        await trx.updateTable('monitor').set({ config: changed, updated_at }).where('seq', '=', monitor).execute();
      });
    const [first, second] = monitors as [number, number, number];
    await setLabels(first, { team: 'web', other: 'x' }, 1);
    await setLabels(second, { team: '' }, 1);
    await world.store.write((trx) =>
      trx.updateTable('status_page').set({ group_by: 'team' }).where('slug', '=', slug).execute(),
    );
    const loadPage = createPageLoader(world.store);
    const groups = async () => (await loadPage(slug, noon))!.monitors.map(({ group }) => group);
    expect(await groups()).toEqual(['web', null, null]);
    await setLabels(first, { team: 'data' }, 2);
    expect(await groups()).toEqual(['data', null, null]);
  });

  test('a page does not show incidents that name only monitors of other pages, nor the names of such monitors', async () => {
    const { slug, project, monitors } = await pageOf(2);
    const [shown, hidden] = monitors as [number, number];
    await world.store.write((trx) => trx.deleteFrom('status_page_monitor').where('monitor', '=', hidden).execute());
    await addIncident(project, { title: 'hidden' }, [hidden]);
    await addIncident(project, { title: 'both' }, [hidden, shown]);
    await addIncident(project, { title: 'general' });
    const view = await load(slug, noon);
    expect(view.open.map(({ title }) => title).toSorted()).toEqual(['both', 'general']);
    expect(view.open.flatMap((one) => one.monitors)).toEqual([`${project}_0`]);
  });

  test('after random changes around full hours and midnight, the cached history equals the history of a simple model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const { slug, monitors } = await pageOf(3);
        const keeping = createPageLoader(world.store);
        const lives = new Map(monitors.map((seq) => [seq, [] as Span[]]));
        const since = new Map<number, { at: number; status: Status }>(
          monitors.map((seq) => [seq, { at: noon, status: 'pending' }]),
        );
        let now = noon;
        for (const { move, acts } of steps) {
          now = moved(now, move);
          for (const [place, { closes, becomes, checks }] of acts.entries()) {
            const monitor = monitors[place]!;
            const life = since.get(monitor)!;
            await world.store.write(async (trx) => {
              if (closes || becomes !== life.status) {
                const row = await trx
                  .selectFrom('monitor_state')
                  .selectAll()
                  .where('monitor', '=', monitor)
                  .executeTakeFirstOrThrow();
                const state = { ...stateFromRow(row), rolledUpUntil: row.rolled_up_until };
                await rollUpTime(trx, monitor, state, now);
                await trx
                  .updateTable('monitor_state')
                  .set({ status: becomes, rolled_up_until: now })
                  .where('monitor', '=', monitor)
                  .execute();
                lives.get(monitor)!.push({ from: life.at, until: now, status: life.status });
                since.set(monitor, { at: now, status: becomes });
              }
              const hour = Math.floor(now / hourMs) - (checks % 2);
              await trx
                .insertInto('check_hour')
                .values({ monitor, hour, region: 1, checks, failed: 1, tenths_sum: checks * 100 })
                .onConflict((conflict) =>
                  conflict.columns(['hour', 'monitor', 'region']).doUpdateSet((set) => ({
                    checks: set('check_hour.checks', '+', checks),
                    tenths_sum: set('check_hour.tenths_sum', '+', checks * 100),
                  })),
                )
                .execute();
            });
          }
          const kept = await keeping(slug, now);
          expect(kept).toEqual(await load(slug, now));
          const expected = monitors.map((monitor) => {
            const { at: from, status } = since.get(monitor)!;
            const daysUntil = (until: number) => daysOf([...lives.get(monitor)!, { from, until, status }], now);
            const exact = daysUntil(now);
            return daysUntil(roundedTime(now)).map((day, n) => (day[1] + day[2] === 0 ? exact[n] : day));
          });
          expect(kept!.monitors.map(shownDays)).toEqual(expected);
        }
      }),
      { numRuns: kind.name === 'sqlite' ? 25 : 8 },
    );
  });
});

type Status = 'up' | 'down' | 'paused' | 'pending';
interface Span {
  from: number;
  until: number;
  status: Status;
}

const step = fc.record({
  move: fc.oneof(
    fc.record({ edge: fc.constantFrom(hourMs, dayMs), off: fc.constantFrom(-1, 0, 1) }),
    fc.record({ edge: fc.constant(0), off: fc.integer({ min: 1, max: 26 * hourMs }) }),
  ),
  acts: fc.array(
    fc.record({
      closes: fc.boolean(),
      becomes: fc.constantFrom<Status>('up', 'up', 'down', 'paused'),
      checks: fc.integer({ min: 2, max: 60 }),
    }),
    { minLength: 3, maxLength: 3 },
  ),
});

/**
 * Returns the next full hour or midnight, plus `off` (-1, 0 or 1 ms), but at least 1 ms after `now`. `edge` is the
 * length of an hour or a day. If `edge` is 0, returns `now` plus `off`.
 */
function moved(now: number, { edge, off }: { edge: number; off: number }): number {
  if (edge === 0) return now + off;
  const next = (Math.floor(now / edge) + 1) * edge + off;
  return next > now ? next : now + 1;
}

/** Returns the time up and down on each of the last 90 days, as the sum of the spans in `life`. */
function daysOf(life: readonly Span[], now: number): [day: number, up: number, down: number][] {
  const today = Math.floor(now / dayMs);
  return Array.from({ length: 90 }, (_, index) => {
    const day = today - 89 + index;
    const within = (status: Status) =>
      life
        .filter((span) => span.status === status)
        .reduce(
          (sum, { from, until }) => sum + Math.max(0, Math.min(until, (day + 1) * dayMs) - Math.max(from, day * dayMs)),
          0,
        );
    return [day, within('up'), within('down')];
  });
}

const shownDays = ({ past, today }: MonitorView) =>
  [...past, today].map(({ day, up, down }): [number, number, number] => [day, up, down]);
