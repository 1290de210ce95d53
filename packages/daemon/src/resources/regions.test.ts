import { expect, test } from 'vitest';
import { joining } from '../lifecycle/regions.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';

test('the list of regions shows from which regions a daemon checks now, and hides regions from which nothing has ever checked', async () => {
  const daemon = await createTestDaemon({ env: { UPTIME_REGION: 'eu-west' } });
  try {
    await daemon.request('POST', '/api/monitors', { type: 'ping', name: 'a', host: 'localhost', regions: ['mars'] });
    const before = await daemon.store.db.selectFrom('region').select('name').execute();
    expect(before.map(({ name }) => name)).toContain('mars');
    const left = Date.now() - 60_000;
    // A probe whose connection broke may need 20 s to report again.
    const late = Date.now() - 20_000;
    await daemon.store.write((trx) => trx.insertInto('region').values({ name: 'asia', seen_at: late }).execute());
    await daemon.store.write((trx) => trx.insertInto('region').values({ name: 'us', seen_at: left }).execute());
    expect(await daemon.request('GET', '/api/regions')).toMatchObject({
      status: 200,
      body: [
        { name: 'eu-west', served: true, lastSeenAt: expect.any(String) as string },
        { name: 'asia', served: true, lastSeenAt: new Date(late).toISOString() },
        { name: 'us', served: false, lastSeenAt: new Date(left).toISOString() },
      ],
    });
    expect(await daemon.request('GET', '/api/regions', undefined, { apiKey: null })).toMatchObject({ status: 401 });

    // A probe now reports from the region `us`. While this region is being added to monitors, `seen_at` is `joining`.
    await daemon.store.db.updateTable('region').set({ seen_at: joining }).where('name', '=', 'us').execute();
    const answer = await daemon.request('GET', '/api/regions');
    const [, , us] = answer.body as { lastSeenAt: string }[];
    expect(us).toMatchObject({ name: 'us', served: true, status: 'reporting' });
    expect(Date.parse(us!.lastSeenAt)).toBeGreaterThan(left);
  } finally {
    await daemon.close();
  }
});
