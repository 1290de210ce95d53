import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { openStore } from './open-store.ts';
import { sqliteFile } from './sqlite.ts';
import type { Tables } from './tables.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

describe.each(databases)('the store on $name', ({ name, open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.dispose());

  it('returns what was written when it is opened again', async () => {
    await database.store.db.insertInto('purge').values({ monitor: 7 }).execute();
    await database.store.close();
    const again = await database.openAnother();
    expect(await again.db.selectFrom('purge').selectAll().execute()).toMatchObject([{ monitor: 7 }]);
  });

  it('has exactly the tables and columns of tables.ts', async () => {
    const tables = await database.store.db.introspection.getTables();
    const found = tables
      .filter((table) => !table.name.startsWith('uptime_migration') && !table.name.startsWith('sqlite_'))
      .map((table) => [table.name, table.columns.map((column) => column.name).toSorted()] as const);
    const said = Object.entries(columns).map(([table, names]) => [table, Object.keys(names).toSorted()]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(said));
  });

  it('refuses a schema that a newer version wrote', async () => {
    await sql`insert into uptime_migration (name, timestamp) values ('9999-tomorrow', '')`.execute(database.store.db);
    await expect(database.openAnother()).rejects.toThrow(
      'The database was written by a newer version of uptime (it has 9999-tomorrow).',
    );
  });

  it('can be opened by many at once', async () => {
    const stores = await Promise.all([1, 2, 3, 4].map(() => database.openAnother()));
    await Promise.all(stores.map((store, at) => store.db.insertInto('purge').values({ monitor: at }).execute()));
    expect(await database.store.db.selectFrom('purge').select('monitor').orderBy('monitor').execute()).toHaveLength(4);
  });

  it('deletes configuration with its project, and leaves results to the purge', async () => {
    const { db } = database.store;
    await db.insertInto('project').values(projectRow('prj')).execute();
    await db.insertInto('monitor').values(monitorRow('mon', 'prj')).execute();
    await db.insertInto('schedule').values({ monitor: 1, region: 1, next_at: 0, lease_until: 0 }).execute();
    await db.insertInto('result').values({ monitor: 1, at: 1, region: 1, code: 1, tenths: 9 }).execute();
    await db.deleteFrom('project').execute();
    expect(await db.selectFrom('monitor').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('schedule').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('result').selectAll().execute()).toHaveLength(1);
  });

  it('never reuses the number of a deleted monitor', async () => {
    const { db } = database.store;
    await db.insertInto('project').values(projectRow('prj')).execute();
    await db.insertInto('monitor').values(monitorRow('first', 'prj')).execute();
    await db.deleteFrom('monitor').execute();
    await db.insertInto('monitor').values(monitorRow('second', 'prj')).execute();
    expect(await db.selectFrom('monitor').select('seq').execute()).toEqual([{ seq: 2 }]);
  });

  it('distinguishes duplicate keys from missing references', async () => {
    const { db, dialect } = database.store;
    await db.insertInto('project').values(projectRow('prj')).execute();
    const failure = async (work: Promise<unknown>) => {
      const error = await work.then(() => undefined).catch((error: unknown) => error);
      return [dialect.isUniqueViolation(error), dialect.isForeignKeyViolation(error)];
    };
    expect(await failure(db.insertInto('project').values(projectRow('prj')).execute())).toEqual([true, false]);
    expect(await failure(db.insertInto('monitor').values(monitorRow('mon', 'gone')).execute())).toEqual([false, true]);
    expect(await failure(sql`select nonsense`.execute(db))).toEqual([false, false]);
  });

  it('keeps a key unique in its project, and allows any number without a key', async () => {
    const { db, dialect } = database.store;
    await db
      .insertInto('project')
      .values([projectRow('one'), projectRow('two')])
      .execute();
    const add = (id: string, project: string, key: string | null) =>
      db
        .insertInto('monitor')
        .values(monitorRow(id, project, { key }))
        .execute();
    await Promise.all([add('a', 'one', 'api'), add('b', 'two', 'api'), add('c', 'one', null), add('d', 'one', null)]);
    const error = await add('e', 'one', 'api').catch((error: unknown) => error);
    expect(dialect.isUniqueViolation(error)).toBe(true);
  });

  it('allows a monitor one open outage', async () => {
    const { db, dialect } = database.store;
    const outage = { monitor: 1, opened_at: 1, failing_since: 1, closed_at: null, close_reason: null };
    const said = { error_code: null, error_message: null };
    const add = (id: string, closed_at: number | null) =>
      db
        .insertInto('episode')
        .values({ ...outage, ...said, id, closed_at })
        .execute();
    await add('a', 5);
    await add('b', 9);
    await add('c', null);
    const error = await add('d', null).catch((error: unknown) => error);
    expect(dialect.isUniqueViolation(error)).toBe(true);
  });

  it('returns numbers as numbers, including sums and times', async () => {
    const { db } = database.store;
    const at = Date.UTC(2400, 0, 1);
    await db
      .insertInto('result')
      .values([1, 2].map((region) => ({ monitor: 1, at, region, code: 1, tenths: 2 ** 40 })))
      .execute();
    const row = await db
      .selectFrom('result')
      .select(({ fn }) => [fn.max('at').as('at'), fn.sum('tenths').as('sum'), fn.countAll().as('count')])
      .executeTakeFirst();
    expect(row).toEqual({ at, sum: 2 ** 41, count: 2 });
  });

  it('compares text byte by byte', async () => {
    const { db } = database.store;
    await db
      .insertInto('project')
      .values(['ä', 'b', 'B', 'a'].map((id) => projectRow(id)))
      .execute();
    const rows = await db.selectFrom('project').select('id').orderBy('id').execute();
    expect(rows.map(({ id }) => id)).toEqual(['B', 'a', 'b', 'ä']);
  });

  it('accepts many rows as one parameter', async () => {
    const { db, dialect } = database.store;
    const items = [
      { monitor: 1, body: 'it\'s "quoted" \\ ☃' as string | null },
      { monitor: Date.UTC(2400, 0, 1), body: null },
    ];
    const given = dialect.rows('given', { monitor: 'long', body: 'text' }, items);
    expect(await db.selectFrom(given).selectAll().execute()).toEqual(items);
    const none = dialect.rows('none', { monitor: 'long', body: 'text' }, items.slice(2));
    expect(await db.selectFrom(none).selectAll().execute()).toEqual([]);
  });

  it('commits all of a transaction or none of it', async () => {
    const { store } = database;
    const refused = store.write(async (trx) => {
      await trx.insertInto('purge').values({ monitor: 1 }).execute();
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    await store.write((trx) => trx.insertInto('purge').values({ monitor: 2 }).execute());
    expect(await store.db.selectFrom('purge').selectAll().execute()).toMatchObject([{ monitor: 2 }]);
  });

  it('shows a transaction to others only after its commit', async () => {
    const { store } = database;
    await store.write(async (trx) => {
      await trx.insertInto('purge').values({ monitor: 1 }).execute();
      expect(await store.db.selectFrom('purge').selectAll().execute()).toEqual([]);
      expect(await trx.selectFrom('purge').selectAll().execute()).toHaveLength(1);
    });
    expect(await store.db.selectFrom('purge').selectAll().execute()).toHaveLength(1);
  });

  it('returns how many rows a write changed', async () => {
    const { db } = database.store;
    const written = await db
      .insertInto('purge')
      .values([{ monitor: 1 }, { monitor: 2 }])
      .executeTakeFirst();
    expect(written.numInsertedOrUpdatedRows).toBe(2n);
    expect((await db.deleteFrom('purge').executeTakeFirst()).numDeletedRows).toBe(2n);
  });

  it(`reports its dialect as ${name}`, () => {
    expect(database.store.dialect.name).toBe(name);
  });
});

describe('opening the store', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'uptime-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('creates a folder and files that only their owner can read', async () => {
    const dataDir = join(folder, 'deep', 'data');
    const store = await openStore({ dataDir, log });
    const mode = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await mode(dataDir)).toBe(0o700);
    expect(await mode(sqliteFile(dataDir))).toBe(0o600);
    expect(await mode(`${sqliteFile(dataDir)}-wal`)).toBe(0o600);
    await store.close();
  });

  it('syncs each commit, checks references, and never waits inside SQLite', async () => {
    const store = await openStore({ dataDir: folder, log });
    const pragma = async (name: string) =>
      Object.values((await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(store.db)).rows[0] ?? {})[0];
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
    expect(await pragma('busy_timeout')).toBe(0);
    expect(await pragma('journal_mode')).toBe('wal');
    await store.close();
  });

  it('refuses other kinds of addresses', async () => {
    await expect(openStore({ databaseUrl: 'mysql://localhost/x', dataDir: folder, log })).rejects.toThrow(
      'must be a postgres:// address',
    );
  });

  it('reports that PostgreSQL does not answer', async () => {
    const databaseUrl = `postgres://nobody@localhost/none?host=${encodeURIComponent(folder)}`;
    await expect(openStore({ databaseUrl, dataDir: folder, log })).rejects.toThrow(/database/i);
  });
});

