import { howTablesMove } from '../move-to-postgres/how-tables-move.ts';
import { describe, expect, it } from 'vitest';
import { captureStatements } from '../testing/captured-statements.ts';
import { databases } from '../testing/databases.ts';
import { createEngineWorld, passed } from '../testing/engine-world.ts';
import { fillTables } from '../testing/fill-tables.ts';
import { findReferenceReads, findSortedPages, findTableScans } from '../testing/table-scans.ts';
import { useEverything } from '../testing/use-everything.ts';

/**
 * Tables that stay small. They list nodes, regions, probes and plans, or work in progress. Any project can add regions
 * by naming them, but retention removes those that nothing uses. A statement may read all rows of such a table. If this
 * test fails because of another table, add an index or change the statement.
 */
const small = new Set<string>([
  'database_move',
  'key_fingerprint',
  'lease',
  'move_change',
  'plan',
  'presence',
  'probe',
  'probe_fact',
  'probe_result',
  'probe_token',
  'purge',
  'region',
  'result_fold',
  'result_slot',
  'schedule_change',
  'sign_up_closed',
  'upgrade_step',
]);
const large = new Set(Object.keys(howTablesMove).filter((name) => !small.has(name)));

/** Tables that get more rows, because a statement may read 5,000 of their rows at once (probes/region-pages.ts). */
const paged = new Set(['monitor', 'schedule']);

/**
 * Statements that may sort before they return a page, because they have few rows to sort. The rows are the projects of
 * an account, the keys of a project, the recent results of one monitor that are not yet in the table `result`, or
 * regions.
 */
const sortsFew = [
  / from "project" where "user_id" = /,
  / from "project_key" /,
  /"recent"."monitor" = \+\? /,
  / from region\s+where seen_at < /,
];

/**
 * Conditions of partial indexes, with a parameter instead of the literal. With a parameter, SQLite does not use the
 * index.
 */
const ofPartialIndexes = [
  / where .*"plan_paused" = \+\?/,
  / where .*"delivery_status" = \+\?/,
  /"alert"."type" in \(\+\?/,
  / from "delivery" .*"status" = \+\?/,
];

/** A statement that only the tests send (testing/engine-world.ts). */
const ofTests = /^select "monitor" from "schedule" where "lease_until" > /;

const hour = 3_600_000;
const day = 24 * hour;

describe.each(databases)('the query plans of all statements on $name', (database) => {
  const world = createEngineWorld(database);

  /** Makes work for each loop of the engine. */
  const runLoops = async () => {
    const site = await world.create({ type: 'http', url: 'http://127.0.0.1:9/', interval: 60, retries: 0 });
    const job = await world.create({ type: 'heartbeat', interval: 60, gracePeriod: 0 });
    const { db } = world.database.store;
    await db.insertInto('region').values({ name: 'unused', seen_at: 0 }).execute();
    await world.pass(1000);
    world.outcome = { ...passed, verdict: 'down', error: { code: 'timeout', message: 'Too late.' } };
    world.clock.jump(3 * hour);
    await world.pass(1000);
    await world.untilStatus(site.seq, 'down');
    await world.untilStatus(job.seq, 'down');
    world.clock.jump(40 * day);
    await world.pass(3000);
    const regions = async () => {
      await world.pass(250);
      return db.selectFrom('region').select('name').execute();
    };
    await expect.poll(regions, { timeout: 20_000 }).toEqual([{ name: 'default' }]);
  };

  it('no statement reads a large table completely, and this test notices a missing index', async () => {
    using capture = captureStatements();
    await runLoops();
    const daemon = await useEverything(database);
    const { store } = daemon;
    const statements = capture.statements().filter(({ sql }) => !ofTests.test(sql));
    // With a plain parameter, the plan would depend on the value (see `FixedPlanCompiler` in sqlite.ts).
    if (store.dialect.name === 'sqlite') {
      expect(statements.filter(({ sql }) => /[^+]\?/.test(sql))).toEqual([]);
      expect(statements.filter(({ sql }) => ofPartialIndexes.some((one) => one.test(sql)))).toEqual([]);
      expect(await findReferenceReads(store, statements)).toEqual([]);
    }
    if (store.dialect.name === 'postgres') {
      await fillTables(store.db, new Set([...large].filter((name) => !paged.has(name))), 2000);
      await fillTables(store.db, paged, 60_000);
    }
    const scanned = async () => (await findTableScans(store, statements)).filter(({ table }) => large.has(table));
    expect(await scanned()).toEqual([]);
    const sorted = store.dialect.name === 'sqlite' ? await findSortedPages(store, statements) : [];
    expect(sorted.filter((sql) => !sortsFew.some((few) => few.test(sql)))).toEqual([]);

    await store.db.schema.dropIndex('monitor_state_silence_review_at').execute();
    expect((await scanned()).map(({ table }) => table)).toContain('monitor_state');
    await daemon.close();
  });
});
