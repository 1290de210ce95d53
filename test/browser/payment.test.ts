import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkout, createPlans } from '../../packages/daemon/src/testing/billing.ts';
import { passingCheck } from '../../packages/daemon/src/testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../../packages/daemon/src/testing/test-daemon.ts';
import { openBrowser } from './open-browser.ts';

let browser: Browser;
let daemon: TestDaemon;
let planId: string;
beforeAll(async () => {
  browser = await openBrowser();
  daemon = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_BILLING: 'sandbox' } });
  const limits = { monitors: 10, checkInterval: 10, regions: 1 };
  const plans = await createPlans(daemon, [
    { name: 'Free', ...limits, price: 0 },
    { name: '<b>Team</b> & "friends"', ...limits, price: 19.99 },
    { name: 'Large', ...limits, price: 99 },
  ]);
  planId = plans[1]!.id;
});
afterAll(async () => {
  await browser.close();
  await daemon.close();
});

test('in a browser, a user pays for a plan after a declined card, and then cancels the subscription', async () => {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const status = async () =>
    (await daemon.request('GET', '/api/billing/subscription', undefined, { cookie: daemon.cookie })).body as object;

  await page.goto(await checkout(daemon, planId, { cookie: daemon.cookie }));
  expect(await page.textContent('h1')).toBe('Pay for <b>Team</b> & "friends"');
  expect(await page.textContent('main')).toContain('19.99 USD');
  await page.fill('#card', '4000 0000 0000 0002');
  await page.click('button[value=pay]');
  expect(await page.textContent('[role=alert]')).toContain('declined');
  // The browser reports the status of the declined payment as an error.
  expect(complaints.splice(0)).toMatchObject([expect.stringContaining('402')]);
  await page.fill('#card', '4242424242424242');
  await page.click('button[value=pay]');
  expect(page.url()).toBe(`${daemon.url}/checkout/success`);
  expect(await status()).toMatchObject({ planId, status: 'active' });

  const plans = (await daemon.request('GET', '/api/billing/plans')).body as { id: string; name: string }[];
  const large = plans.find(({ name }) => name === 'Large')!.id;
  await page.goto(await checkout(daemon, large, { cookie: daemon.cookie }));
  await page.click('button[value=cancel]');
  expect(await page.textContent('h1')).toBe('Canceled');
  expect(await status()).toMatchObject({ status: 'canceled' });
  expect(complaints).toEqual([]);
  await page.close();
});
