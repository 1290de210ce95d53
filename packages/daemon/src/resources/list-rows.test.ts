import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

/**
 * The paths of lists that can be filtered and read in pages. For each path, a function that returns a body for creating
 * an item with a given name.
 */
const lists: Record<string, (name: string) => object> = {
  '/api/notification-channels': (name) => ({ name, key: name, type: 'email', config: { address: 'a@example.com' } }),
  '/api/alert-rules': (name) => ({ name, key: name, monitorIds: [], channelIds: [] }),
  '/api/status-pages': (name) => ({ name, key: name, slug: `page-${name}` }),
  '/api/incidents': (name) => ({ title: name }),
  '/api/monitors': (name) => ({ name, key: name, type: 'heartbeat' }),
};

interface Listed {
  id: string;
}

describe.each(databases)('lists of resources on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  test.each(Object.entries(lists))(
    '%s returns all items in order of creation, one page of them, or the items with a given key or name',
    async (path, fields) => {
      const made: string[] = [];
      for (const name of ['c', 'a', 'b']) {
        const { status, body } = await daemon.request('POST', path, fields(name));
        expect(status).toBe(201);
        made.push((body as Listed).id);
      }
      const list = async (query: string) => {
        const { status, headers, body } = await daemon.request('GET', `${path}?${query}`);
        expect(status).toBe(200);
        const next = /[?&]cursor=([^&>]+).*>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
        return { ids: (body as Listed[]).map(({ id }) => id), next };
      };
      expect(await list('')).toEqual({ ids: made, next: undefined });
      expect(await list('limit=3')).toEqual({ ids: made, next: undefined });
      const first = await list('limit=2');
      expect(first).toEqual({ ids: made.slice(0, 2), next: expect.any(String) as string });
      expect(await list(`limit=2&cursor=${first.next}`)).toEqual({ ids: made.slice(2), next: undefined });
      expect((await daemon.request('GET', `${path}?cursor=nonsense`)).status).toBe(400);
      if (!('key' in fields('x'))) return;
      for (const query of ['key=a', 'name=a']) expect(await list(query)).toEqual({ ids: [made[1]], next: undefined });
    },
  );
});
