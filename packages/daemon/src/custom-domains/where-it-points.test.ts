import { afterAll, beforeAll, expect, test } from 'vitest';
import { createResolver } from '../checks/resolver.ts';
import { systemClock } from '../deps.ts';
import { dnsTarget, type DnsTarget, type Zone } from '../testing/targets/dns.ts';
import { whereItPoints } from './where-it-points.ts';

const zones: Record<string, Zone> = {
  'pages.example.net': { A: ['203.0.113.5', '203.0.113.6'], AAAA: ['2001:db8::5'] },
  'direct.example.com': { CNAME: 'Pages.Example.net' },
  'chain.example.com': { CNAME: 'middle.example.com' },
  'middle.example.com': { CNAME: 'pages.example.net' },
  'circle.example.com': { CNAME: 'circle2.example.com' },
  'circle2.example.com': { CNAME: 'circle.example.com' },
  'apex.example': { A: ['203.0.113.6'] },
  'apex6.example': { A: ['203.0.113.5'], AAAA: ['2001:db8::5'] },
  'mixed.com': { A: ['203.0.113.5', '198.51.100.1'] },
  'stray6.example': { A: ['203.0.113.5'], AAAA: ['2001:db8::bad'] },
  'other.example.com': { CNAME: 'other.example.org' },
  'other.example.org': { A: ['198.51.100.7'] },
  'dangling.example.com': { CNAME: 'gone.example.org' },
  'broken.example.com': { rcode: 'SERVFAIL' },
  'text.example.com': { TXT: [['only']] },
};

let dns: DnsTarget;
beforeAll(async () => {
  dns = await dnsTarget(zones);
});
afterAll(() => dns.close());

const look = (name: string, publicHost = 'pages.example.net') =>
  whereItPoints(name, publicHost, {
    resolver: createResolver({
      clock: systemClock,
      servers: [dns.server],
      network: { recordAnswer: () => {}, faultOf: async () => null },
    }),
    clock: systemClock,
    signal: new AbortController().signal,
  });

test.each([
  ['direct.example.com', 'cname'],
  ['chain.example.com', 'cname'],
  ['apex.example', 'address'],
  ['apex6.example', 'address'],
])('whereItPoints finds that %s points here by its %s record', async (name, by) => {
  expect(await look(name)).toEqual({ points: 'here', by });
});

test('if the public host is an IP address, a name needs an address record', async () => {
  expect(await look('apex.example', '203.0.113.6')).toEqual({ points: 'here', by: 'address' });
  expect(await look('apex6.example', '203.0.113.6')).toMatchObject({
    points: 'elsewhere',
    reason: expect.stringContaining('give it an address record of 203.0.113.6') as string,
  });
});

test.each([
  [
    'mixed.com',
    /^mixed\.com leads to 198\.51\.100\.1, which is not pages\.example\.net: give it an ALIAS record that points at pages\.example\.net, or A and AAAA/,
  ],
  ['stray6.example', /leads to 2001:db8::bad/],
  ['other.example.com', /^other\.example\.com, an alias of other\.example\.org, leads to 198\.51\.100\.7/],
  [
    'dangling.example.com',
    /an alias of gone\.example\.org, has no address in the DNS: give it a CNAME record that points/,
  ],
  ['nowhere.example.com', /^nowhere\.example\.com has no address in the DNS/],
  ['text.example.com', /has no address in the DNS/],
])('whereItPoints finds that %s points elsewhere, and says why', async (name, reason) => {
  expect(await look(name)).toEqual({ points: 'elsewhere', reason: expect.stringMatching(reason) as string });
});

test('a name does not point here if name servers fail, if the public host has no address, or if its aliases form a loop', async () => {
  expect(await look('broken.example.com')).toMatchObject({ points: 'unknown' });
  expect(await look('apex.example', 'unknown.example.net')).toEqual({
    points: 'unknown',
    reason:
      'apex.example should point to unknown.example.net, but unknown.example.net itself has no address in the DNS.',
  });
  expect((await look('circle.example.com')).points).not.toBe('here');
});
