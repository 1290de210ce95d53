import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { refuseOtherKey } from './refuse-other-key.ts';

const one = { instance: 'serve:one', secret: 'the key of all nodes, long enough for each' };
const other = { instance: 'serve:other', secret: 'a key that was made for this node only' };

// These tests run only on PostgreSQL, because only one daemon can use a SQLite database.
const { open } = databases.find(({ name }) => name === 'postgres')!;

describe('secret keys of nodes', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.dispose());

  const start = (node: typeof one) => refuseOtherKey(database.store, node);
  const fingerprints = () => database.store.db.selectFrom('key_fingerprint').selectAll().execute();
  const signOfLife = (agoMs: number, ended: boolean) => {
    const at = Date.now() - agoMs;
    const row = { instance: one.instance, region: 1, started_at: at, alive_at: at, ended_at: ended ? at : null };
    return database.store.db
      .insertInto('presence')
      .values({ ...row, short_runs: 0, roles: 'api' })
      .execute();
  };
  const startedAgo = (agoMs: number) =>
    database.store.db
      .updateTable('key_fingerprint')
      .set({ started_at: Date.now() - agoMs })
      .execute();

  it('a node with another key cannot start while another node runs, and the error says what to do', async () => {
    await start(one);
    await expect(start(other)).rejects.toThrow(/set UPTIME_SECRET_KEY of this node to theirs, or copy secret\.key/);
    await startedAgo(3_600_000);
    await signOfLife(0, false);
    await expect(start(other)).rejects.toThrow(/another secret key/);
    await start({ ...other, secret: one.secret });
  });

  it('a node with another key starts if the other nodes have stopped, or have given no sign of life for some time', async () => {
    await start(one);
    await startedAgo(60_000);
    await start(other);
    await startedAgo(60_000);
    await signOfLife(0, true);
    await start({ ...other, secret: 'a third key, which replaces the lost ones' });
  });

  it('if two nodes with different keys start at the same time, only one of them starts', async () => {
    const starts = await Promise.allSettled([start(one), start(other)]);
    expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('a node stores only a fingerprint of its key', async () => {
    await start(one);
    const rows = await fingerprints();
    expect(rows).toMatchObject([{ instance: one.instance, fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    expect(JSON.stringify(rows)).not.toContain(one.secret.slice(0, 8));
  });
});
