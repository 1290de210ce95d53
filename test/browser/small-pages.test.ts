import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertPage } from '../../packages/daemon/src/pages/alert-page.ts';
import { contentSecurityPolicy } from '../../packages/daemon/src/pages/document.ts';
import { frontPage } from '../../packages/daemon/src/pages/front-page.ts';
import type { AlertView } from '../../packages/daemon/src/pages/load-alert.ts';
import { missingPage } from '../../packages/daemon/src/pages/missing-page.ts';
import { openBrowser } from './open-browser.ts';
import { xssStrings } from './xss-strings.ts';

const now = Date.UTC(2026, 10, 22, 9, 30, 12);
const siteUrl = 'https://uptime.example.com';
const down: AlertView = {
  monitor: 'Shop',
  type: 'monitor_down',
  since: now - 312_000,
  reason: 'answered 503 Service Unavailable; expected 200-299',
  end: null,
};
const expiring: AlertView = {
  ...down,
  type: 'ssl_expiring',
  reason: 'The certificate (shop.example) expires on 2026-12-06, in 14 days.',
};
const pages: Record<string, string> = {
  front: frontPage({ siteUrl, version: '0.1.0', isWell: true }),
  unwell: frontPage({ siteUrl, version: '0.1.0', isWell: false }),
  missing: missingPage({ href: `${siteUrl}/`, label: 'To the front page' }),
  down: alertPage(down, now),
  up: alertPage({ ...down, end: { at: now - 60_000, reason: 'recovered' } }, now),
  closed: alertPage({ ...down, end: { at: now - 60_000, reason: 'paused' } }, now),
  expiring: alertPage(expiring, now),
  renewed: alertPage({ ...expiring, end: { at: now - 60_000, reason: 'recovered' } }, now),
  long: alertPage({ ...down, monitor: 'x'.repeat(200), reason: 'https://shop.example/'.repeat(14) }, now),
};
let browser: Browser;
let shown = '';
/** Serves the page in `shown` with the Content-Security-Policy of the daemon. */
const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/html');
  response.setHeader('content-security-policy', contentSecurityPolicy);
  response.end(shown);
});
let address = '';

beforeAll(async () => {
  browser = await openBrowser();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await browser.close();
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'every page is readable in %s colours at %i pixels, and loads nothing from other hosts',
  async (colorScheme, width) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    const requestedUrls: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('request', (request) => requestedUrls.push(request.url()));
    for (const [name, text] of Object.entries(pages)) {
      shown = text;
      await page.goto(address);
      expect([name, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([name, 0]);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect([name, violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)]).toEqual([name, []]);
    }
    expect(complaints).toEqual([]);
    expect(new Set(requestedUrls.filter((url) => !url.startsWith('data:')))).toEqual(new Set([address]));
    await context.close();
  },
);

test('hostile names and reasons run no script, and appear as they were written', async () => {
  // The tab ignores the Content-Security-Policy, which would hide mistakes in the escaping.
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.addInitScript('window.hits = 0; window.hit = window.alert = () => { hits++ }');
  const all = xssStrings.join(' ');
  shown = alertPage({ ...down, monitor: all, reason: all }, now);
  await page.goto(address);
  expect(await page.textContent('h1')).toBe(all);
  expect(await page.textContent('dd')).toContain(xssStrings[1]);
  await page.evaluate('new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve)))');
  expect(await page.evaluate('hits')).toBe(0);
  await context.close();
});
