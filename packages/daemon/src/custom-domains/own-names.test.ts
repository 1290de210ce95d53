import { expect, test } from 'vitest';
import { createOwnNames } from './own-names.ts';
import { ownerDomain } from './owner-domain.ts';

const names = (siteUrl: string, publicHost: string) =>
  createOwnNames({ siteUrl: () => siteUrl, publicHost: () => publicHost });

test('the host of the site and the public host belong to the server, whatever their spelling', async () => {
  const own = names('https://Uptime.Example.com:8443', 'Pages.Example.net.');
  for (const name of ['uptime.example.com', 'pages.example.net', 'PAGES.example.net.'])
    expect(own.isOwn(name)).toBe(true);
  for (const name of ['ping.example.com', 'example.com', 'uptime.example.com.evil.test'])
    expect(own.isOwn(name)).toBe(false);
});

test('every name in the registrable domain of the site or of the public host is reserved', async () => {
  const own = names('https://uptime.example.co.uk', 'pages.example.net');
  for (const name of ['ping.example.co.uk', 'example.co.uk', 'a.b.example.net'])
    expect(await own.isReserved(name)).toBe(true);
  for (const name of ['other.co.uk', 'notexample.net', 'example.com']) expect(await own.isReserved(name)).toBe(false);
});

test('a site below a domain that many owners share, such as github.io, reserves only its own name and names below it', async () => {
  const own = names('https://uptime.github.io', 'uptime.github.io');
  expect(await own.isReserved('www.uptime.github.io')).toBe(true);
  expect(await own.isReserved('other.github.io')).toBe(false);
});

test('a site at an IP address reserves no names', async () => {
  const own = names('http://192.0.2.1:3000', '192.0.2.1');
  expect(await own.isReserved('status.example.com')).toBe(false);
  expect(await own.isReserved('x.2.1')).toBe(false);
});

test.each([
  ['https://uptime.example.com/', 'uptime.example.com'],
  ['http://localhost:3000', null],
  ['http://x.localhost', null],
  ['http://10.0.0.1', null],
  ['http://[::1]:3000', null],
])('for the site %s, siteName returns %s', (siteUrl, name) => {
  expect(names(siteUrl, 'pages.example.net').siteName()).toBe(name);
});

test('if the public suffix is unknown, the last two labels of a name count as its registrable domain', async () => {
  expect(ownerDomain('a.b.corp.internal')).toBe('corp.internal');
  expect(ownerDomain('status.example.com')).toBe('example.com');
});
