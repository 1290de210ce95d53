import { expect, onTestFinished, test, vi } from 'vitest';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';

test('no format of a page (HTML, JSON, Atom, SVG) shows a monitor’s address, id, headers or error', async () => {
  const daemon = await createTestDaemon({
    runCheck: async () => ({
      ...(await passingCheck()),
      verdict: 'down',
      error: { code: 'http_status', message: 'canary said so' },
    }),
  });
  onTestFinished(() => daemon.close());
  const { body } = await daemon.request('POST', '/api/monitors', {
    type: 'http',
    name: 'Shop',
    key: 'canary-key',
    url: 'http://user:canary@canary.example/canary?canary=1',
    headers: { 'x-canary': 'canary' },
  });
  const monitorIds = [(body as { id: string }).id];
  await daemon.request('POST', '/api/status-pages', { name: 'Shop', key: 'canary', slug: 'shop', monitorIds });
  await daemon.request('POST', '/api/incidents', { title: 'Down', message: 'x', monitorIds });
  const get = async (form: string) => (await fetch(`${daemon.url}/status/shop${form}`)).text();
  await vi.waitFor(async () => expect(await get('')).toContain('The service is down.'), { timeout: 20_000 });
  for (const form of ['', '.json', '/feed.atom', '/badge.svg'])
    expect(await get(form)).not.toMatch(/canary|http_status|(mon|pag|inc|upd|prj)_/);
});
