import { expect, test } from 'vitest';
import { openBrowser } from './open-browser.ts';

test('only web addresses are opened, and a missing browser is reported', async () => {
  const context = { env: { BROWSER: '/no/such/browser' }, cwd: import.meta.dirname };
  expect(await openBrowser('file:///etc/passwd', context)).toMatch(/web address/);
  expect(await openBrowser('--help', context)).toMatch(/web address/);
  expect(await openBrowser('https://example.com/', context)).toBe('/no/such/browser: ENOENT');
});
