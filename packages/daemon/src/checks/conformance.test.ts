import { readFile, readdir } from 'node:fs/promises';
import * as fc from 'fast-check';
import {
  type CheckErrorCode,
  activeMonitorTypes,
  isPassive,
  type MonitorFields,
  monitorInputs,
  ownFields,
  validateMonitor,
} from '@uptime/sdk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  blackHole,
  type DnsTarget,
  dnsTarget,
  httpTarget,
  makeCertificate,
  monitorOf,
  type Target,
  tcpTarget,
  testContext,
  tlsTarget,
} from '../testing/targets/index.ts';
import { arbitraryFor, jsonSchema } from '../testing/body-schema.ts';
import * as answers from '../testing/targets/http.ts';
import type { ActiveType, CheckContext } from './check.ts';
import { checks, runCheck } from './index.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';
import { expectNothingOpenSince, openResources } from '../testing/open-resources.ts';
import { expectWellFormed } from '../testing/well-formed-outcome.ts';

let names: DnsTarget;
let context: CheckContext;
let web: Target;
beforeAll(async () => {
  names = await dnsTarget({ 'silent.test': { silent: true }, 'web.test': { A: ['127.0.0.1'] } });
  context = testContext({ dnsServers: [names.server] });
  web = await httpTarget();
});
afterAll(() => Promise.all([names.close(), web.close()]));

test('every active monitor type has a check', () => {
  expect(Object.keys(checks).toSorted()).toEqual(activeMonitorTypes.toSorted());
});

test.each(activeMonitorTypes)('the check of %s has a test file of its own', async (type) => {
  const files = await readdir(new URL('.', import.meta.url));
  expect(files.filter((file) => file === `${type}.test.ts`)).toEqual([`${type}.test.ts`]);
});

/** Returns generators of random monitors, one generator for each active type. */
function arbitraryMonitors() {
  const port = fc.constantFrom(web.port, names.port, 1);
  const host = fc.oneof(
    fc.constantFrom(
      'localhost',
      'web.test',
      '127.0.0.1',
      '::1',
      '127.1',
      'none.test',
      'a..b',
      `${'x'.repeat(64)}.test`,
      '*.test',
      '.',
    ),
    fc.string({ maxLength: 30 }),
  );
  const text = fc.string({ maxLength: 50 });
  /** The random values of some fields. The values of all other fields come from the schema of the field. */
  const known: Record<string, fc.Arbitrary<unknown>> = {
    host,
    hostname: host,
    port,
    url: fc.oneof(
      fc
        .tuple(fc.constantFrom(web.port, 1), fc.webPath(), fc.webQueryParameters())
        .map(([p, path, query]) => `http://127.0.0.1:${p}${path}?${query}`),
      host.map((name) => `http://${name}:${web.port}/`),
    ),
    headers: fc.dictionary(fc.constantFrom('a', 'Host', 'Accept-Encoding', 'Authorization', 'Content-Type'), text, {
      maxKeys: 3,
    }),
    body: fc.option(text),
    bodyContains: fc.option(fc.string({ minLength: 1, maxLength: 5 })),
    expectedStatus: fc.constantFrom(200, '2xx', '300-399', '404,5xx', ['200']),
    expectedValue: fc.option(fc.string({ minLength: 1, maxLength: 20 })),
    nameserver: fc.option(fc.constantFrom(names.server, 'localhost', '127.0.0.1:1', '[::1]:1')),
  };
  const seldom = (values: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });
  return activeMonitorTypes.map((type) => {
    const { properties = {}, required = [] } = jsonSchema(monitorInputs[type]);
    const fields = ownFields(type).map((field): [string, fc.Arbitrary<unknown>] => {
      const values = known[field] ?? arbitraryFor(properties[field]!);
      return [field, required.includes(field) || known[field] ? values : seldom(values)];
    });
    return fc.record({ type: fc.constant(type), ...Object.fromEntries(fields) });
  });
}

test('no check throws, whatever its monitor contains', async () => {
  const monitors = arbitraryMonitors();
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...monitors), { minLength: 30, maxLength: 30 }), async (batch) => {
      const checks = batch.map(async (fields) => {
        const monitor = validateMonitor({ ...fields, name: 'generated', timeout: 1 });
        if (!monitor.ok || isPassive(monitor.value)) return;
        checked++;
        expectWellFormed(await runCheck(monitor.value, context));
      });
      await Promise.all(checks);
    }),
    { numRuns: 10 },
  );
  expect(checked).toBeGreaterThan(100);
});

