import { describe, expect, test } from 'vitest';
import { type BadManner, badDnsTarget } from '../testing/targets/bad-dns.ts';
import { dnsTarget, monitorOf, testContext } from '../testing/targets/index.ts';
import { runCheck } from './index.ts';

/**
 * Repeatedly checks names with bad answers, and names with good answers at the same time. `failed` has the failures of
 * the good names, and `bad` has the outcomes of the bad names.
 */
async function checkGoodAndBadNames(
  manner: BadManner,
  ownServer: boolean,
): Promise<{ failed: string[]; bad: string[] }> {
  await using server = await badDnsTarget();
  const context = testContext({ dnsServers: [server.server] });
  const fields = { type: 'dns' as const, ...(ownServer && { nameserver: server.server }) };
  const check = async (hostname: string, timeout = 10) => {
    const { verdict, error } = await runCheck(monitorOf({ ...fields, hostname, timeout }), context);
    return verdict === 'up' ? 'up' : `${verdict} ${error?.code} ${error?.message}`;
  };
  const failed: string[] = [];
  const bad = new Set<string>();
  // These names have had only valid answers so far, so they share a c-ares channel (dns-channels.ts).
  const good = ['good.test', 'good.example', 'good1.test'];
  await Promise.all(good.map((name) => check(name)));
  const untilMonoMs = performance.now() + 600;
  const names = Array.from({ length: 12 }, (_, i) => `${manner}${i}.test`);
  await Promise.all([
    ...names.map(async (name) => {
      while (performance.now() < untilMonoMs) {
        // c-ares ignores answers with a wrong id, so these checks run until their timeout.
        const verdict = await check(name, manner === 'wrongid' ? 2 : 10);
        bad.add(verdict.split(' ').slice(0, 2).join(' '));
        if (verdict === 'up') throw new Error(`${name} passed`);
      }
    }),
    ...good.map(async (name) => {
      while (performance.now() < untilMonoMs) {
        const verdict = await check(name);
        if (verdict !== 'up') failed.push(verdict);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }),
  ]);
  return { failed, bad: [...bad] };
}

describe.concurrent('checks of 12 names with bad answers', () => {
  test.each([
    ['garbage', 'down dns_bad_response'],
    ['truncated', 'down dns_refused'],
    ['wrongid', 'down dns_timeout'],
    ['formerr', 'down dns_bad_response'],
  ] as const)('names with bad answers (%s) fail, and other names of the same server pass', async (manner, expected) => {
    for (const ownServer of [false, true])
      expect(await checkGoodAndBadNames(manner, ownServer), `own server: ${ownServer}`).toEqual({
        failed: [],
        bad: [expected],
      });
  });
});

describe('the checker’s own resolver', () => {
  const bad = { rcode: 'SERVFAIL' } as const;
  const check = (context: ReturnType<typeof testContext>, hostname: string) =>
    runCheck(monitorOf({ type: 'dns', hostname, timeout: 2 }), context);

  test("the checker's own resolver is at fault if it fails for every name, but not if it finds other names", async () => {
    const zones: Parameters<typeof dnsTarget>[0] = {
      'a.example': { A: ['127.0.0.1'] },
      'b.test': { A: ['127.0.0.1'] },
    };
    await using server = await dnsTarget(zones);
    const context = testContext({ dnsServers: [server.server] });
    for (const name of ['a.example', 'b.test']) expect(await check(context, name)).toMatchObject({ verdict: 'up' });
    zones['b.test'] = bad;
    expect(await check(context, 'b.test')).toMatchObject({ verdict: 'down', error: { code: 'dns_server_failure' } });
    expect(server.questions.some((question) => /^A uptime-\S+\.a\.example$/.test(question))).toBe(true);
    await using failing = await dnsTarget(new Proxy({}, { get: () => bad }));
    const own = testContext({ dnsServers: [failing.server] });
    expect(await check(own, 'b.test')).toMatchObject({
      verdict: 'internal',
      error: { message: expect.stringContaining("the checker's own resolver fails for every name") },
    });
  });

  test("the checker's own resolver is not at fault if only the names of one domain fail", async () => {
    const zones: Parameters<typeof dnsTarget>[0] = {};
    for (const name of ['www.shop.example', 'api.shop.example', 'other.test']) zones[name] = { A: ['127.0.0.1'] };
    await using server = await dnsTarget(
      new Proxy(zones, { get: (of, name: string) => (/shop/.test(name) && of['down'] ? bad : of[name]) }),
    );
    const context = testContext({ dnsServers: [server.server] });
    for (const name of ['www.shop.example', 'other.test']) await check(context, name);
    zones['down'] = {};
    expect(await check(context, 'api.shop.example')).toMatchObject({ error: { code: 'dns_server_failure' } });
    expect(await check(context, 'www.shop.example')).toMatchObject({ error: { code: 'dns_server_failure' } });
  });

  test("the checker's own resolver is still at fault for a moment after all names failed, because resolvers cache failures", async () => {
    let failing: (name: string) => boolean = () => true;
    const good = { A: ['127.0.0.1'] };
    await using server = await dnsTarget(
      new Proxy(
        {},
        {
          get: (_, name: string) =>
            failing(name) ? bad : name === 'a.test' || name === 'b.example' ? good : undefined,
        },
      ),
    );
    const context = testContext({ dnsServers: [server.server] });
    expect(await check(context, 'a.test')).toMatchObject({ verdict: 'internal' });
    failing = (name) => name === 'a.test';
    expect(await check(context, 'b.example')).toMatchObject({ verdict: 'up' });
    expect(await check(context, 'a.test')).toMatchObject({ verdict: 'internal' });
  });
});
