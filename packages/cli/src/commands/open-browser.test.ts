import { expect, test } from 'vitest';
import { openBrowser } from './open-browser.ts';

test('openBrowser opens only web addresses, and returns a reason if there is no browser', async () => {
  const context = { env: { BROWSER: '/no/such/browser' }, cwd: import.meta.dirname };
  expect(await openBrowser('file:///etc/passwd', context)).toMatch(/web address/);
  expect(await openBrowser('--help', context)).toMatch(/web address/);
  expect(await openBrowser('https://example.com/', context)).toBe('/no/such/browser: ENOENT');
});