test('in every phase, a check ends within a second after its timeout and leaves no socket or timer open', async () => {
  await using hole = await blackHole();
  await using silent = await tcpTarget();
  await using hangs = await httpTarget(answers.hang);
  await using drips = await httpTarget(answers.drip);
  await using chain = await httpTarget((request, response) => {
    setTimeout(() => answers.redirect(`${request.url}x`)(request, response), 1500);
  });
  // This timeout is long enough for a busy machine to reach each phase.
  const timeout = 5;
  const cases: [CheckErrorCode, MonitorFields<ActiveType>][] = [
    ['dns_timeout', monitorOf({ type: 'http', url: 'http://silent.test/', timeout })],
    ['dns_timeout', monitorOf({ type: 'tcp', host: 'silent.test', port: 1, timeout })],
    ['dns_timeout', monitorOf({ type: 'dns', hostname: 'silent.test', timeout })],
    ['dns_timeout', monitorOf({ type: 'dns', hostname: 'silent.test', nameserver: names.server, timeout })],
    ['connect_timeout', monitorOf({ type: 'tcp', host: '127.0.0.1', port: hole.port, timeout })],
    ['connect_timeout', monitorOf({ type: 'http', url: `http://127.0.0.1:${hole.port}/`, timeout })],
    ['timeout', monitorOf({ type: 'http', url: `https://127.0.0.1:${silent.port}/`, timeout })],
    ['timeout', monitorOf({ type: 'http', url: `http://127.0.0.1:${silent.port}/`, timeout })],
    ['timeout', monitorOf({ type: 'http', url: hangs.url, timeout, method: 'POST', body: 'x'.repeat(100_000) })],
    ['timeout', monitorOf({ type: 'http', url: drips.url, timeout, bodyContains: 'x' })],
    ['timeout', monitorOf({ type: 'http', url: chain.url, timeout })],
  ];
  const before = openResources();
  await Promise.all(
    cases.map(async ([code, monitor]) => {
      const waiting = startWaiting();
      const outcome = await runCheck(monitor, context);
      expect(waiting.ms(), JSON.stringify(monitor)).toBeLessThan(boundMs(6000));
      expect(outcome).toMatchObject({ verdict: 'down', error: { code } });
      expectWellFormed(outcome);
    }),
  );
  // c-ares, the DNS client of Node, keeps its socket until it gives up on its last query, some seconds later.
  await expectNothingOpenSince(before, 60_000);
});

test('a thousand checks leave no socket and no timer open', async () => {
  await using secure = await tlsTarget(await makeCertificate());
  await using others = await httpTarget(
    answers.routes({ '/loop': answers.redirect('/loop'), '/cut': answers.truncated, '/bomb': answers.bomb(2) }),
  );
  const before = openResources();
  const monitors = [
    monitorOf({ type: 'http', url: `http://web.test:${web.port}/`, bodyContains: 'ok' }),
    monitorOf({ type: 'http', url: `${secure.url}/`, verifyTls: false }),
    monitorOf({ type: 'http', url: `${secure.url}/` }),
    monitorOf({ type: 'http', url: `${others.url}/loop` }),
    monitorOf({ type: 'http', url: `${others.url}/cut`, bodyContains: 'x' }),
    monitorOf({ type: 'http', url: `${others.url}/bomb`, bodyContains: 'aaa' }),
    monitorOf({ type: 'tcp', host: 'localhost', port: web.port }),
    monitorOf({ type: 'ping', host: '127.0.0.1' }),
    monitorOf({ type: 'dns', hostname: 'web.test' }),
    monitorOf({ type: 'dns', hostname: 'none.test' }),
  ];
  for (let round = 0; round < 25; round++)
    await Promise.all(Array.from({ length: 40 }, (_, i) => runCheck(monitors[i % monitors.length]!, context)));
  await expectNothingOpenSince(before, 60_000);
});

test('files in checks/ import only Node, each other, core/, the contract, the brotli decoder and three listed files', async () => {
  const folder = new URL('.', import.meta.url);
  const outside = /^(node:.+|@uptime\/sdk\/contract|brotli-dec-wasm\/web)$/;
  const otherFiles = ['../deps.ts', '../wait.ts', '../../package.json'].map((path) => new URL(path, folder).href);
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !/\.(?:test|soak)\.ts$/.test(file),
  );
  for (const file of files) {
    const url = new URL(file, folder);
    const source = await readFile(url, 'utf8');
    for (const [, from = ''] of source.matchAll(/^(?:import|export) .*? from '([^']+)'/gms)) {
      const target = from.startsWith('.') ? new URL(from, url).href : from;
      const allowedFolders = [folder.href, new URL('../core/', folder).href];
      const allowed =
        outside.test(target) || allowedFolders.some((path) => target.startsWith(path)) || otherFiles.includes(target);
      expect(allowed, `${file} imports ${from}`).toBe(true);
    }
  }
});
