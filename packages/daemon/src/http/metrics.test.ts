import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeProbe } from '../testing/fake-probe.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';

let daemon: TestDaemon;
let stranger: TestUser;
beforeAll(async () => {
  daemon = await createTestDaemon({ env: { UPTIME_REGION: 'eu-west' }, runCheck: passingCheck });
  stranger = await daemon.another('eve');
});
afterAll(() => daemon.close());

const read = async (who: Record<string, string> = { authorization: `Bearer ${daemon.apiKey}` }) => {
  const response = await fetch(`${daemon.url}/metrics`, { headers: who });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

/**
 * Returns every sample by its name and labels. Throws if a line is not in the format of Prometheus, or if its sample
 * has no description.
 */
function samplesOf(text: string): Record<string, number> {
  const samples: Record<string, number> = {};
  const described = new Set<string>();
  for (const line of text.trimEnd().split('\n')) {
    const comment = /^# (?:HELP|TYPE) ([a-z_]+) \S/.exec(line);
    if (comment) {
      described.add(comment[1]!);
      continue;
    }
    const sample = /^([a-z_]+)(\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line);
    if (!sample || !described.has(sample[1]!)) throw new Error(`This line is not a described sample: ${line}`);
    samples[`${sample[1]}${sample[2] ?? ''}`] = Number(sample[3]);
  }
  return samples;
}

test('an admin gets the metrics of the server in the text format of Prometheus, each with a description', async () => {
  const { status, type, text } = await read();
  expect({ status, type }).toEqual({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
  const samples = samplesOf(text);
  expect(samples).toMatchObject({
    uptime_healthy: 1,
    uptime_store_answered: 1,
    uptime_warnings: 0,
    'uptime_region_silent{region="eu-west"}': 0,
  });
  expect(samples['process_resident_memory_bytes']).toBeGreaterThan(10_000_000);
  expect(samples['process_cpu_seconds_total']).toBeGreaterThan(0);
  const sinceStart = Date.now() / 1000 - samples['process_start_time_seconds']!;
  expect(Math.abs(sinceStart - process.uptime())).toBeLessThan(2);
  expect(await read({ cookie: daemon.cookie })).toMatchObject({ status: 200 });
});

test('only an admin gets the metrics: a caller without a credential gets 401, and any other caller gets 403', async () => {
  expect((await read({})).status).toBe(401);
  expect((await read({ 'x-api-key': stranger.apiKey })).status).toBe(403);
  expect((await read({ cookie: stranger.cookie })).status).toBe(403);
  expect((await read({ authorization: `Bearer uptime_${'0'.repeat(40)}` })).status).toBe(403);
  expect((await read({})).text).toContain('Send the API key');
});

test('the metrics contain a silent region, its silent probe, and how many results the probe has not sent', async () => {
  const { body } = await daemon.request('POST', '/api/probes', { region: 'us' }, { cookie: daemon.cookie });
  const probe = createFakeProbe(daemon, (body as { token: string }).token);
  await probe.sync({ queued: 3, oldestAt: Date.now() - 60_000, fault: 'its resolver is broken' });
  const labels = `{region="us",probe="${probe.name}"}`;
  const live = samplesOf((await read()).text);
  expect(live).toMatchObject({
    'uptime_region_silent{region="us"}': 0,
    [`uptime_probe_silent${labels}`]: 0,
    [`uptime_probe_faulty${labels}`]: 1,
    [`uptime_probe_unsent_results${labels}`]: 3,
    uptime_warnings: 1,
  });
  expect(live[`uptime_probe_lag_seconds${labels}`]).toBeGreaterThanOrEqual(60);

  const { db } = daemon.store;
  const seenAt = Date.now() - 31_000;
  await db.updateTable('probe').set({ seen_at: seenAt }).execute();
  await db.updateTable('region').set({ seen_at: seenAt }).where('name', '=', 'us').execute();
  expect(samplesOf((await read()).text)).toMatchObject({
    'uptime_region_silent{region="us"}': 1,
    'uptime_region_silent{region="eu-west"}': 0,
    'uptime_region_last_seen_timestamp_seconds{region="us"}': seenAt / 1000,
    [`uptime_probe_silent${labels}`]: 1,
    [`uptime_probe_last_seen_timestamp_seconds${labels}`]: seenAt / 1000,
  });

  await db.updateTable('probe').set({ left_at: seenAt }).execute();
  expect((await read()).text).not.toContain(probe.name);
});

test('no cache may store the metrics', async () => {
  const { headers } = await fetch(`${daemon.url}/metrics`, { headers: { 'x-api-key': daemon.apiKey } });
  expect(headers.get('cache-control')).toBe('no-store');
});
