import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startWaiting, waitingTime } from '../testing/waiting-time.ts';
import { type DnsTarget, dnsTarget, monitorOf, freePort, testContext } from '../testing/targets/index.ts';
import type { CheckContext } from './check.ts';
import type { Deadline, Interruption } from './deadline.ts';
import { checkDns, splitNameserver } from './dns.ts';
import { runCheck } from './index.ts';
import { boundMs } from '../testing/bound-ms.ts';

let server: DnsTarget;
let context: CheckContext;
beforeAll(async () => {
  server = await dnsTarget({
    'a.example': {
      A: ['192.0.2.1', '192.0.2.2'],
      AAAA: ['2001:db8::1'],
      MX: [
        [20, 'mx2.example'],
        [10, 'mx1.example'],
      ],
    },
    'txt.example': { TXT: [['v=spf1 ', 'include:x -all'], ['other']] },
    'big.example': { TXT: Array.from({ length: 40 }, (_, i) => [`${i}:${'x'.repeat(200)}`]) },
    'alias.example': { CNAME: 'a.example' },
    'xn--bcher-kva.example': { A: ['192.0.2.3'] },
    'empty.example': {},
    'servfail.example': { rcode: 'SERVFAIL' },
    'notimp.example': { rcode: 'NOTIMP' },
    'formerr.example': { rcode: 'FORMERR' },
    'refused.example': { rcode: 'REFUSED' },
    'silent.example': { silent: true },
  });
  context = testContext({ dnsServers: [server.server] });
});
afterAll(() => server.close());

const check = (hostname: string, fields: object = {}) =>
  checkDns(monitorOf({ type: 'dns', hostname, timeout: 5, ...fields }), context);

describe('a record', () => {
  test.each([
    ['A', 'a.example', '192.0.2.2'],
    ['AAAA', 'a.example', '2001:DB8:0::1'],
    ['CNAME', 'alias.example', 'A.example.'],
    ['MX', 'a.example', '10 mx1.example'],
    ['TXT', 'txt.example', 'spf1 include:x'],
  ])('a check of the %s record of %s passes, also if %s is expected', async (recordType, hostname, expectedValue) => {
    expect(await check(hostname, { recordType })).toMatchObject({
      verdict: 'up',
      responseTime: expect.any(Number),
      timings: { dns: expect.any(Number) },
    });
    expect(await check(hostname, { recordType, expectedValue })).toMatchObject({ verdict: 'up' });
    expect(await check(hostname, { recordType, expectedValue: 'something.else' })).toMatchObject({
      verdict: 'down',
      error: { code: 'dns_value_mismatch' },
    });
  });

  test('a record is found by an international name, in upper or lower case', async () => {
    expect(await check('BÜCHER.example')).toMatchObject({ verdict: 'up' });
  });

  test('a record too large for UDP is fetched by TCP', async () => {
    expect(await check('big.example', { recordType: 'TXT', expectedValue: '39:x' })).toMatchObject({ verdict: 'up' });
  });

  test('a record is queried again at each check', async () => {
    const asked = () => server.questions.filter((question) => question === 'A a.example').length;
    const before = asked();
    await check('a.example');
    await check('a.example');
    expect(asked() - before).toBe(2);
  });
});

describe('an answer', () => {
  test.each([
    ['nothing.example', {}, 'dns_not_found'],
    ['empty.example', {}, 'dns_no_data'],
    ['alias.example', {}, 'dns_no_data'],
    ['a.example', { recordType: 'CNAME' }, 'dns_no_data'],
    ['servfail.example', {}, 'dns_server_failure'],
    ['notimp.example', {}, 'dns_server_failure'],
    ['formerr.example', {}, 'dns_bad_response'],
    ['refused.example', {}, 'dns_refused'],
  ])('the answer for %s with the fields %j fails the check as %s', async (hostname, fields, code) => {
    expect(await check(hostname, fields)).toMatchObject({ verdict: 'down', error: { code } });
    expect(await check(hostname, { ...fields, nameserver: server.server })).toMatchObject({
      verdict: 'down',
      error: { code },
    });
  });

  test('an answer that never arrives fails the check as dns_timeout if the resolver answers for other names', async () => {
    const ms = await waitingTime(async () =>
      expect(await check('silent.example', { timeout: 5 })).toMatchObject({
        verdict: 'down',
        error: { code: 'dns_timeout' },
      }),
    );
    expect(ms).toBeLessThan(boundMs(6500));
  });
});