/** The compiler keeps this in step with tables.ts. */
const columns: { [T in keyof Tables]: Record<keyof Tables[T], true> } = {
  project: { id: true, user_id: true, name: true, api_key: true, created_at: true, updated_at: true },
  monitor: {
    seq: true,
    id: true,
    project_id: true,
    key: true,
    name: true,
    type: true,
    config: true,
    generation: true,
    token: true,
    plan_paused: true,
    region_limit: true,
    bytes: true,
    created_at: true,
    updated_at: true,
  },
  monitor_state: {
    monitor: true,
    status: true,
    since: true,
    failures: true,
    failing_since: true,
    regions: true,
    error_code: true,
    error_message: true,
    last_checked_at: true,
    last_ping_at: true,
    run_started_at: true,
    allowed_silence_ms: true,
    ping_due_at: true,
    silence_review_at: true,
    watched_since: true,
    blind_since: true,
    accounted_until: true,
    certificate: true,
    domain: true,
    expiry_review_at: true,
  },
  schedule: { monitor: true, region: true, next_at: true, lease_until: true, project: true },
  region: { id: true, name: true, seen_at: true },
  result: { monitor: true, at: true, region: true, code: true, tenths: true },
  result_detail: { monitor: true, at: true, region: true, error_message: true, timings: true },
  check_hour: { monitor: true, hour: true, region: true, checks: true, failed: true, tenths_sum: true },
  response_histogram: { monitor: true, hour: true, bucket: true, count: true, tenths_sum: true },
  observed_hour: { monitor: true, period: true, up_ms: true, down_ms: true, maintenance_ms: true },
  observed_day: { monitor: true, period: true, up_ms: true, down_ms: true, maintenance_ms: true },
  status_change: {
    id: true,
    monitor: true,
    at: true,
    from_status: true,
    to_status: true,
    error_code: true,
    error_message: true,
  },
  episode: {
    id: true,
    monitor: true,
    opened_at: true,
    failing_since: true,
    closed_at: true,
    close_reason: true,
    error_code: true,
    error_message: true,
  },
  ping: { id: true, monitor: true, at: true, kind: true, exit_code: true, duration_ms: true, metrics: true },
  idempotency: {
    scope: true,
    key: true,
    owner: true,
    request_hash: true,
    status: true,
    body: true,
    bytes: true,
    created_at: true,
  },
  presence: { instance: true, region: true, started_at: true, alive_at: true, ended_at: true, short_runs: true },
  channel: {
    seq: true,
    id: true,
    project_id: true,
    key: true,
    name: true,
    type: true,
    config: true,
    last_sent_at: true,
    last_error: true,
    wait_until: true,
    limits: true,
    bytes: true,
    held_why: true,
    address_digest: true,
    confirmed_at: true,
    code_digest: true,
    code_until: true,
    code_tries: true,
    created_at: true,
    updated_at: true,
  },
  rule: {
    seq: true,
    id: true,
    project_id: true,
    key: true,
    name: true,
    trigger: true,
    consecutive_failures: true,
    notify_on_recovery: true,
    reminder_interval: true,
    expiry_alerts: true,
    enabled: true,
    bytes: true,
    created_at: true,
    updated_at: true,
  },
  rule_monitor: { rule: true, monitor: true, position: true },
  rule_channel: { rule: true, channel: true, position: true },
  alert: {
    seq: true,
    id: true,
    project_id: true,
    rule: true,
    rule_id: true,
    rule_name: true,
    monitor: true,
    monitor_id: true,
    monitor_name: true,
    channel: true,
    channel_id: true,
    channel_name: true,
    type: true,
    subject: true,
    failing_since: true,
    triggered_at: true,
    resolved_at: true,
    delivery_status: true,
    end_reason: true,
    told: true,
    error: true,
    remind_at: true,
  },
  delivery: {
    seq: true,
    id: true,
    alert: true,
    channel: true,
    lane: true,
    kind: true,
    notice: true,
    status: true,
    attempts: true,
    refusals: true,
    tried_at: true,
    tried_since: true,
    next_at: true,
    lease_until: true,
    created_at: true,
    finished_at: true,
  },
  paging_incident: {
    seq: true,
    id: true,
    alert: true,
    channel_id: true,
    type: true,
    config: true,
    notice: true,
    certain: true,
    attempts: true,
    refusals: true,
    tried_since: true,
    next_at: true,
  },
  delivery_attempt: { delivery: true, at: true, duration_ms: true, status: true, text: true },
  domain_registration: {
    name: true,
    next_at: true,
    checked_at: true,
    expires_at: true,
    registrar: true,
    error: true,
  },
  incident: {
    seq: true,
    id: true,
    public_id: true,
    project_id: true,
    title: true,
    status: true,
    maintenance: true,
    named: true,
    scheduled_start: true,
    scheduled_end: true,
    started_at: true,
    resolved_at: true,
    bytes: true,
    created_at: true,
    updated_at: true,
  },
  incident_update: { seq: true, id: true, incident: true, status: true, message: true, created_at: true },
  incident_monitor: { incident: true, monitor: true, position: true },
  status_page: {
    seq: true,
    id: true,
    project_id: true,
    key: true,
    name: true,
    slug: true,
    custom_domain: true,
    domain_status: true,
    domain_error: true,
    domain_check_at: true,
    created_at: true,
    updated_at: true,
    description: true,
    home_url: true,
    icon_url: true,
    accent_color: true,
    group_by: true,
    domain_pointed_at: true,
    bytes: true,
  },
  plan: {
    id: true,
    name: true,
    monitors: true,
    check_interval: true,
    regions: true,
    price_cents: true,
    limits: true,
    deleted_at: true,
  },
  account_lock: { user_id: true },
  upgrade_step: { name: true, position: true, done: true },
  subscription: {
    id: true,
    user_id: true,
    plan_id: true,
    status: true,
    period_start: true,
    period_end: true,
    since: true,
  },
  billing_event: { id: true, subscription: true, event: true },
  status_page_monitor: { page: true, monitor: true, position: true },
  purge: { monitor: true, created_at: true },
  invitation: { code_hash: true, email: true, expires_at: true },
  sign_up_closed: { since: true },
  disabled_account: { user_id: true, since: true },
  message_budget: { owner: true, kind: true, full_at: true },
  address_codes: { mailbox: true, latest_at: true, second_at: true, third_at: true },
};
