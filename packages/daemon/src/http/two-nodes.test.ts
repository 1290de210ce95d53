import { expect, test, vi } from 'vitest';
import { fuzz } from '../testing/fuzz.ts';
import { createFuzzedDaemon } from '../testing/fuzzed-daemon.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';
import { testWorlds } from '../testing/test-world.ts';

// api-on-postgres.soak.ts runs many tests of the API on two nodes.
test('generated requests cause no server error on two nodes behind a round-robin proxy', async () => {
  const daemon = await createFuzzedDaemon(testWorlds['two-nodes']);
  try {
    const stranger = await daemon.another('stranger');
    const { statuses, faults } = await fuzz(daemon, { requests: 300, seed: 1, stranger });
    expect(faults).toEqual([]);
    for (const status of [200, 201, 400, 401, 404])
      expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0]);
    expect((await daemon.request('GET', '/healthz')).body).toMatchObject({ status: 'ok' });
  } finally {
    await daemon.close();
  }
});

test('a client that got a page from one node gets 304 for the same page from both nodes', async () => {
  const daemon = await createTestDaemon({ world: testWorlds['two-nodes'], runCheck: passingCheck });
  try {
    const { body } = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'Job' });
    const { id, pingUrl } = body as { id: string; pingUrl: string };
    await fetch(`${pingUrl}/fail`);
    await daemon.request('POST', '/api/status-pages', { name: 'Shop', slug: 'shop', monitorIds: [id] });
    for (const form of ['', '.json', '/feed.atom', '/badge.svg']) {
      const ask = (tag: string) =>
        fetch(`${daemon.url}/status/shop${form}`, { headers: { 'if-none-match': tag, 'accept-encoding': 'identity' } });
      // Each node renews its own copy of a page from time to time. While only one of the nodes has renewed its copy,
      // the copies may differ.
      await vi.waitFor(async () => {
        const { status, headers } = await ask('"none"');
        const again = [await ask(headers.get('etag')!), await ask(headers.get('etag')!)];
        expect([form, status, ...again.map((answer) => answer.status)]).toEqual([form, 200, 304, 304]);
      }, 30_000);
    }
  } finally {
    await daemon.close();
  }
});

test('a project may request 60 checks a minute on both nodes together', async () => {
  const env = { UPTIME_RATE_LIMIT: 'on' };
  const daemon = await createTestDaemon({ world: testWorlds['two-nodes'], runCheck: passingCheck, env });
  try {
    const monitors: string[] = [];
    for (let made = 0; made < 7; made++) {
      const fields = { type: 'http', name: 'm', url: 'https://shop.example/', interval: 3600 };
      monitors.push(((await daemon.request('POST', '/api/monitors', fields)).body as { id: string }).id);
    }
    const statuses: number[] = [];
    for (let asked = 0; asked < 61; asked++)
      statuses.push((await daemon.request('POST', `/api/monitors/${monitors[asked % 7]}/check`)).status);
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
  } finally {
    await daemon.close();
  }
});
