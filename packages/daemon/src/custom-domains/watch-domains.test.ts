import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StatusPageRow } from '../store/tables.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { projectRow } from '../testing/rows.ts';
import { createServedNames } from './served-names.ts';
import { createDomainWatch } from './watch-domains.ts';
import type { Verdict } from './judge-claim.ts';

const minute = 60_000;
const hour = 60 * minute;

describe.each(databases)('custom domains on $name', (kind) => {
  let database: TestDatabase;
  let clock: FakeClock;
  let looks: string[];
  let verdicts: Record<string, Verdict>;
  beforeEach(async () => {
    database = await kind.open();
    clock = createFakeClock();
    looks = [];
    verdicts = {};
    await database.store.write((trx) => trx.insertInto('project').values(projectRow('prj_1')).execute());
  });
  afterEach(() => database.dispose());

  const addPage = (slug: string, more: Partial<StatusPageRow> = {}) =>
    database.store.write((trx) =>
      trx
        .insertInto('status_page')
        .values({
          id: `pag_${slug}`,
          project_id: 'prj_1',
          key: null,
          name: slug,
          slug,
          custom_domain: `${slug}.example.com`,
          domain_status: 'pending',
          domain_error: null,
          domain_check_at: clock.now(),
          created_at: clock.now(),
          updated_at: clock.now(),
          domain_pointed_at: clock.now(),
          ...more,
        })
        .execute(),
    );
  const page = (slug: string) =>
    database.store.db
      .selectFrom('status_page')
      .select(['domain_status', 'domain_error'])
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow();
  const watch = (store = database.store) =>
    createDomainWatch(clock, store, {
      judge: async ({ name, project }) => {
        expect(project).toBe('prj_1');
        looks.push(name);
        return verdicts[name] ?? { served: true };
      },
      stopping: new AbortController().signal,
    });
  /**
   * Checks due domains once a minute for the given number of minutes. Returns the minutes in which a domain was
   * checked.
   */
  const looksIn = async (minutes: number): Promise<number[]> => {
    const at: number[] = [];
    for (let elapsed = 0; elapsed < minutes; elapsed++) {
      const before = looks.length;
      await watch().lookAtDue();
      if (looks.length > before) at.push(elapsed);
      await clock.advance(minute);
    }
    return at;
  };

  test('a domain that points here is active, and is checked each hour', async () => {
    await addPage('shop');
    expect(await looksIn(125)).toEqual([0, 60, 120]);
    expect(await page('shop')).toEqual({ domain_status: 'active', domain_error: null });
  });

  test('a domain that does not point here is checked each minute for a day, and then each hour', async () => {
    await addPage('shop');
    verdicts['shop.example.com'] = { served: false, reason: 'It leads astray.' };
    expect(await looksIn(5)).toEqual([0, 1, 2, 3, 4]);
    expect(await page('shop')).toEqual({ domain_status: 'error', domain_error: 'It leads astray.' });
    await clock.advance(24 * hour);
    expect(await looksIn(120)).toEqual([0, 60]);
    delete verdicts['shop.example.com'];
    await clock.advance(hour);
    await watch().lookAtDue();
    expect(await page('shop')).toEqual({ domain_status: 'active', domain_error: null });
  });

  test('the daemon stores when a domain last pointed here', async () => {
    await addPage('shop');
    const pointedAt = async () =>
      (await database.store.db.selectFrom('status_page').select('domain_pointed_at').executeTakeFirstOrThrow())
        .domain_pointed_at;
    const named = clock.now();
    await looksIn(61);
    expect(await pointedAt()).toBe(named + hour);
    verdicts['shop.example.com'] = { served: false, reason: 'It leads astray.' };
    await looksIn(120);
    expect(await pointedAt()).toBe(named + hour);
  });

  test('if the name servers fail, the status of a domain does not change, and a pending domain shows the reason', async () => {
    await addPage('new');
    await addPage('served', { domain_status: 'active' });
    for (const name of ['new', 'served']) verdicts[`${name}.example.com`] = { served: 'unknown', reason: 'No answer.' };
    expect(await looksIn(3)).toEqual([0, 1, 2]);
    expect(await page('new')).toEqual({ domain_status: 'pending', domain_error: 'No answer.' });
    expect(await page('served')).toEqual({ domain_status: 'active', domain_error: null });
  });

  test('two processes on one database together check each name only once', async () => {
    for (let count = 0; count < 30; count++) await addPage(`page-${count}`);
    const other = await database.openAnother();
    const watches = [watch(), watch(other)];
    while ((await Promise.all(watches.map((one) => one.lookAtDue()))).some(({ looked }) => looked));
    expect(looks).toHaveLength(30);
    expect(new Set(looks).size).toBe(30);
  });

  test("a result for the page's former domain is not stored", async () => {
    await addPage('shop');
    const { seq, project_id } = await database.store.db.selectFrom('status_page').selectAll().executeTakeFirstOrThrow();
    const never = { domain_status: null, domain_error: null, domain_pointed_at: null };
    const former = { seq, project_id, custom_domain: 'former.example.com', ...never };
    await watch().lookAt(former);
    expect(await page('shop')).toEqual({ domain_status: 'pending', domain_error: null });
  });

  test('pageAt finds the page of a host in any spelling if the domain is active and does not belong to the server', async () => {
    await addPage('shop', { domain_status: 'active' });
    await addPage('new');
    await addPage('own', { domain_status: 'active' });
    await addPage('none', { custom_domain: null, domain_status: null });
    const names = createServedNames(database.store, (name) => name === 'own.example.com');
    expect(names.pageAt('shop.example.com')).toBeNull();
    await names.load();
    for (const host of [
      'shop.example.com',
      'SHOP.Example.com',
      'shop.example.com.',
      'shop.example.com:8080',
      'shop.example.com.:443',
    ])
      expect(names.pageAt(host)).toEqual({ name: 'shop.example.com', slug: 'shop' });
    for (const host of [
      'new.example.com',
      'own.example.com',
      'x.shop.example.com',
      '',
      '[::1]:3000',
      ':80',
      'shop.example.com:80:80',
    ])
      expect(names.pageAt(host)).toBeNull();
    expect(names.served()).toEqual([{ name: 'shop.example.com', account: 'user' }]);
    expect([...names.bound()].toSorted()).toEqual(['new.example.com', 'own.example.com', 'shop.example.com']);
  });
});
