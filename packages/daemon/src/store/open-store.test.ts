import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { openStore } from './open-store.ts';
import { sqliteFile } from './sqlite.ts';

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

  it('refuses a schema that a newer version wrote', async () => {
    await sql`insert into uptime_migration (name, timestamp) values ('9999-tomorrow', '')`.execute(database.store.db);
    await expect(database.openAnother()).rejects.toThrow(
      'The database was written by a newer version of uptime (it has 9999-tomorrow).',
    );
  });

  it('can be opened by several daemons at once', async () => {
    const stores = await Promise.all([1, 2, 3, 4].map(() => database.openAnother()));
    await Promise.all(stores.map((store, at) => store.db.insertInto('purge').values({ monitor: at }).execute()));
    expect(await database.store.db.selectFrom('purge').select('monitor').orderBy('monitor').execute()).toHaveLength(4);
  });

  it('deletes the configuration of a project with the project, and leaves its results to the purge', async () => {
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

  it('allows a key only once in a project, and any number of monitors without a key', async () => {
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

  it('allows a monitor only one open outage', async () => {
    const { db, dialect } = database.store;
    const outage = { monitor: 1, opened_at: 1, failing_since: 1, closed_at: null, close_reason: null };
    const noError = { error_code: null, error_message: null };
    const add = (id: string, closed_at: number | null) =>
      db
        .insertInto('outage')
        .values({ ...outage, ...noError, id, closed_at })
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

  it('commits a transaction completely, or undoes it completely', async () => {
    const { store } = database;
    const refused = store.write(async (trx) => {
      await trx.insertInto('purge').values({ monitor: 1 }).execute();
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    await store.write((trx) => trx.insertInto('purge').values({ monitor: 2 }).execute());
    expect(await store.db.selectFrom('purge').selectAll().execute()).toMatchObject([{ monitor: 2 }]);
  });

  it('shows the changes of a transaction to other readers only after the commit', async () => {
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

describe('`openStore`', () => {
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

  it('opens SQLite so that it syncs each commit, checks references, and never waits for a lock', async () => {
    const store = await openStore({ dataDir: folder, log });
    const pragma = async (name: string) =>
      Object.values((await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(store.db)).rows[0] ?? {})[0];
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
    expect(await pragma('busy_timeout')).toBe(0);
    expect(await pragma('journal_mode')).toBe('wal');
    await store.close();
  });

  it('refuses an address that does not begin with postgres://', async () => {
    await expect(openStore({ databaseUrl: 'mysql://localhost/x', dataDir: folder, log })).rejects.toThrow(
      'must be a postgres:// address',
    );
  });

  it('reports that PostgreSQL does not answer', async () => {
    const databaseUrl = `postgres://nobody@localhost/none?host=${encodeURIComponent(folder)}`;
    await expect(openStore({ databaseUrl, dataDir: folder, log })).rejects.toThrow(/database/i);
  });
});
