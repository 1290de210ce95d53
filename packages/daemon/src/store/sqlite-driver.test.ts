import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { createBatch } from './batch.ts';
import { openSqlite, sqliteFile } from './sqlite.ts';
import type { Store } from './store.ts';
import { boundMs } from '../testing/bound-ms.ts';

/** The columns of a row in the table `idempotency` that these tests do not need. */
const fields = { scope: 's', owner: 'o', request_hash: 'h', bytes: 0, created_at: 0 };
const [{ open } = { open: () => Promise.reject(new Error('no SQLite')) }] = databases;

describe('the store on SQLite', () => {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await open();
    store = database.store;
  });
  afterEach(() => database.dispose());

  const add = (monitor: number) => store.db.insertInto('purge').values({ monitor }).execute();
  const stored = async () => (await store.db.selectFrom('purge').select('monitor').execute()).length;

  it('copies long texts from the write-ahead log to the database a few megabytes at a time', async () => {
    const text = 'x'.repeat(1024 * 1024);
    const log = `${sqliteFile(database.options.dataDir)}-wal`;
    let longest = 0;
    for (let row = 0; row < 20; row++) {
      await store.write((trx) =>
        trx
          .insertInto('idempotency')
          .values({ ...fields, key: `${row}`, body: text })
          .execute(),
      );
      longest = Math.max(longest, (await stat(log)).size);
    }
    expect(longest / text.length).toBeLessThan(8);
  });

  describe('when a checkpoint waits for a transaction', () => {
    const logged: unknown[] = [];
    const openOwn = async () => {
      logged.length = 0;
      const log = { warn: (...line: unknown[]) => void logged.push(line) };
      const { db } = await openSqlite({ ...database.options, log, lockTimeoutMs: 60 });
      await db.transaction().execute((trx) =>
        trx
          .insertInto('idempotency')
          .values({ ...fields, key: 'k', body: 'x'.repeat(3 * 1024 * 1024) })
          .execute(),
      );
      return db;
    };

    it('logs that the checkpoint failed', async () => {
      const db = await openOwn();
      await db.transaction().execute(() => expect.poll(() => logged).toHaveLength(1));
      expect(logged).toMatchObject([[{ err: { code: 'unavailable' } }, expect.stringContaining('log')]]);
      await db.destroy();
    });

    it('logs nothing when the store closes', async () => {
      const db = await openOwn();
      await db.destroy();
      await sleep(0);
      expect(logged).toEqual([]);
    });
  });

  it('reads at once and lets writes wait while another process holds the lock', async () => {
    await add(1);
    const release = await lockFromAnotherProcess(sqliteFile(database.options.dataDir));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();

    let written = 0;
    const count = () => written++;
    const batch = createBatch(store, async (trx, items: number[]) => {
      await trx
        .insertInto('purge')
        .values(items.map((monitor) => ({ monitor })))
        .execute();
      return items;
    });
    const writes = [
      add(2).then(count),
      store.write((trx) => trx.insertInto('purge').values({ monitor: 3 }).execute()).then(count),
      batch.submit(4).then(count),
    ];
    const untilMonoMs = performance.now() + 3000;
    let reads = 0;
    while (performance.now() < untilMonoMs) {
      expect(await stored()).toBe(1);
      reads++;
      await sleep(5);
    }
    expect(written).toBe(0);
    // A wait inside SQLite would allow only one read, and would block the event loop for all three seconds.
    expect(reads).toBeGreaterThan(3);
    expect(delay.percentile(95) / 1e6).toBeLessThan(boundMs(50));
    expect(delay.max / 1e6).toBeLessThan(boundMs(1000));

    await release();
    await Promise.all(writes);
    expect(await stored()).toBe(4);
  });

  it('rejects writes if another process holds the lock too long, and works again after the release', async () => {
    const { db } = await openSqlite({ ...database.options, log: silentLog, lockTimeoutMs: 60 });
    const release = await lockFromAnotherProcess(sqliteFile(database.options.dataDir));
    const tryIt = (monitor: number) => db.insertInto('purge').values({ monitor }).execute();
    const attempts = [tryIt(1), tryIt(2), db.transaction().execute((trx) => trx.deleteFrom('purge').execute())];
    for (const attempt of await Promise.allSettled(attempts)) {
      expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', retryAfterSeconds: 5 } });
    }
    await release();
    await tryIt(3);
    expect(await stored()).toBe(1);
    await db.destroy();
  });

  it('runs one transaction at a time, in order of arrival', async () => {
    const order: string[] = [];
    const transaction = (name: string) =>
      store.write(async (trx) => {
        order.push(`${name} begins`);
        await trx.selectFrom('purge').selectAll().execute();
        await sleep(1);
        order.push(`${name} ends`);
      });
    await Promise.all([transaction('a'), transaction('b'), add(1), transaction('c')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('reports a full disk, keeps its data, and accepts writes when there is space again', async () => {
    await add(1);
    const { page_count: pages } = (await sql<{ page_count: number }>`pragma page_count`.execute(store.db)).rows[0]!;
    await sql`pragma max_page_count = ${sql.lit(pages + 2)}`.execute(store.db);
    const fill = store.write(async (trx) => {
      for (let at = 0; at < 1000; at++) {
        await trx
          .insertInto('idempotency')
          .values({ ...fields, key: `${at}`, body: 'x'.repeat(1000) })
          .execute();
      }
    });
    await expect(fill).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('disk is full') });
    expect(await stored()).toBe(1);
    expect(await store.db.selectFrom('idempotency').selectAll().execute()).toEqual([]);

    await sql`pragma max_page_count = 1000000`.execute(store.db);
    await add(2);
    expect(await stored()).toBe(2);
    expect((await sql`pragma integrity_check`.execute(store.db)).rows).toEqual([{ integrity_check: 'ok' }]);
  });

  it('runs no more statements of a transaction that SQLite has rolled back by itself', async () => {
    await add(1);
    const insert = store.direct!.inTurn('insert into purge (monitor) values (?)');
    for (const last of [() => insert([4]), () => sql`insert into purge (monitor) values (4)`]) {
      const written = store.write(async (trx) => {
        insert([2]);
        // SQLite rolls the transaction back in the same way when a disk fails.
        const failed = sql`insert or rollback into purge (monitor) values (1)`.execute(trx);
        await expect(failed).rejects.toSatisfy(store.dialect.isUniqueViolation);
        const query = last();
        if ('execute' in query) await query.execute(trx);
      });
      await expect(written).rejects.toThrow('An earlier error has ended this transaction.');
      expect(await store.db.selectFrom('purge').select('monitor').execute()).toEqual([{ monitor: 1 }]);
    }
    await store.write(async () => void insert([5]));
    expect(await stored()).toBe(2);
  });

  it('waits for the disk only in durable writes, which are the default', async () => {
    const level = (durable?: boolean) =>
      store.write(async (trx) => (await sql<{ synchronous: number }>`pragma synchronous`.execute(trx)).rows[0], {
        durable,
      });
    const [normal, full] = [{ synchronous: 1 }, { synchronous: 2 }];
    expect([await level(), await level(false), await level(true), await level(false)]).toEqual([
      full,
      normal,
      full,
      normal,
    ]);
    await add(1);
    expect((await sql`pragma synchronous`.execute(store.db)).rows).toEqual([full]);
  });

  it('gives the space of deleted rows back to the file system', async () => {
    const pages = async () =>
      (await sql<{ page_count: number }>`pragma page_count`.execute(store.db)).rows[0]!.page_count;
    const rows = Array.from({ length: 5000 }, (_, at) => ({ monitor: 1, at, region: 1, code: 1, tenths: 1 }));
    const given = store.dialect.rows(
      'given',
      { monitor: 'long', at: 'long', region: 'integer', code: 'integer', tenths: 'long' },
      rows,
    );
    // The migrations have left free pages.
    await store.dialect.shrink(store.db);
    const empty = await pages();
    await store.db
      .insertInto('result')
      .columns(['monitor', 'at', 'region', 'code', 'tenths'])
      .expression(store.db.selectFrom(given).selectAll())
      .execute();
    expect(await pages()).toBeGreaterThan(empty);
    await store.db.deleteFrom('result').execute();
    await store.dialect.shrink(store.db);
    expect(await pages()).toBe(empty);
  });

  it('closes only after running work has ended', async () => {
    const running = store.write(async (trx) => {
      await sleep(20);
      await trx.insertInto('purge').values({ monitor: 9 }).execute();
    });
    await sleep(1);
    await store.close();
    await running;
    store = await database.openAnother();
    expect(await stored()).toBe(1);
  });
});

/**
 * Takes the write lock in another process, as a backup or a second daemon would. Returns a function that releases the
 * lock.
 */
async function lockFromAnotherProcess(file: string): Promise<() => Promise<void>> {
  const script = `
    const db = require('better-sqlite3')(process.argv[1]);
    db.exec('begin immediate');
    process.stdout.write('locked');
    process.stdin.on('end', () => { db.exec('commit'); db.close(); }).resume();`;
  const child = spawn(process.execPath, ['-e', script, file], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  };
}
