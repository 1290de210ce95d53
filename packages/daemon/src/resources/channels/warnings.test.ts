import { expect, onTestFinished, test } from 'vitest';
import { databases } from '../../testing/databases.ts';
import { channelRow } from '../../testing/outbox.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { createTestDaemon } from '../../testing/test-daemon.ts';

test.each(databases)(
  '`/healthz` counts at most 100 channels whose latest message did not arrive, or whose messages wait for a limit, on $name',
  async (database) => {
    const daemon = await createTestDaemon({ database, runCheck: passingCheck });
    onTestFinished(() => daemon.close());
    const ids = Array.from({ length: 101 }, (_, at) => `chn_${at}`);
    const hour = 3_600_000;
    const project = daemon.project.id;
    const rows = ids.map((id, at) => channelRow(id, { project_id: project, wait_until: Date.now() + hour + at }));
    const { db } = daemon.store;
    await db.insertInto('channel').values(rows).execute();
    const warnings = async () => ((await daemon.request('GET', '/healthz')).body as { warnings: string[] }).warnings;
    // The channels only wait for their provider, so there is no warning.
    expect(await warnings()).toEqual([]);
    await db.updateTable('channel').set({ last_error: 'HTTP 500', held_why: 'A limit is reached.' }).execute();
    const named = `${ids.slice(0, 10).join(', ')} and 90+ more`;
    expect(await warnings()).toEqual([
      `100+ channels whose latest message did not arrive: ${named}`,
      `100+ channels whose messages wait because a limit of messages is reached: ${named}`,
    ]);
    await db.updateTable('channel').set({ last_error: null }).where('id', '!=', 'chn_7').execute();
    await db
      .updateTable('channel')
      .set({ wait_until: Date.now() - hour })
      .where('id', 'not in', ids.slice(0, 11))
      .execute();
    expect(await warnings()).toEqual([
      '1 channel whose latest message did not arrive: chn_7',
      `11 channels whose messages wait because a limit of messages is reached: ${ids.slice(0, 10).join(', ')} and 1 more`,
    ]);
  },
);
