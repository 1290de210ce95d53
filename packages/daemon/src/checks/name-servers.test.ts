import type { lookup } from 'node:dns/promises';
import { expect, test } from 'vitest';
import { lookUpNameServers } from './name-servers.ts';

test('name servers given as addresses stay unchanged, and host names become addresses with a port', async () => {
  const addresses = ['9.9.9.9', '9.9.9.9:5353', '2620:fe::fe', '[2620:fe::fe]:53'];
  expect(await lookUpNameServers(addresses)).toEqual(addresses);
  expect(await lookUpNameServers(['localhost:5353'])).toEqual([expect.stringMatching(/^(127\.0\.0\.1|\[::1\]):5353$/)]);
  expect(await lookUpNameServers(['localhost'])).toEqual([expect.stringMatching(/^(127\.0\.0\.1|\[::1\]):53$/)]);
});

test('the error for a host name without an address names the name server and its setting', async () => {
  const nowhere = (() => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }))) as typeof lookup;
  await expect(lookUpNameServers(['9.9.9.9', 'nowhere.invalid:53'], nowhere)).rejects.toThrow(
    /^The name server nowhere\.invalid:53 of UPTIME_DNS_SERVERS has no address \(ENOTFOUND\)\.$/,
  );
});