describe("the checker's own resolver", () => {
  test("if the checker's own resolver refuses connections, dns, tcp and http checks end as internal", async () => {
    const dead = testContext({ dnsServers: [`127.0.0.1:${await freePort()}`] });
    const monitors = [
      monitorOf({ type: 'dns', hostname: 'a.example' }),
      monitorOf({ type: 'tcp', host: 'a.example', port: 1 }),
      monitorOf({ type: 'http', url: 'http://a.example/' }),
    ];
    for (const monitor of monitors)
      expect(await runCheck(monitor, dead)).toMatchObject({
        verdict: 'internal',
        error: { code: 'internal', message: expect.stringContaining('resolver') },
      });
  });

  test("if the checker's own resolver loses a query, and answers when it is asked again, the check ends as internal", async () => {
    const zones: Parameters<typeof dnsTarget>[0] = {
      '': { silent: true },
      'a.example': { silent: true, A: ['127.0.0.1'] },
    };
    await using lost = await dnsTarget(zones);
    const { resolver } = testContext({ dnsServers: [lost.server] });
    let interrupt: (why: Interruption) => void = () => {};
    const deadline: Deadline = {
      onInterrupt: (call) => (interrupt = call),
      offInterrupt: () => {},
      over: null,
      lagMs: () => 0,
      end: () => {},
    };
    const ask = () => resolver.records('a.example', 'A', null, deadline);
    const first = ask();
    const refused = expect(first).rejects.toMatchObject({ code: 'internal' });
    await vi.waitFor(() => expect(lost.questions).toContain('A a.example'), 10_000);
    for (const zone of Object.values(zones)) delete zone.silent;
    interrupt('timeout');
    await refused;
    expect(await ask()).toEqual(['127.0.0.1']);
  });

  test("if the checker's own resolver does not answer, the check ends as internal soon after the timeout", async () => {
    await using silent = await dnsTarget({ '': { silent: true }, 'a.example': { silent: true } });
    const dead = testContext({ dnsServers: [silent.server] });
    const waiting = startWaiting();
    expect(await checkDns(monitorOf({ type: 'dns', hostname: 'a.example', timeout: 1 }), dead)).toMatchObject({
      verdict: 'internal',
    });
    expect(waiting.ms()).toBeLessThan(boundMs(2500));
  });

  test("the checker's own resolver works despite a dead server as long as another server answers", async () => {
    const both = testContext({ dnsServers: [`127.0.0.1:${await freePort()}`, server.server] });
    expect(await checkDns(monitorOf({ type: 'dns', hostname: 'a.example' }), both)).toMatchObject({ verdict: 'up' });
  });
});

describe("a monitor's own name server", () => {
  test("a check fails as dns_refused if the monitor's own name server refuses connections, and as dns_timeout if it does not answer", async () => {
    expect(await check('a.example', { nameserver: `127.0.0.1:${await freePort()}` })).toMatchObject({
      verdict: 'down',
      error: { code: 'dns_refused' },
    });
    expect(await check('silent.example', { nameserver: server.server, timeout: 5 })).toMatchObject({
      verdict: 'down',
      error: { code: 'dns_timeout' },
    });
  });

  test("a monitor's own name server may be given as a host name, and has to be an allowed target", async () => {
    expect(await check('a.example', { nameserver: `localhost:${server.port}` })).toMatchObject({ verdict: 'up' });
    expect(await check('a.example', { nameserver: '169.254.169.254' })).toMatchObject({
      error: { code: 'blocked_target' },
    });
    const strict = testContext({ dnsServers: [server.server], targets: 'public-only' });
    expect(
      await checkDns(monitorOf({ type: 'dns', hostname: 'a.example', nameserver: server.server }), strict),
    ).toMatchObject({ error: { code: 'blocked_target' } });
    expect(await checkDns(monitorOf({ type: 'dns', hostname: 'a.example' }), strict)).toMatchObject({ verdict: 'up' });
  });

  test.each([
    ['9.9.9.9', '9.9.9.9', 53],
    ['9.9.9.9:5353', '9.9.9.9', 5353],
    ['2620:fe::fe', '2620:fe::fe', 53],
    ['[2620:fe::fe]', '[2620:fe::fe]', 53],
    ['[2620:fe::fe]:80', '[2620:fe::fe]', 80],
    ['ns.example', 'ns.example', 53],
    ['ns.example:80', 'ns.example', 80],
  ])('the name server %s is read as host %s and port %d', (nameserver, host, port) => {
    expect(splitNameserver(nameserver)).toEqual({ host, port });
  });
});
