import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { policyOf } from '../../packages/daemon/src/status-page/document.ts';
import { renderFeed } from '../../packages/daemon/src/status-page/feed.ts';
import {
  incidentView,
  links,
  monitorView,
  pageView,
  states,
  written,
} from '../../packages/daemon/src/testing/page-views.ts';
import type { PageView } from '../../packages/daemon/src/status-page/view.ts';
import { passingCheck } from '../../packages/daemon/src/testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../../packages/daemon/src/testing/test-daemon.ts';
import { openBrowser } from './open-browser.ts';
import { xssStrings } from './xss-strings.ts';

let browser: Browser;
let shown: PageView = states['all up'];
/** Serves the page in `shown` with the Content-Security-Policy of the daemon. */
const server = createServer((request, response) => {
  const feed = request.url === '/feed';
  response.setHeader('content-type', feed ? 'application/atom+xml' : 'text/html');
  response.setHeader('content-security-policy', policyOf(shown));
  response.end(feed ? renderFeed(shown, links) : written(shown));
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

/** Opens a tab. Returns it with the errors of its console, and the requests that it sent to other hosts. */
async function openTab(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en-GB', ...options });
  onTestFinished(() => context.close());
  const complaints: string[] = [];
  const requestedUrls: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requestedUrls.push(request.url()));
  const elsewhere = () => requestedUrls.filter((url) => /^\w+:\/\//.test(url) && new URL(url).hostname !== '127.0.0.1');
  return { page, complaints, elsewhere };
}

const desktop = { width: 1000, height: 800 };
const phone = { width: 360, height: 700 };
test.each<[string, BrowserContextOptions, RegExp, string[]]>([
  [
    'light on a desktop',
    { colorScheme: 'light', viewport: desktop },
    /partly|in force|planned|nothing|no monitors|markup|nine in|regions/,
    [],
  ],
  [
    'dark on a phone',
    { colorScheme: 'dark', viewport: phone },
    /partly|in force|paused|while|all up|nine in|regions/,
    ['color-contrast'],
  ],
])('axe finds no accessibility fault in the status page, %s', async (_, options, wanted, rules) => {
  const { page, complaints, elsewhere } = await openTab(options);
  const found: string[] = [];
  for (const [state, view] of Object.entries(states).filter(([name]) => wanted.test(name))) {
    shown = view;
    await page.goto(address);
    const axe = new AxeBuilder({ page });
    const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze();
    found.push(...violations.map(({ id, nodes }) => `${state}: ${id}: ${nodes[0]?.html}`));
  }
  expect(found).toEqual([]);
  expect([...complaints, ...elsewhere()]).toEqual([]);
});

test('the status page fits the width of a phone in every state', async () => {
  const { page } = await openTab({ viewport: { width: 320, height: 600 } });
  for (const [state, view] of Object.entries(states)) {
    shown = view;
    await page.goto(address);
    expect([state, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([state, 0]);
  }
});

test('on a phone, the name in a compact row has at least a third of the width, in every state', async () => {
  const { page } = await openTab({ viewport: { width: 360, height: 700 } });
  const name = 'A service whose name needs more than one line';
  const everyState = (['up', 'down', 'maintenance', 'paused', 'unknown'] as const).flatMap((state) =>
    [99.99, null].map((uptime) => monitorView({ name, state, uptime })),
  );
  shown = pageView({ monitors: everyState });
  await page.goto(address);
  expect(await page.locator('.compact .name').count()).toBe(everyState.length);
  const shares = await page
    .locator('.compact .name')
    .evaluateAll((names) =>
      names.map((one) => one.getBoundingClientRect().width / one.closest('ul')!.getBoundingClientRect().width),
    );
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(1 / 3);
});

test('the Tab key reaches the row of days of each service, and the arrow keys, Home and End step through the days', async () => {
  shown = states['partly down'];
  const { page } = await openTab();
  await page.goto(address);
  const strip = page.getByRole('slider', { name: /^Shop, the last 90 days: .* 50 min down/ });
  // The Tab key first stops at the link of the incident, and then at the row of days of the service that is down.
  for (let step = 0; step < 3; step++) await page.keyboard.press('Tab');
  expect(await strip.evaluate((one) => one === document.activeElement)).toBe(true);
  const labelAfter = async (key: string) => {
    await page.keyboard.press(key);
    const text = await strip.getAttribute('aria-valuetext');
    // The label for screen readers is the text under the bars.
    const seen = await strip.evaluate((one) => getComputedStyle(one.querySelector('.at')!, '::after').content);
    expect(seen).toContain(text);
    return text;
  };
  expect(await labelAfter('ArrowLeft')).toBe('21 Nov: 100 %');
  expect(await labelAfter('ArrowLeft')).toMatch(/^\d+ Nov to 20 Nov: 100 %$/);
  expect(await labelAfter('ArrowLeft')).toMatch(/down$/);
  expect(await labelAfter('Home')).toMatch(/^24 Aug/);
  expect(await labelAfter('ArrowLeft')).toMatch(/^24 Aug/);
  expect(await labelAfter('End')).toBe('21 Nov: 100 %');
  await page.keyboard.press('Tab');
  expect(await page.locator('.at').count()).toBe(0);
  expect(await page.evaluate('document.activeElement.ariaLabel')).toMatch(/^Nightly backup, /);
});

test('without JavaScript, a day under the pointer shows its uptime, and a focused row lists its days with downtime', async () => {
  shown = states['partly down'];
  const { page } = await openTab({ javaScriptEnabled: false });
  await page.goto(address);
  const strip = page.locator('.services > li', { hasText: 'Shop' }).locator('.days');
  const bad = strip.locator('.d2').last();
  await bad.locator('i').hover();
  expect(await bad.evaluate((one) => getComputedStyle(one, '::after').content)).toMatch(
    /^"\d+ Nov: 96.52 %, 50 min down"/,
  );
  await page.mouse.move(0, 0);
  for (let step = 0; step < 3; step++) await page.keyboard.press('Tab');
  const label = await strip.evaluate((one) => getComputedStyle(one, '::after').content);
  expect(label).toMatch(/^"Shop, the last 90 days: 99.87 % up, \d+ Nov/);
});

test("without JavaScript the page is complete with times in UTC, and with JavaScript times are in the reader's zone", async () => {
  shown = states['partly down'];
  const without = await openTab({ javaScriptEnabled: false });
  await without.page.goto(address);
  const plain = await without.page.locator('main').innerText();
  expect(plain).toContain('Since 2026-11-21 11:34 UTC.');
  expect(plain).toContain('Times and days are in UTC.');

  const { page } = await openTab();
  await page.goto(address);
  const pageText = await page.locator('main').innerText();
  expect(pageText).toContain('Since 21 Nov 2026, 20:34.');
  expect(pageText).toContain('Times are in Asia/Tokyo, days in UTC.');
  const withoutTimes = (text: string) =>
    text.replaceAll(/\d+ Nov 2026, [\d:]+|2026-11-\d+ [\d:]+ UTC|Times .*UTC\./g, '');
  expect(withoutTimes(pageText)).toBe(withoutTimes(plain));
});

test('200 hostile texts in every field run no script, load nothing, and appear as they were written', async () => {
  expect(new Set(xssStrings).size).toBe(200);
  const names = xssStrings;
  const incidents = (more: Parameters<typeof incidentView>[0]) =>
    xssStrings.map((text, number) =>
      incidentView({
        publicId: String(number),
        title: text,
        monitors: [text],
        updates: [{ status: 'identified', message: text, at: 1 }],
        ...more,
      }),
    );
  shown = pageView({
    name: names.join(' '),
    monitors: names.map((name, at) => monitorView({ name, state: at < 5 ? 'down' : 'up' })),
    open: incidents({}),
    current: incidents({ maintenance: true, scheduledEnd: 1 }),
    planned: incidents({ maintenance: true, scheduledEnd: 1 }),
    past: incidents({ resolvedAt: 2 }),
  });
  // The tab ignores the Content-Security-Policy, which would hide mistakes in the escaping.
  const { page, complaints, elsewhere } = await openTab({ bypassCSP: true });
  await page.addInitScript('window.hits = 0; window.hit = window.alert = () => { hits++ }');
  await page.goto(address);
  const texts = (where: string) => page.locator(where).evaluateAll((all) => all.map((one) => one.textContent));
  expect(await texts('h1')).toEqual([names.join(' ')]);
  expect(await texts('.services h3')).toEqual(names);
  expect(await texts('.timeline p')).toEqual(Array.from({ length: 4 }, () => names).flat());
  expect(await texts('article h3')).toEqual(Array.from({ length: 3 }, () => names).flat());
  expect(await texts('.banner h2')).toEqual(names);

  // A feed reader parses titles and contents as HTML.
  const read = await page.evaluate(async () => {
    const feed = new DOMParser().parseFromString(await (await fetch('/feed')).text(), 'application/xml');
    const html = [...feed.querySelectorAll('entry > title, entry > content')].map((one) => {
      const place = document.createElement('div');
      place.innerHTML = one.textContent ?? '';
      document.body.append(place);
      return place.textContent;
    });
    return {
      html,
      fault: feed.querySelector('parsererror')?.textContent,
      name: feed.querySelector('title')?.textContent,
    };
  });
  expect(read).toMatchObject({ fault: undefined, name: names.join(' ') });
  for (const text of names) expect(read.html).toContain(text);
  await page.evaluate('new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve)))');
  expect(await page.evaluate('hits')).toBe(0);
  expect([...complaints, ...elsewhere()]).toEqual([]);
});

test('the open page shows a change without a flash, and keeps its focus, its scroll position and the selected day', async () => {
  const daemon = await createTestDaemon({ runCheck: passingCheck });
  onTestFinished(() => daemon.close());
  const pings = await jobs(daemon, 30);
  const { page, complaints, elsewhere } = await openTab({ viewport: { width: 800, height: 500 } });
  await page.clock.install();
  await page.goto(`${daemon.url}/status/shop`);
  expect(await page.locator('.overall').innerText()).toBe('All services are up.');

  const strip = page.locator('.days').nth(20);
  await strip.focus();
  await page.keyboard.press('End');
  const top = () => strip.evaluate((one) => Math.round(one.getBoundingClientRect().top));
  const before = await top();
  await page.evaluate(`for (const one of document.querySelectorAll('main, .overall, .services > li')) one.mark = true`);

  await fetch(`${pings[3]}/fail`);
  await daemon.request('POST', '/api/incidents', { title: 'Job 3 is late', message: 'Looking.' });
  await refreshUntil(page, async () => {
    expect(await page.locator('.overall').innerText()).toMatch(
      /^1 of 30 services is down.\s+Job 3 since .+\(less than a minute\)$/,
    );
    expect(await page.locator('article').innerText()).toContain('Job 3 is late');
  });
  expect(await page.title()).toBe('1 of 30 services is down. Shop');
  expect(
    await page.evaluate(`[...document.querySelectorAll('main, .overall, .services > li')].every((one) => one.mark)`),
  ).toBe(true);
  expect(await strip.evaluate((one) => [one === document.activeElement, one.lastElementChild!.className])).toEqual([
    true,
    'at',
  ]);
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
  expect([...complaints, ...elsewhere()]).toEqual([]);
});

test('a page that cannot be refreshed says that it is out of date, until a refresh succeeds', async () => {
  const daemon = await createTestDaemon({ runCheck: passingCheck });
  onTestFinished(() => daemon.close());
  await jobs(daemon, 1);
  const { page } = await openTab();
  await page.clock.install();
  await page.goto(`${daemon.url}/status/shop`);
  expect(await page.locator('.stale').isVisible()).toBe(false);
  await page.route('**/status/shop', (route) => route.abort());
  await refreshUntil(page, async () =>
    expect(await page.getByRole('alert').innerText()).toMatch(/^This page is out of date: it shows the state of /),
  );
  await page.unroute('**/status/shop');
  await refreshUntil(page, async () => expect(await page.locator('.stale').isVisible()).toBe(false));
});

/** Creates a status page with this many heartbeats that are up. Returns the ping addresses of the heartbeats. */
async function jobs(daemon: TestDaemon, count: number): Promise<string[]> {
  const monitors: { id: string; pingUrl: string }[] = [];
  for (let job = 0; job < count; job++) {
    const { body } = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: `Job ${job}` });
    monitors.push(body as { id: string; pingUrl: string });
    await fetch(monitors.at(-1)!.pingUrl);
  }
  const monitorIds = monitors.map(({ id }) => id);
  await daemon.request('POST', '/api/status-pages', { name: 'Shop', slug: 'shop', monitorIds });
  return monitors.map(({ pingUrl }) => pingUrl);
}

/** Advances the clock of the page to its next refresh, again and again, until the expectation holds. */
const refreshUntil = (page: Page, expectation: () => Promise<void>) =>
  vi.waitFor(
    async () => {
      await page.clock.runFor(15_000);
      await expectation();
    },
    { timeout: 20_000, interval: 200 },
  );
