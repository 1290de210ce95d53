import { validateMonitor } from '@uptime/sdk/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dayMs } from '../core/uptime.ts';
import type { Registration } from '../expiry/registration.ts';
import { changeMonitor, initMonitor } from '../lifecycle/monitor-life.ts';
import { fieldColumns, storedFields } from '../stored-monitors/stored-monitor.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { projectRow } from '../testing/rows.ts';
import { startExpiries } from './expiries.ts';
import type { Loop } from './loop.ts';
import { startReviews } from './reviews.ts';

const log = { debug() {}, info: vi.fn<(fields: object, message: string) => void>(), warn() {}, error() {} };

describe.each(databases)('the loop for expiry dates of domains on $name', ({ open }) => {
  let database: TestDatabase;
  let clock: FakeClock;
  let loops: Loop[];
  let asked: string[];
  let answer: Registration;

  beforeEach(async () => {
    database = await open();
    clock = createFakeClock();
    asked = [];
    answer = { expiresAt: clock.now() + 40 * dayMs, registrar: 'Registrar', error: null, unsupported: false };
    log.info.mockClear();
    await database.store.db.insertInto('project').values(projectRow('prj_1')).execute();
    const expiries = startExpiries({ clock, log }, database.store, async (name) => {
      asked.push(name);
      return answer;
    });
    loops = [expiries, startReviews({ clock, log }, database.store)];
  });
  afterEach(async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
    await database.dispose();
  });

  const create = (url: string, more: object = {}) =>
    database.store.write(async (trx) => {
      const parsed = validateMonitor({ type: 'http', name: url, url, ...more });
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
      const now = clock.now();
      const row = { ...fieldColumns(parsed.value), project_id: 'prj_1', token: null, generation: 0 };
      const { seq } = await trx
        .insertInto('monitor')
        .values({ ...row, id: `mon_${url}`, created_at: now, updated_at: now })
        .returning('seq')
        .executeTakeFirstOrThrow();
      await initMonitor(trx, { seq, fields: parsed.value, now });
      return seq;
    });
  const edit = (seq: number, change: object) =>
    database.store.write(async (trx) => {
      const row = await trx.selectFrom('monitor').selectAll().where('seq', '=', seq).executeTakeFirstOrThrow();
      const before = storedFields(row);
      const after: typeof before = { ...before, ...change };
      await trx.updateTable('monitor').set(fieldColumns(after)).where('seq', '=', seq).execute();
      await changeMonitor(trx, { seq, before, after, now: clock.now() });
    });
  const watch = (monitor: number, trigger: 'domain_expiring' | 'domain_expired') =>
    database.store.write(async (trx) => {
      const common = { project_id: 'prj_1', key: null, created_at: 0, updated_at: 0 };
      const channel = await trx
        .insertInto('channel')
        .values({ ...common, id: `chn_${trigger}`, name: 'c', type: 'slack', config: '' })
        .returning('seq')
        .executeTakeFirstOrThrow();
      const rule = await trx
        .insertInto('rule')
        .values({
          ...common,
          id: `rul_${trigger}`,
          name: 'r',
          trigger,
          consecutive_failures: 1,
          notify_on_recovery: 1,
          reminder_interval_seconds: null,
          enabled: 1,
        })
        .returning('seq')
        .executeTakeFirstOrThrow();
      await trx.insertInto('rule_monitor').values({ rule: rule.seq, monitor, position: 0 }).execute();
      await trx.insertInto('rule_channel').values({ rule: rule.seq, channel: channel.seq, position: 0 }).execute();
    });
  const alerts = () =>
    database.store.db.selectFrom('alert').select(['type', 'subject', 'resolved_at']).orderBy('seq').execute();
  const notices = async () =>
    (await database.store.db.selectFrom('delivery').select('notice').orderBy('seq').execute()).map(
      ({ notice }) => (JSON.parse(notice) as { error: { message: string } }).error.message,
    );
  const kept = () => database.store.db.selectFrom('domain_registration').selectAll().execute();
  /** Moves the clock forward, and then waits until both loops are idle. The store works in real time. */
  const pass = async (ms: number) => {
    await clock.advance(ms);
    await vi.waitFor(() => expect(clock.waiting()).toBe(2), { timeout: 20_000, interval: 1 });
  };
  /** Moves the clock forward by a long time at once, so that no loop runs in between. */
  const later = async (ms: number) => {
    clock.jump(ms);
    await pass(5000);
  };
  const untilAsked = (times: number) =>
    vi.waitFor(
      async () => {
        await pass(5000);
        expect(asked).toHaveLength(times);
      },
      { timeout: 10_000, interval: 1 },
    );

  test('the loop asks the registry once for a domain that several monitors share, and again after twelve hours', async () => {
    await create('https://example.com');
    await create('https://shop.example.com/cart');
    await create('http://localhost:3000');
    await untilAsked(1);
    expect(asked).toEqual(['example.com']);
    expect(await kept()).toMatchObject([{ name: 'example.com', expires_at: answer.expiresAt, registrar: 'Registrar' }]);
    await later(11 * 3_600_000);
    expect(asked).toHaveLength(1);
    await later(3_600_000);
    await untilAsked(2);
  });

  test('the loop opens an alert at the warning threshold, another at the expiry, and a new alert after the expiry date has changed', async () => {
    const seq = await create('https://example.com', { domainExpiryThreshold: 30 });
    await watch(seq, 'domain_expiring');
    await watch(seq, 'domain_expired');
    await untilAsked(1);
    expect(await alerts()).toEqual([]);

    await later(11 * dayMs);
    await vi.waitFor(async () => {
      await pass(5000);
      expect(await alerts()).toMatchObject([{ type: 'domain_expiring', resolved_at: null }]);
    }, 10_000);
    expect(await notices()).toEqual(['The registration of example.com expires on 2026-02-10, in 28 days.']);
    await later(10 * dayMs);
    expect(await alerts()).toHaveLength(1);

    await later(20 * dayMs);
    await vi.waitFor(async () => {
      await pass(5000);
      expect(await alerts()).toMatchObject([
        { type: 'domain_expiring' },
        { type: 'domain_expired', resolved_at: null },
      ]);
    }, 10_000);

    answer = { ...answer, expiresAt: clock.now() + 365 * dayMs };
    await later(dayMs);
    await vi.waitFor(async () => {
      await pass(5000);
      const now = await alerts();
      expect(now).toHaveLength(2);
      expect(now.every(({ resolved_at }) => resolved_at !== null)).toBe(true);
    }, 10_000);
    answer = { ...answer, expiresAt: clock.now() + 5 * dayMs };
    await later(dayMs);
    await vi.waitFor(async () => {
      await pass(5000);
      expect(await alerts()).toHaveLength(3);
    }, 10_000);
  });

  test('the loop keeps the known expiry date if the registry does not answer one of the questions', async () => {
    await create('https://example.com');
    await untilAsked(1);
    const { expiresAt } = answer;
    answer = { expiresAt: null, registrar: null, error: 'It was away.', unsupported: false };
    await later(12 * 3_600_000);
    await untilAsked(2);
    await vi.waitFor(
      async () =>
        expect(await kept()).toMatchObject([{ expires_at: expiresAt, registrar: 'Registrar', error: 'It was away.' }]),
      10_000,
    );
  });

  test('the loop logs once that a registry has no dates, does not ask it again for 29 days, and uses the date that the user gives', async () => {
    answer = { expiresAt: null, registrar: 'Registrar', error: 'unsupported: …', unsupported: true };
    const seq = await create('https://example.de', { domainExpiryThreshold: 30 });
    await watch(seq, 'domain_expiring');
    await untilAsked(1);
    await later(29 * dayMs);
    expect(asked).toHaveLength(1);
    expect(log.info).toHaveBeenCalledTimes(1);
    expect(await alerts()).toEqual([]);
    await edit(seq, { domainExpiresOn: new Date(clock.now() + 10 * dayMs).toISOString().slice(0, 10) });
    expect(await alerts()).toMatchObject([{ type: 'domain_expiring', resolved_at: null }]);
  });

  test('the loop forgets a domain that no monitor uses, and does not ask its registry again', async () => {
    const seq = await create('https://example.com');
    await untilAsked(1);
    await edit(seq, { url: 'https://example.org' });
    await untilAsked(2);
    await later(12 * 3_600_000);
    await vi.waitFor(async () => {
      await pass(5000);
      expect((await kept()).map(({ name }) => name)).toEqual(['example.org']);
    }, 10_000);
    expect(asked.filter((name) => name === 'example.com')).toHaveLength(1);
  });
});
