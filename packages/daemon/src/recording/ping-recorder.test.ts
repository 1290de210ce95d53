import { type NormalMonitor, validateMonitor } from '@uptime/sdk/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initMonitor } from '../lifecycle/monitor-life.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { createPingRecorder, type PingRecorder } from './ping-recorder.ts';
import type { ReceivedPing } from './record-pings.ts';

describe.each(databases)('the ping recorder on $name', ({ open }) => {
  let database: TestDatabase;
  let recorder: PingRecorder;
  let writes: number;
  const clock = createFakeClock();
  /**
   * A clock that moves on by 10 ms at each read. That is more than one transaction may spend on pings that begin or end
   * outages.
   */
  const slow = { renew: (at: number) => clock.renew(at), monotonicMs: () => (clock.jump(10), clock.monotonicMs()) };
  beforeEach(async () => {
    database = await open();
    await database.store.write((trx) => trx.insertInto('project').values(projectRow('prj_1')).execute());
    writes = 0;
    const write: typeof database.store.write = (...work) => (writes++, database.store.write(...work));
    recorder = createPingRecorder({ ...database.store, write }, slow, () => {});
  });
  afterEach(async () => {
    await recorder.close();
    await database.dispose();
  });

  const addHeartbeat = (token: string) =>
    database.store.write(async (trx) => {
      const row = monitorRow(token, 'prj_1', { type: 'heartbeat', token });
      const { seq } = await trx.insertInto('monitor').values(row).returning('seq').executeTakeFirstOrThrow();
      await initMonitor(trx, { seq, fields: heartbeat(), now: clock.now() });
      return seq;
    });
  const ping = (token: string, kind: ReceivedPing['kind'] = 'success'): ReceivedPing => ({
    token,
    kind,
    exitCode: null,
    metrics: '{"rows":1}',
    at: clock.now(),
  });

  it('the recorder first records all pings that begin no outage, and then each ping that begins an outage in its own transaction', async () => {
    const tokens = ['a', 'b', 'c', 'd'];
    for (const token of ['steady', ...tokens]) await addHeartbeat(token);
    await recorder.record(ping('steady'));
    writes = 0;
    const order: string[] = [];
    const record = (sent: ReceivedPing) => recorder.record(sent).then(() => order.push(sent.token));
    await Promise.all([...tokens.map((token) => record(ping(token, 'failure'))), record(ping('steady'))]);
    expect(order).toEqual(['steady', ...tokens]);
    expect(writes).toBe(1 + tokens.length);
  });

  it('the recorder keeps the pings of a heartbeat in order', async () => {
    const job = await addHeartbeat('job');
    const kinds = ['success', 'failure', 'success', 'start', 'failure', 'success', 'start'] as const;
    const later = async (kind: ReceivedPing['kind']) => {
      clock.jump(1000);
      return recorder.record(ping('job', kind));
    };
    const first = kinds.slice(0, 4).map(later);
    await first[0];
    const answers = await Promise.all([...first, ...kinds.slice(4).map(later)]);
    expect(answers.map((answer) => answer.known && answer.transition?.to)).toEqual([
      'up',
      'down',
      'up',
      undefined,
      'down',
      'up',
      undefined,
    ]);
    const { db } = database.store;
    const stored = await db.selectFrom('ping').select('kind').where('monitor', '=', job).orderBy('id').execute();
    expect(stored.map(({ kind }) => kind)).toEqual(kinds);
    await recorder.settled();
  });

  it('the recorder records all accepted pings before it closes', async () => {
    const job = await addHeartbeat('job');
    const answers = ['failure', 'success', 'failure'].map((kind) =>
      recorder.record(ping('job', kind as ReceivedPing['kind'])),
    );
    await recorder.close();
    expect(await Promise.all(answers)).toHaveLength(3);
    const { db } = database.store;
    expect(await db.selectFrom('ping').select('kind').where('monitor', '=', job).execute()).toHaveLength(3);
  });
});

function heartbeat(): NormalMonitor {
  const read = validateMonitor({ type: 'heartbeat', name: 'job', interval: 3600, gracePeriod: 60 });
  if (!read.ok) throw new Error('The fields are not valid.');
  return read.value;
}
