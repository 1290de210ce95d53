import { expect, test } from 'vitest';
import { httpTarget, monitorOf, status, testContext } from '../testing/targets/index.ts';
import * as answers from '../testing/targets/http.ts';
import { createCheckContext, runCheck } from './index.ts';
import { systemClock } from '../deps.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

test('a failed check is repeated a second later, until it passes or has no retries left', async () => {
  let requests = 0;
  await using target = await httpTarget((request, response) =>
    (requests++ < 1 ? status(500) : status(200))(request, response),
  );
  const fromMonoMs = performance.now();
  const outcome = await runCheck(monitorOf({ type: 'http', url: target.url }), testContext(), { retries: 3 });
  expect(outcome).toMatchObject({ verdict: 'up', statusCode: 200 });
  expect(requests).toBe(2);
  expect(performance.now() - fromMonoMs).toBeGreaterThanOrEqual(990);
  expect(outcome.trace.map(({ event }) => event)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^http_status/), 're-check 1 of 3']),
  );
  const times = outcome.trace.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('a check that keeps failing counts as failed after its last retry', async () => {
  await using target = await httpTarget(status(500));
  const outcome = await runCheck(monitorOf({ type: 'http', url: target.url }), testContext(), { retries: 1 });
  expect(outcome).toMatchObject({ verdict: 'down', error: { code: 'http_status' } });
  expect(target.requests).toHaveLength(2);
});

test('an abort ends a running check as internal, and prevents further retries', async () => {
  await using hanging = await httpTarget(answers.hang);
  await using failing = await httpTarget(status(500));
  for (const target of [hanging, failing]) {
    const controller = new AbortController();
    const running = runCheck(monitorOf({ type: 'http', url: target.url }), testContext(), {
      retries: 5,
      signal: controller.signal,
    });
    await expect.poll(() => target.requests.length).toBe(1);
    const waiting = startWaiting();
    controller.abort();
    const outcome = await running;
    expect(waiting.ms()).toBeLessThan(boundMs(700));
    expect(outcome.verdict).toBe(target === hanging ? 'internal' : 'down');
    expect(target.requests).toHaveLength(1);
  }
});

test('an unexpected error of the checker ends the check as internal, with a message of one line', async () => {
  const context = testContext();
  const broken = {
    ...context,
    resolver: { ...context.resolver, addresses: () => Promise.reject(new TypeError(`a\nbug ${'x'.repeat(500)}`)) },
  };
  const outcome = await runCheck(monitorOf({ type: 'tcp', host: 'x.test', port: 1 }), broken);
  expect(outcome).toMatchObject({ verdict: 'internal', error: { code: 'internal' } });
  expect(outcome.error?.message).toMatch(/^.{1,300}$/u);
});

test('createCheckContext throws for an invalid name server address', () => {
  expect(() => createCheckContext({ clock: systemClock, dnsServers: ['not an address'], targets: 'all' })).toThrow(
    /address/i,
  );
});
