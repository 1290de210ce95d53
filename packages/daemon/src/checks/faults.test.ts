import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  dnsTarget,
  httpTarget,
  makeCertificate,
  monitorOf,
  tcpTarget,
  testContext,
  tlsTarget,
} from '../testing/targets/index.ts';
import { runCheck } from './index.ts';

// The tests of this file cause checker faults. No checker fault may become a verdict on a target.

/** Stalls the event loop. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Runs checks in a child process, so that the targets in this process answer while the child stalls. */
async function inChild(script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const module = (path: string) => new URL(path, import.meta.url).href;
  const head = `
    import { monitorOf, testContext } from '${module('../testing/targets/check-context.ts')}';
    import { runCheck } from '${module('./index.ts')}';
    const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=x-source', '--input-type=module', '-e', head + script],
    { env: { ...process.env, ...env } },
  );
  return stdout.trim();
}

describe('an event loop that stalls', () => {
  test('an event loop that stalls does not make a check fail if its target answered in time', async () => {
    const { cert, key } = await makeCertificate();
    const later = (call: () => void) => setTimeout(call, 50);
    await using web = await httpTarget((_request, response) => later(() => response.end('ok')));
    await using secure = await tlsTarget({ cert, key }, (_request, response) => later(() => response.end('ok')));
    await using tcp = await tcpTarget();
    await using names = await dnsTarget({ 'web.test': { A: ['127.0.0.1'] } });
    const rounds = [
      [0, 30],
      [1, 40],
      [2, 60],
      [5, 90],
      [10, 20],
    ].map((delays) =>
      inChild(`
      const context = testContext({ dnsServers: ['${names.server}'] });
      const monitors = [
        monitorOf({ type: 'http', url: '${web.url}', timeout: 1 }),
        monitorOf({ type: 'http', url: 'http://web.test:${web.port}/', timeout: 1, bodyContains: 'ok' }),
        monitorOf({ type: 'http', url: '${secure.url}', timeout: 1, verifyTls: false }),
        monitorOf({ type: 'tcp', host: '127.0.0.1', port: ${tcp.port}, timeout: 1 }),
        monitorOf({ type: 'dns', hostname: 'web.test', timeout: 1 }),
      ];
      await Promise.all(monitors.map((monitor) => runCheck(monitor, context)));
      const seen = [];
      for (const delay of ${JSON.stringify(delays)}) {
        const running = Promise.all(monitors.map((monitor) => runCheck(monitor, context)));
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
        block(1500);
        for (const outcome of await running) seen.push(outcome.verdict + (outcome.error ? JSON.stringify(outcome) : ''));
      }
      console.log(JSON.stringify(seen));`),
    );
    const seen = (await Promise.all(rounds)).flatMap((printed) => JSON.parse(printed) as string[]);
    expect(seen).toHaveLength(50);
    expect(seen.filter((verdict) => verdict.startsWith('down'))).toEqual([]);
    // On a busy machine some checks may end as internal, but most must succeed.
    expect(seen.filter((verdict) => verdict === 'up').length).toBeGreaterThan(40);
  });

  test('an event loop that stalls still lets a check fail if its target never answers', async () => {
    const connected = Promise.withResolvers<unknown>();
    await using silent = await tcpTarget(connected.resolve);
    const running = runCheck(
      monitorOf({ type: 'http', url: `http://127.0.0.1:${silent.port}/`, timeout: 1 }),
      testContext(),
    );
    await connected.promise;
    block(600);
    expect(await running).toMatchObject({ verdict: 'down', error: { code: 'timeout' } });
  });

  test('an event loop that keeps stalling makes the check end as internal', async () => {
    const connected = Promise.withResolvers<unknown>();
    await using silent = await tcpTarget(connected.resolve);
    const running = runCheck(
      monitorOf({ type: 'http', url: `http://127.0.0.1:${silent.port}/`, timeout: 2 }),
      testContext(),
    );
    await connected.promise;
    block(1600);
    // The event loop turns once, so that the check's timers run.
    await new Promise((resolve) => setTimeout(resolve));
    block(1500);
    expect(await running).toMatchObject({
      verdict: 'internal',
      error: { code: 'internal', message: expect.stringContaining('stalled') },
    });
  });
});

test('while no file descriptor is free, checks end as internal, and afterwards they work again', async () => {
  await using web = await httpTarget();
  await using names = await dnsTarget({ 'web.test': { A: ['127.0.0.1'] } });
  const printed = await inChild(`
    import { closeSync, openSync } from 'node:fs';
    const context = testContext({ dnsServers: ['${names.server}'] });
    const monitors = [
      monitorOf({ type: 'http', url: '${web.url}', timeout: 2 }),
      monitorOf({ type: 'http', url: 'http://web.test:${web.port}/', timeout: 2 }),
      monitorOf({ type: 'tcp', host: 'web.test', port: ${web.port}, timeout: 2 }),
      monitorOf({ type: 'tcp', host: 'localhost', port: ${web.port}, timeout: 2 }),
      monitorOf({ type: 'dns', hostname: 'web.test', timeout: 2 }),
      monitorOf({ type: 'dns', hostname: 'none.test', timeout: 2 }),
      monitorOf({ type: 'dns', hostname: 'web.test', nameserver: '${names.server}', timeout: 2 }),
    ];
    const all = () => Promise.all(monitors.map(async (monitor) => {
      const { verdict, error } = await runCheck(monitor, context);
      return verdict + ' ' + (error?.message ?? '');
    }));
    const open = [];
    try { for (;;) open.push(openSync('/dev/null', 'r')); } catch (error) { if (error.code !== 'EMFILE') throw error; }
    const without = await all();
    for (const fd of open) closeSync(fd);
    console.log(JSON.stringify({ without, after: await all() }));`);
  const { without, after } = JSON.parse(printed) as Record<string, string[]>;
  expect(without).toHaveLength(7);
  for (const outcome of without ?? []) expect(outcome).toMatch(/^internal .*descriptors|^internal .*EMFILE/);
  expect(after?.map((outcome) => outcome.split(' ')[0])).toEqual(['up', 'up', 'up', 'up', 'up', 'down', 'up']);
});

describe('a check of a target that hangs', () => {
  const slow = (ms: number) => {
    const context = testContext();
    const addresses = async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return [{ address: '127.0.0.1', family: 4 as const }];
    };
    return { ...context, resolver: { ...context.resolver, addresses } };
  };
  test.each([
    [1200, 'internal'],
    [300, 'timeout'],
  ])('a check with a timeout of 2 s and a name lookup of %i ms ends as %s if the target hangs', async (ms, code) => {
    await using web = await httpTarget(() => {});
    const monitor = monitorOf({ type: 'http', url: `http://web.test:${web.port}/`, timeout: 2 });
    expect((await runCheck(monitor, slow(ms))).error?.code).toBe(code);
  });
});
