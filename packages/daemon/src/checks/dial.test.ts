import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  blackHole,
  dnsTarget,
  httpTarget,
  monitorOf,
  freePort,
  tcpTarget,
  testContext,
} from '../testing/targets/index.ts';
import type { CheckContext } from './check.ts';
import type { Address } from './hosts-file.ts';
import { connectedToItself } from './dial.ts';
import { checkPing } from './ping.ts';
import { checkTcp } from './tcp.ts';
import { boundMs } from '../testing/bound-ms.ts';

/** Returns a context in which the name `target.test` has the given addresses. */
const named = (...addresses: string[]): CheckContext => ({
  ...testContext(),
  resolver: {
    addresses: async () => addresses.map((address): Address => ({ address, family: address.includes(':') ? 6 : 4 })),
    records: () => Promise.reject(new Error('not asked for')),
  },
});
const tcp = (host: string, port: number, context: CheckContext = testContext(), timeout = 20) =>
  checkTcp(monitorOf({ type: 'tcp', host, port, timeout }), context);

describe('a tcp check', () => {
  test('a tcp check passes when the connection is established, by address and by name, over IPv4 and IPv6', async () => {
    for (const host of ['127.0.0.1', '::1']) {
      await using target = await tcpTarget(undefined, host);
      expect(await tcp(host, target.port)).toMatchObject({
        verdict: 'up',
        responseTime: expect.any(Number),
        timings: { connect: expect.any(Number) },
      });
      expect(await tcp('target.test', target.port, named('127.0.0.1', '::1'))).toMatchObject({ verdict: 'up' });
    }
    await using target = await tcpTarget();
    expect(await tcp('localhost', target.port)).toMatchObject({ verdict: 'up' });
    expect(await tcp('2130706433', target.port)).toMatchObject({ verdict: 'up' });
  });

  test('a tcp check closes its connection', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    await using target = await tcpTarget((socket) => void (closed = once(socket.resume(), 'close')));
    await tcp('127.0.0.1', target.port);
    await closed;
  });

  test('a tcp check whose connection is refused fails as connect_refused, even if its name has an IPv4 and an IPv6 address', async () => {
    const port = await freePort();
    const outcome = await tcp('target.test', port, named('127.0.0.1', '::1'));
    expect(outcome).toMatchObject({ verdict: 'down', responseTime: null, error: { code: 'connect_refused' } });
    expect(outcome.error?.message).not.toBe('');
  });

  test('a tcp check that fails at several addresses lists them in a message of at most 300 characters', async () => {
    const port = await freePort();
    const two = await tcp('target.test', port, named('127.0.0.1', '::1'));
    expect(two.error?.message).toBe(`[::1]:${port} refused the connection; 127.0.0.1:${port} refused the connection`);
    const many = Array.from({ length: 12 }, (_, i) => `127.0.0.${i + 1}`);
    const { error } = await tcp('target.test', port, named(...many));
    expect(error?.message).toMatch(/^127\.0\.0\.1:\d+ refused.*; and \d+ more addresses failed$/);
    expect(error?.message.length).toBeLessThanOrEqual(300);
  });

  test('a tcp check that gets no answer fails as connect_timeout soon after its timeout', async () => {
    await using hole = await blackHole();
    const fromMonoMs = performance.now();
    expect(await tcp('127.0.0.1', hole.port, undefined, 1)).toMatchObject({
      verdict: 'down',
      error: { code: 'connect_timeout' },
    });
    expect(performance.now() - fromMonoMs).toBeLessThan(boundMs(4000));
  });

  test('a tcp check tries the next address while the connection to the first address hangs', async () => {
    await using hole = await blackHole();
    const { port } = hole;
    await using target = await tcpTarget(undefined, '::1');
    // At this port, ::1 accepts connections and 127.0.0.1 does not.
    const outcome = await tcp('target.test', target.port, named('127.0.0.1', '::1'));
    expect(outcome).toMatchObject({ verdict: 'up' });
    const slow = await tcp('target.test', port, named('127.0.0.1', '127.0.0.1'), 1);
    expect(slow).toMatchObject({ error: { code: 'connect_timeout', message: expect.stringContaining('2 addresses') } });
  });

  test('a tcp check without a route to its target fails as unreachable, or as internal if the machine has no network', async () => {
    const outcome = await tcp('255.255.255.255', 9);
    expect(['unreachable', 'internal']).toContain(outcome.error?.code);
  });

  test('a tcp check skips blocked addresses, and fails as blocked_target if no other address is left', async () => {
    await using target = await tcpTarget();
    expect(await tcp('target.test', target.port, named('169.254.1.1', '127.0.0.1'))).toMatchObject({ verdict: 'up' });
    for (const context of [named('169.254.1.1', 'fe80::1'), named('fe80::1%lo'), named('::ffff:169.254.169.254')])
      expect(await tcp('target.test', target.port, context)).toMatchObject({
        verdict: 'down',
        error: { code: 'blocked_target' },
      });
  });

  test('a tcp check that may reach only public targets does not connect to a loopback address, even by name', async () => {
    await using target = await httpTarget();
    const strict = testContext({ targets: 'public-only' });
    for (const host of ['127.0.0.1', 'localhost', '::1', '127.1', '0.0.0.0'])
      expect(await tcp(host, target.port, strict), host).toMatchObject({ error: { code: 'blocked_target' } });
    expect(target.requests).toEqual([]);
  });

  test('a tcp check of an empty host does not reach localhost', async () => {
    await using target = await tcpTarget();
    expect(
      await checkTcp({ ...monitorOf({ type: 'tcp', host: 'x', port: target.port }), host: '' }, testContext()),
    ).toMatchObject({ verdict: 'down', error: { code: 'dns_not_found' } });
  });
});

test('`connectedToItself` is true for a port that connected to itself, and false for a connection to a listener', async () => {
  const localPort = await freePort();
  const own = connect({ host: '127.0.0.1', port: localPort, localAddress: '127.0.0.1', localPort });
  await once(own, 'connect');
  expect(connectedToItself(own, own.remotePort!)).toBe(true);
  own.destroy();
  await using target = await tcpTarget();
  const other = connect(target.port, '127.0.0.1');
  await once(other, 'connect');
  expect(connectedToItself(other, other.remotePort!)).toBe(false);
  other.destroy();
});

test('a ping is a connection to port 80', async () => {
  const outcome = await checkPing(monitorOf({ type: 'ping', host: '127.0.0.1', timeout: 1 }), testContext());
  expect(JSON.stringify(outcome.trace)).toContain('127.0.0.1:80');
});

test('a tcp check resolves a name by DNS queries for IPv4 and IPv6 in parallel, without getaddrinfo', async () => {
  await using server = await dnsTarget({
    'both.test': { A: ['127.0.0.1'], AAAA: ['::1'] },
    'slow6.test': { A: ['127.0.0.1'] },
    'four.test': { A: ['127.0.0.1'], rcode: 'NOTIMP' },
  });
  await using target = await tcpTarget();
  const context = testContext({ dnsServers: [server.server] });
  expect(await tcp('both.test', target.port, context)).toMatchObject({
    verdict: 'up',
    timings: { dns: expect.any(Number) },
  });
  expect(await tcp('slow6.test', target.port, context)).toMatchObject({ verdict: 'up' });
  expect(await tcp('none.test', target.port, context)).toMatchObject({ error: { code: 'dns_not_found' } });
  expect(await tcp('four.test', target.port, context)).toMatchObject({ error: { code: 'dns_server_failure' } });
  expect(server.questions).toEqual(expect.arrayContaining(['A both.test', 'AAAA both.test']));
});
