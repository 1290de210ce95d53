import { describe, expect, test } from 'vitest';
import { all, lines, machine } from '../../testing/network-machine.ts';

describe('the facts of the machine', () => {
  test.each([
    ['the link is down, and only the route of a bridge is left', { routes: lines.bridge }, 'default route is gone'],
    ['the default route is deleted', { routes: lines.link + lines.bridge }, 'default route is gone'],
    ['the cable is pulled', { carrier: false }, 'no carrier'],
    ['the address is removed', { address: [] }, 'no IPv4 address'],
    ['a link-local address is all that is left', { address: ['169.254.3.4'] }, 'no IPv4 address'],
  ])(
    'the facts of the machine explain a failure if %s',
    async (_, change: { routes?: string; carrier?: boolean; address?: string[] }, why) => {
      const { network, fail, recordAnswers, clock, routes, carrier, addresses } = await machine();
      recordAnswers('192.0.2.7', '192.0.2.8');
      expect(network.trouble()).toBeNull();
      await clock.advance(1500);
      if (change.routes !== undefined) await routes(change.routes);
      if (change.carrier !== undefined) await carrier('eth0', change.carrier);
      if (change.address) addresses('eth0', ...change.address);
      expect(await fail('192.0.2.7')).toContain(why);
      expect(network.trouble()).toMatch(/^The checker has no network: its .* 1 check\(s\) gave no verdict\.$/);
      await routes(all);
      await carrier('eth0', true);
      addresses('eth0', '10.77.1.2');
      await clock.advance(1500);
      recordAnswers('192.0.2.8');
      expect(network.trouble()).toBeNull();
    },
  );

  test('the old facts stay in use while the process has no descriptors to read new facts', async () => {
    const { network, clock, routes, refuse, recordAnswers, fail, answering } = await machine();
    recordAnswers('192.0.2.7', '192.0.2.8');
    answering.add('192.0.2.8');
    await clock.advance(1500);
    refuse(true);
    recordAnswers('192.0.2.8');
    expect(await fail('192.0.2.7')).toBeNull();
    expect(network.trouble()).toBeNull();
    refuse(false);
    await routes(lines.bridge);
    await clock.advance(1500);
    expect(await fail('192.0.2.7')).toContain('default route is gone');
  });

  test('a failure is the target’s fault as long as the facts have not been read for the first time', async () => {
    const { clock, refuse, recordAnswers, fail, answering } = await machine();
    refuse(true);
    recordAnswers('192.0.2.7');
    expect(await fail('192.0.2.7')).toBeNull();
    refuse(false);
    answering.add('192.0.2.8');
    await clock.advance(1500);
    recordAnswers('192.0.2.7', '192.0.2.8');
    expect(await fail('192.0.2.7')).toBeNull();
  });

  test('a failure is internal if the facts showed a fault when the check began, even if the fault ended before the check', async () => {
    const { network, clock, routes, recordAnswers, answering } = await machine();
    recordAnswers('192.0.2.7', '192.0.2.8');
    answering.add('192.0.2.8');
    await routes(lines.bridge);
    await clock.advance(1100);
    network.stillWaiting(['192.0.2.7'], 0);
    const begunMonoMs = clock.monotonicMs();
    await clock.advance(500);
    await routes(all);
    await clock.advance(2000);
    const fault = network.faultOf(['192.0.2.7'], begunMonoMs);
    await clock.advance(1000);
    expect(await fault).toContain('default route is gone');
  });

  test('an `unreachable` failure is internal for a moment after the cable is back, because the kernel still reports no route', async () => {
    const { network, clock, carrier, recordAnswers, answering } = await machine();
    recordAnswers('10.77.1.9', '192.0.2.8');
    answering.add('192.0.2.8');
    await carrier('eth0', false);
    await clock.advance(1100);
    network.stillWaiting(['10.77.1.9'], 0);
    await carrier('eth0', true);
    await clock.advance(1100);
    network.stillWaiting(['10.77.1.9'], 0);
    await clock.advance(1000);
    const begunMonoMs = clock.monotonicMs();
    const [unreachable, timeout] = [
      network.faultOf(['10.77.1.9'], begunMonoMs, true),
      network.faultOf(['10.77.1.9'], begunMonoMs),
    ];
    await clock.advance(1000);
    expect(await unreachable).toContain('no carrier');
    expect(await timeout).toBeNull();
  });

  test('a failure is the target’s fault if a route forbids the target, if its family has no route, or if it is on this machine', async () => {
    const { fail, recordAnswers, contacted, carrier } = await machine();
    recordAnswers('192.0.2.7', '192.0.2.8');
    await carrier('docker0', false);
    for (const target of ['10.78.1.1', '2001:db8::1', '172.17.0.5', '127.0.0.1', '10.77.1.2'])
      expect(await fail(target), target).toBeNull();
    expect(contacted).toEqual([]);
  });

  test('a failure is the target’s fault if answers still arrive by a routing table that the facts do not show', async () => {
    const { network, fail, recordAnswers, clock, routes, answering } = await machine();
    answering.add('192.0.2.8');
    await routes(lines.link);
    await clock.advance(3000);
    network.trouble();
    await clock.advance(3000);
    recordAnswers('192.0.2.8');
    expect(await fail('192.0.2.7')).toBeNull();
  });
});

