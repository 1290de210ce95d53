import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';
import { undoMigrations } from '../testing/undo-migrations.ts';

test("a repeated Idempotency-Key gets the first answer if only the order of the body's fields differs", async () => {
  const daemon = await createTestDaemon({ runCheck: passingCheck });
  try {
    const ask = async (sent: Record<string, string>) => {
      const fields = { type: 'http', name: 'x', url: 'http://localhost/', headers: sent };
      const headers = { 'idempotency-key': 'in-any-order' };
      return (await daemon.request('POST', '/api/monitors', fields, { headers })).status;
    };
    expect(await ask({ 'x-a': '1', 'x-b': '2' })).toBe(201);
    expect(await ask({ 'x-b': '2', 'x-a': '1' })).toBe(201);
    expect(await ask({ 'x-b': '1', 'x-a': '2' })).toBe(409);
  } finally {
    await daemon.close();
  }
});

test('the server remembers an Idempotency-Key over a restart, and forgets the key after 24 hours', async () => {
  const clock = createFakeClock();
  const daemon = await createTestDaemon({ clock, runCheck: passingCheck });
  try {
    const headers = { 'idempotency-key': 'a-day' };
    const ask = async () => {
      const answer = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'x' }, { headers });
      return (answer.body as { id: string }).id;
    };
    const first = await ask();
    await daemon.restart();
    clock.jump(24 * 3_600_000 - 1000);
    expect(await ask()).toBe(first);
    clock.jump(2000);
    const second = await ask();
    expect(second).not.toBe(first);
    expect(await ask()).toBe(second);
  } finally {
    await daemon.close();
  }
});

async function digestOf(env: Record<string, string>): Promise<string> {
  const daemon = await createTestDaemon({ runCheck: passingCheck, env });
  try {
    const headers = { 'idempotency-key': 'digest' };
    await daemon.request('POST', '/api/status-pages', { name: 'x', slug: 'x' }, { headers });
    const { request_hash: stored } = await daemon.store.db
      .selectFrom('idempotency')
      .select('request_hash')
      .executeTakeFirstOrThrow();
    expect(stored).toMatch(/^[0-9a-f]{64}$/);
    return stored;
  } finally {
    await daemon.close();
  }
}

test('the stored digest of a request depends on the secret of the server', async () => {
  const same = { UPTIME_SECRET_KEY: 'a secret key of thirty-two characters' };
  const [first, again, other] = [await digestOf(same), await digestOf(same), await digestOf({})];
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test.each(databases)(
  'an upgrade keeps the answers of requests, in the order of their times, on $name',
  async ({ open }) => {
    const database = await open();
    onTestFinished(() => database.dispose());
    const { db } = database.store;
    await undoMigrations(db, '0061-answers-in-order');
    await sql`insert into idempotency (scope, key, owner, request_hash, status, body, bytes, created_at)
    values ('prj createMonitor', 'a', 'prj', 'h2', 201, '2', 302, 2), ('prj createMonitor', 'b', 'prj', 'h1', 201, '1', 301, 1)`.execute(
      db,
    );

    const upgraded = await database.openAnother();
    const row = { scope: 'prj createMonitor', owner: 'prj' };
    expect(await upgraded.db.selectFrom('idempotency').selectAll().orderBy('seq').execute()).toEqual([
      { ...row, seq: 1, key: 'b', request_hash: 'h1', body: '1', bytes: 301, created_at: 1 },
      { ...row, seq: 2, key: 'a', request_hash: 'h2', body: '2', bytes: 302, created_at: 2 },
    ]);
  },
);
