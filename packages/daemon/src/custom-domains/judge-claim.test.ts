import { afterAll, beforeAll, expect, test } from 'vitest';
import { createResolver } from '../checks/resolver.ts';
import { systemClock } from '../deps.ts';
import { dnsTarget, type DnsTarget, type Zone } from '../testing/targets/dns.ts';
import { judgeClaim } from './judge-claim.ts';
import { createOwnNames } from './own-names.ts';

const address = ['203.0.113.5'];
const proof = [['uptime-project=prj_1']];
const zones: Record<string, Zone> = {
  'pages.example.net': { A: address },
  'uptime.example.org': { A: address },
  'status.shop.com': { CNAME: 'pages.example.net' },
  'chain.shop.com': { CNAME: 'status.shop.com' },
  'shop.com': { A: address },
  'proven.com': { A: address },
  '_uptime.proven.com': { TXT: proof },
  'split.com': { A: address },
  '_uptime.split.com': { TXT: [['v=other'], ['uptime-', 'project=', 'prj_1']] },
  'stolen.com': { A: address },
  '_uptime.stolen.com': { TXT: [['uptime-project=prj_2']] },
  'unsure.com': { A: address },
  '_uptime.unsure.com': { rcode: 'SERVFAIL' },
  'away.com': { A: ['198.51.100.1'] },
  '_uptime.away.com': { TXT: proof },
  'ping.example.net': { A: address },
  'alias.example.org': { CNAME: 'pages.example.net' },
  'own.example.org': { CNAME: 'pages.example.net' },
  '_uptime.own.example.org': { TXT: proof },
  '_uptime.pages.example.net': { TXT: proof },
};

let dns: DnsTarget;
beforeAll(async () => {
  dns = await dnsTarget(zones);
});
afterAll(() => dns.close());

const publicHost = () => 'pages.example.net';
const judge = (name: string) =>
  judgeClaim(
    { name, project: 'prj_1' },
    {
      resolver: createResolver({
        clock: systemClock,
        servers: [dns.server],
        network: { recordAnswer: () => {}, faultOf: async () => null },
      }),
      clock: systemClock,
      publicHost,
      ownNames: createOwnNames({ siteUrl: () => 'https://uptime.example.org', publicHost }),
      signal: new AbortController().signal,
    },
  );

test.each(['status.shop.com', 'chain.shop.com', 'proven.com', 'split.com', 'own.example.org'])(
  'judgeClaim allows a page on %s',
  async (name) => {
    expect(await judge(name)).toEqual({ served: true });
  },
);

test.each([
  [
    'shop.com',
    /points to this server by its addresses, .* add a TXT record _uptime\.shop\.com with the value "uptime-project=prj_1"\.$/,
  ],
  ['stolen.com', /add a TXT record _uptime\.stolen\.com/],
  ['ping.example.net', /is part of the domain of this server's operator.*_uptime\.ping\.example\.net/],
  ['alias.example.org', /is part of the domain of this server's operator.*_uptime\.alias\.example\.org/],
  [
    'away.com',
    /leads to 198\.51\.100\.1, .* give it an ALIAS record .* add a TXT record _uptime\.away\.com with the value/,
  ],
  ['pages.example.net', /is a host of this server itself/],
  ['uptime.example.org', /is a host of this server itself/],
])('judgeClaim allows no page on %s, and the reason says what is missing', async (name, reason) => {
  expect(await judge(name)).toEqual({ served: false, reason: expect.stringMatching(reason) as string });
});

test('if the name server fails, judgeClaim returns `unknown`', async () => {
  expect(await judge('unsure.com')).toEqual({
    served: 'unknown',
    reason: expect.stringMatching(/^The TXT record could not be looked up/) as string,
  });
});
