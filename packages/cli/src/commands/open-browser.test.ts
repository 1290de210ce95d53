import { expect, test } from 'vitest';
import { openBrowser } from './open-browser.ts';

test('nothing but a page of the web is opened, and a browser that is not there is told', async () => {
  const context = { env: { BROWSER: '/no/such/browser' }, cwd: import.meta.dirname };
  expect(await openBrowser('file:///etc/passwd', context)).toMatch(/web address/);
  expect(await openBrowser('--help', context)).toMatch(/web address/);
  expect(await openBrowser('https://example.com/', context)).toBe('/no/such/browser: ENOENT');
});
