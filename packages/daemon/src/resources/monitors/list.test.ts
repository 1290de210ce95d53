import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../../testing/databases.ts';
import { createTestDaemon, type TestDaemon } from '../../testing/test-daemon.ts';

describe.each(databases)('lists of monitors on $name', (database) => {
  let daemon: TestDaemon;
  const names = Array.from({ length: 24 }, (_, at) => `monitor ${at}`);
  beforeAll(async () => {
    daemon = await createTestDaemon({ database });
    const fields = { type: 'http', url: 'http://localhost/', method: 'POST', paused: true, body: 'b'.repeat(40_000) };
    for (const name of names) await daemon.request('POST', '/api/monitors', { ...fields, name });
  });
  afterAll(() => daemon.close());

  const list = async (query = '') => {
    const answer = await daemon.request('GET', `/api/monitors${query}`);
    expect(answer.status).toBe(200);
    return { ...answer, monitors: answer.body as { name: string; body: string }[] };
  };

  test('a list of many bytes is sent in pieces, and is complete and in order', async () => {
    const { monitors, headers } = await list();
    expect(headers.get('content-length')).toBeNull();
    expect(monitors.map(({ name }) => name)).toEqual(names);
    expect(monitors.every(({ body }) => body.length === 40_000)).toBe(true);
  });

  test('pages and filters also work for a list that is sent in pieces', async () => {
    const first = await list('?limit=20');
    expect(first.monitors.map(({ name }) => name)).toEqual(names.slice(0, 20));
    const next = /<[^?>]*(\?[^>]*)>/.exec(first.headers.get('link')!)![1]!;
    const second = await list(next);
    expect(second.monitors.map(({ name }) => name)).toEqual(names.slice(20));
    expect(second.headers.get('link')).toBeNull();
    expect((await list('?name=monitor%207')).monitors.map(({ name }) => name)).toEqual(['monitor 7']);
    expect((await list('?name=unknown')).monitors).toEqual([]);
  });

  test('a short list is sent as a whole', async () => {
    const { headers } = await list('?limit=1');
    expect(Number(headers.get('content-length'))).toBeGreaterThan(40_000);
  });
});