describe('the cause of a failure', () => {
  test('a failure is internal for every check that overlaps a period in which no known host answers', async () => {
    const { network, fail, recordAnswers, answering, clock } = await machine();
    recordAnswers('192.0.2.7', '192.0.2.8');
    const begunMonoMs = clock.monotonicMs();
    await clock.advance(3000);
    // The text names no hosts, because they may be targets of other projects.
    expect(await fail('192.0.2.7')).toMatch(
      /no host answers through eth0, IPv4 gateway 10\.77\.1\.1, the last answer came \d+ s ago$/,
    );
    expect(network.trouble()).toContain('no host answers');
    await clock.advance(1000);
    answering.add('192.0.2.8');
    const late = network.faultOf(['192.0.2.7'], begunMonoMs);
    await clock.advance(1000);
    expect(await late).not.toBeNull();
    expect(network.trouble()).toBeNull();
    await clock.advance(1000);
    expect(await fail('192.0.2.7')).toBeNull();
  });

  test('a failure is the target’s fault if another host or a name server answers', async () => {
    const one = await machine();
    one.recordAnswers('192.0.2.7', '192.0.2.8');
    one.answering.add('192.0.2.8');
    await one.clock.advance(60_000);
    expect(await one.fail('192.0.2.7')).toBeNull();
    const other = await machine({ nameServers: ['192.0.2.53'] });
    other.recordAnswers('192.0.2.7');
    other.answering.add('192.0.2.53');
    expect(await other.fail('192.0.2.7')).toBeNull();
  });

  test('a failure is the target’s fault if no other host ever answered, so that no reference host can be asked', async () => {
    const { fail, recordAnswers } = await machine();
    recordAnswers('192.0.2.7');
    for (let round = 0; round < 3; round++) expect(await fail('192.0.2.7')).toBeNull();
  });

  test('a failure is the target’s fault on a side route where no host ever answered, while the other routes work', async () => {
    const { fail, recordAnswers } = await machine();
    recordAnswers('192.0.2.7');
    for (const target of ['10.79.0.1', '10.79.0.2', '10.79.0.3']) expect(await fail(target)).toBeNull();
    const silent = await machine();
    expect(await silent.fail('10.79.0.1')).toBeNull();
    expect(await silent.fail('10.79.0.2')).toContain('no host answers');
  });

  test('a failure is internal if only the gateway answers, unless the target is on the gateway’s link', async () => {
    const { fail, recordAnswers, answering } = await machine();
    recordAnswers('192.0.2.7', '192.0.2.8', '10.77.1.9', '10.77.1.10');
    answering.add('10.77.1.1');
    expect(await fail('192.0.2.7')).toContain('no host answers');
    expect(await fail('10.77.1.9')).toBeNull();
  });

  test('a failure is the target’s fault if the checker’s network works for one of the target’s addresses', async () => {
    const { fail, recordAnswers, answering } = await machine();
    recordAnswers('192.0.2.7', '10.77.1.9');
    answering.add('10.77.1.1');
    expect(await fail('10.77.1.9', '192.0.2.7')).toBeNull();
  });

  test('only the hosts that UPTIME_GATEWAY_CHECK names decide the cause of a failure, or only the facts if the setting is `off`', async () => {
    const named = await machine({ gatewayCheck: [{ address: '198.51.100.1', port: 443 }] });
    expect(await named.fail('192.0.2.7')).toContain('UPTIME_GATEWAY_CHECK');
    expect(new Set(named.contacted)).toEqual(new Set(['198.51.100.1']));
    named.answering.add('198.51.100.1');
    await named.clock.advance(2000);
    await named.fail('192.0.2.7');
    expect(await named.fail('192.0.2.7')).toBeNull();
    const off = await machine({ gatewayCheck: 'off' });
    off.recordAnswers('192.0.2.7', '192.0.2.8');
    expect(await off.fail('192.0.2.7')).toBeNull();
    expect(off.contacted).toEqual([]);
    await off.routes(lines.link);
    expect(await off.fail('192.0.2.7')).toContain('default route is gone');
  });

  test('at most 12 connections are needed to find the cause, even if 5,000 checks fail together', async () => {
    const { network, recordAnswers, contacted, clock } = await machine({ nameServers: ['192.0.2.53'] });
    const targets = Array.from({ length: 5000 }, (_, i) => `198.18.${i >> 8}.${i & 255}`);
    recordAnswers(...targets);
    const begunMonoMs = clock.monotonicMs();
    await clock.advance(5000);
    for (const target of targets) network.stillWaiting([target], begunMonoMs);
    const faults = Promise.all(targets.map((target) => network.faultOf([target], begunMonoMs)));
    await clock.advance(1000);
    expect((await faults).every((fault) => fault !== null)).toBe(true);
    expect(contacted.length).toBeLessThanOrEqual(12);
    expect(clock.waiting()).toBe(0);
  });
});

test('while checks wait, the reference hosts are asked at most once a second', async () => {
  const { network, recordAnswers, clock, contacted } = await machine();
  recordAnswers('192.0.2.7', '192.0.2.8');
  const begunMonoMs = clock.monotonicMs();
  for (let quarter = 0; quarter < 20; quarter++) {
    await clock.advance(250);
    network.stillWaiting(['192.0.2.7'], begunMonoMs);
  }
  await clock.advance(1000);
  expect(network.trouble()).toContain('no host answers');
  expect(contacted.length).toBeLessThanOrEqual(4 * 3);
});
